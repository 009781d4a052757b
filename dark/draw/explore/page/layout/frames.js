// Lay out a graph with its modules: each open one is a level of its own, and a box of the level around it; as
// `layered/frames.py`. The layout of a module is kept until it, or a module in it, opens or closes.
import { layOut } from "./level.js";

const FRAME_MARGIN = 14, FRAME_TITLE = 22; // points between a frame and what is in it, and for its title

export class Layouts {
  constructor(graph) {
    this.graph = graph;
    this.known = new Map();
    this.open = new Set(graph.modules.flatMap((module, f) => (module.open ? [f] : [])));
    this.isOpen = (f) => this.open.has(f);
  }

  // Open or close a module.
  set(f, isOpen) {
    if (f === 0 || this.isOpen(f) === isOpen) return;
    if (isOpen) this.open.add(f);
    else this.open.delete(f);
    for (let at = f; at >= 0; at = this.graph.above[at]) this.known.delete(at);
  }

  // Open these modules, and close all others.
  openOnly(open) {
    const wanted = new Set([0, ...open]);
    for (const f of [...this.open]) if (!wanted.has(f)) this.set(f, false);
    for (const f of wanted) this.set(f, true);
  }

  of(f) {
    return finished(this.steps(f));
  }

  // The same as a generator, which yields where the work may pause.
  * steps(f) {
    if (!this.known.has(f)) this.known.set(f, yield* this.place(f));
    return this.known.get(f);
  }

  * place(f) {
    const { graph } = this;
    const { items } = graph.modules[f];
    const inner = [];
    for (const item of items) inner.push(item < 0 && this.isOpen(-item) ? yield* this.steps(-item) : null);
    const sizes = items.map((item, k) => inner[k]?.size ?? (item < 0 ? graph.modules[-item].size : graph.nodes[item].size));
    const level = { f, items, inner, sizes, entries: new Map(), exits: new Map(), edges: new Map() };
    items.forEach((item, k) => this.addEdges(level, item, k));
    for (const u of graph.modules[f].leaving) this.addExit(level, u);
    const edges = [...level.edges.values()];
    const placed = yield* layOut(level.sizes, edges, new Set(level.entries.values()), new Set(level.exits.values()));
    return framed(graph, level, edges, placed);
  }

  addEdges(level, item, k) {
    const { graph } = this;
    const isModule = item < 0;
    const inside = isModule ? graph.insideOf(-item) : [item];
    for (const v of inside) {
      const sources = graph.links[v];
      sources.forEach((u, n) => {
        if (isModule && graph.isIn(u, -item)) return;
        const { source, fromSource } = this.sourceOf(level, u);
        const fromTarget = level.inner[k] ? level.inner[k].entries.get(u) : isModule ? 0 : spread(n, sources.length, level.sizes[k][0]);
        const name = isModule && !level.inner[k] ? `${source} ${fromSource} ${k}` : `${u},${k}`;
        const isFree = !level.inner[k] && (isModule || !graph.nodes[v].ordered);
        if (!level.edges.has(name)) level.edges.set(name, { u, source, target: k, fromSource, fromTarget, isFree, pairs: [] });
        level.edges.get(name).pairs.push(u, v);
      });
    }
  }

  sourceOf(level, u) {
    if (this.graph.isIn(u, level.f)) {
      const source = this.graph.itemPlace(level.f, u);
      return { source, fromSource: level.inner[source]?.exits.get(u) ?? 0 };
    }
    if (!level.entries.has(u)) {
      level.entries.set(u, level.sizes.length);
      level.sizes.push([0, 0]);
    }
    return { source: level.entries.get(u), fromSource: 0 };
  }

  addExit(level, u) {
    const { graph } = this;
    const target = level.sizes.length;
    level.exits.set(u, target);
    level.sizes.push([0, 0]);
    const pairs = graph.users[u].filter((v) => !graph.isIn(v, level.f)).flatMap((v) => [u, v]);
    level.edges.set(`${u},${target}`, { u, ...this.sourceOf(level, u), target, fromTarget: 0, isFree: false, pairs });
  }
}

// What a generator returns, without a pause.
export function finished(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// Where the edge from input number n ends, as a distance from the center of its box.
function spread(n, count, width) {
  return (n - (count - 1) / 2) * Math.min(16, width / (count + 1));
}

// A level with the frame around it, in points from the upper left corner of the frame.
function framed(graph, { f, items, inner, entries, exits }, edges, placed) {
  const width = Math.max(placed.size[0] + 2 * FRAME_MARGIN, f ? graph.modules[f].titleWidth + 2 * FRAME_MARGIN : 0);
  const dx = (width - placed.size[0]) / 2, dy = f ? FRAME_TITLE + FRAME_MARGIN / 2 : FRAME_MARGIN;
  const size = [width, placed.size[1] + dy + FRAME_MARGIN];
  const isExit = new Set(exits.values());
  const routes = edges.map((edge, k) => {
    const points = placed.routes[k];
    for (const point of points) {
      point[0] += dx;
      point[1] += dy;
    }
    if (!graph.isIn(edge.u, f)) points[0][1] = 0;
    if (isExit.has(edge.target)) points.at(-1)[1] = size[1];
    const item = isExit.has(edge.target) || inner[edge.target] ? null : items[edge.target];
    return { u: edge.u, target: item === null ? null : item < 0 ? graph.count - item : item, points, pairs: edge.pairs, ...(placed.isLong(k) ? { isLong: true } : {}) };
  });
  const offset = (k) => placed.centers[k][0] + dx - width / 2;
  return {
    size,
    centers: placed.centers.slice(0, items.length).map(([x, y]) => [x + dx, y + dy]),
    routes,
    inner,
    entries: new Map([...entries].map(([u, k]) => [u, offset(k)])),
    exits: new Map([...exits].map(([u, k]) => [u, offset(k)])),
  };
}

// All that is drawn, with positions in the whole picture: boxes and frames by their numbers, edges, and the order in
// which one reads.
export function flattened(graph, layouts) {
  return finished(flattenedSteps(graph, layouts));
}

export function* flattenedSteps(graph, layouts) {
  const { size } = yield* layouts.steps(0);
  const scene = { boxes: new Map(), frames: new Map(), edges: [], order: [], size };
  const visit = (f, x, y) => {
    const layout = layouts.known.get(f);
    if (f) {
      scene.frames.set(graph.count + f, { x, y, width: layout.size[0], height: layout.size[1] });
      scene.order.push(graph.count + f);
    }
    for (const route of layout.routes) scene.edges.push({ ...route, points: route.points.map(([a, b]) => [a + x, b + y]) });
    graph.modules[f].items.forEach((item, k) => {
      const [width, height] = layout.inner[k]?.size ?? (item < 0 ? graph.modules[-item].size : graph.nodes[item].size);
      const left = x + layout.centers[k][0] - width / 2, top = y + layout.centers[k][1] - height / 2;
      if (layout.inner[k]) visit(-item, left, top);
      else addBox(graph, scene, item < 0 ? graph.count - item : item, { x: left, y: top, width, height });
    });
  };
  visit(0, 0, 0);
  return scene;
}

const LEAF_LEFT = 7, LEAF_GAP = 4;

// A box, and the leaves that stand in it.
function addBox(graph, scene, id, box) {
  const leaves = graph.isModule(id) ? [] : graph.nodes[id].leaves ?? [];
  const height = leaves.reduce((sum, leaf) => sum + graph.nodes[leaf].size[1], LEAF_GAP * (leaves.length - 1));
  const width = leaves.reduce((most, leaf) => Math.max(most, graph.nodes[leaf].size[0]), 0);
  let top = box.y + (box.height - height) / 2;
  scene.boxes.set(id, box);
  for (const leaf of leaves) {
    const [own, high] = graph.nodes[leaf].size;
    scene.boxes.set(leaf, { x: box.x + LEAF_LEFT + (width - own) / 2, y: top, width: own, height: high, isLeaf: true });
    scene.order.push(leaf);
    top += high + LEAF_GAP;
  }
  scene.order.push(id);
}
