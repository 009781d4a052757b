// Long edges in lanes, narrow ranks, and layouts in slices of time or packed for a worker.
import assert from "node:assert/strict";
import test from "node:test";

import { flattened, flattenedSteps, Layouts } from "../../dark/draw/explore/page/layout/frames.js";
import { lanesOf, narrowed } from "../../dark/draw/explore/page/layout/lanes.js";
import { answerLayouts } from "../../dark/draw/explore/page/layout/layout_worker.js";
import { packedScene, unpackedScene } from "../../dark/draw/explore/page/layout/packed.js";
import { outlineOf, Planner } from "../../dark/draw/explore/page/layout/planner.js";
import { graphOf, module, node, twoModules } from "./graphs.js";

// A recurrent cell of n steps in a module, whose inputs are outside: x_k and h_k-1 give h_k, which leaves the module.
function recurrent(steps) {
  const nodes = [node("", [], { name: "x", role: "input" })], inputs = [], inside = [];
  for (let k = 0; k < steps; k += 1) {
    nodes.push(node("select", [0]));
    inputs.push(nodes.length - 1);
  }
  for (let k = 0; k < steps; k += 1) {
    nodes.push(node("linear", [inputs[k]], { path: "cell" }), node("+", inside.length ? [nodes.length, inside.at(-1)] : [nodes.length], { path: "cell" }));
    inside.push(nodes.length - 2, nodes.length - 1);
  }
  nodes.push(node("cat", inside.filter((_, k) => k % 2 === 1)));
  return graphOf(nodes, [module("", [0, ...inputs, -1, nodes.length - 1]), module("cell", inside)]);
}

const pointsIn = (scene) => scene.edges.reduce((sum, { points }) => sum + points.length, 0);

test("edges in lanes cross no box, and their points grow with the steps, not with their square", () => {
  const counts = [100, 400].map((steps) => {
    const graph = recurrent(steps), scene = flattened(graph, new Layouts(graph));
    const long = scene.edges.filter(({ isLong }) => isLong);
    assert.ok(long.length >= steps / 2);
    const boxes = [...scene.boxes.values()].sort((a, b) => a.y - b.y);
    for (const { points } of long) {
      points.slice(1).forEach(([x, y], k) => {
        const [before, top] = points[k];
        if (Math.abs(x - before) > 0.01) return;
        assert.ok(boxes.every((box) => box.y + box.height <= top + 0.01 || box.y >= y - 0.01 || x <= box.x + 0.01 || x >= box.x + box.width - 0.01));
      });
    }
    return pointsIn(scene);
  });
  assert.ok(counts[1] < 5 * counts[0], `${counts}`);
});

test("boxes of a large layout do not overlap, and its width is that of a few screens", () => {
  const graph = recurrent(300), scene = flattened(graph, new Layouts(graph));
  const boxes = [...scene.boxes.values()].sort((a, b) => a.y - b.y);
  boxes.forEach((a, k) => {
    for (let n = k + 1; n < boxes.length && boxes[n].y < a.y + a.height - 1e-6; n += 1) assert.ok(boxes[n].x >= a.x + a.width - 1e-6 || a.x >= boxes[n].x + boxes[n].width - 1e-6);
  });
  assert.ok(scene.size[0] < 12000, `${scene.size}`);
});

test("two spans in one lane do not overlap, and edges from one place share a lane", () => {
  const ranks = Array.from({ length: 400 }, (_, k) => k), edges = [];
  for (let k = 0; k < 396; k += 1) edges.push({ source: k, target: Math.min(399, k + 4 + ((k * 37) % 200)), fromSource: 0 });
  edges.push({ source: 5, target: 300, fromSource: 0 });
  const lanes = lanesOf(edges, ranks, () => false, false);
  assert.ok(lanes.size > 300);
  assert.deepEqual(lanes.get(5), lanes.get(edges.length - 1));
  const taken = new Map();
  for (const [k, [side, lane]] of lanes) {
    const { source, target } = edges[k], name = `${side} ${lane}`;
    for (const other of taken.get(name) ?? []) assert.ok(other.source === source || other.target <= source || target <= other.source);
    taken.set(name, [...(taken.get(name) ?? []), { source, target }]);
  }
});

test("few bend points need no lanes, and narrow ranks stay as they are", () => {
  const ranks = Array.from({ length: 40 }, (_, k) => k), none = new Set();
  assert.equal(lanesOf([{ source: 0, target: 39, fromSource: 0 }], ranks, () => false, false).size, 0);
  assert.equal(narrowed(ranks, ranks.map(() => 100), 22, [], none, none), ranks);
});

test("a rank that is too wide is in several, and what is used further below sinks", () => {
  const count = 200, ranks = Array.from({ length: count }, (_, v) => (v < 150 ? 0 : v - 149)), none = new Set();
  const edges = Array.from({ length: 150 }, (_, v) => [v, Math.min(199, 150 + (v % 50))]).concat(Array.from({ length: 49 }, (_, k) => [150 + k, 151 + k]));
  const found = narrowed(ranks, ranks.map(() => 100), 22, edges, none, none);
  for (const [u, v] of edges) assert.ok(found[u] < found[v]);
  const wide = new Map();
  found.forEach((rank) => wide.set(rank, (wide.get(rank) ?? 0) + 122));
  assert.ok(Math.max(...wide.values()) <= 5000 + 122);
});

test("a packed scene is the same when it is unpacked", () => {
  for (const graph of [twoModules(), recurrent(120)]) {
    const layouts = new Layouts(graph), scene = flattened(graph, layouts);
    assert.deepEqual(unpackedScene(structuredClone(packedScene(scene))), scene);
    layouts.set(1, false);
    const closed = flattened(graph, layouts);
    assert.deepEqual(unpackedScene(packedScene(closed)), closed);
  }
});

test("the worker answers with the scene of the modules that are open", () => {
  const graph = recurrent(60), answers = [], place = { postMessage: (packed) => answers.push(unpackedScene(packed)) };
  answerLayouts(place);
  place.onmessage({ data: { graph: structuredClone(outlineOf(graph)) } });
  for (const open of [[1], [], [1]]) {
    place.onmessage({ data: { open } });
    const layouts = new Layouts(graph);
    layouts.openOnly(open);
    assert.deepEqual(answers.at(-1), flattened(graph, layouts));
  }
});

test("without a worker the layout is made in slices, none of which is long, and can be stopped", async () => {
  const graph = recurrent(300), planner = new Planner(graph, "");
  const layouts = new Layouts(graph);
  assert.deepEqual(await planner.plan(new Set([0, 1])), flattened(graph, layouts));
  const stopped = planner.plan(new Set([0]));
  assert.equal(planner.stop(), true);
  assert.equal(await stopped, null);
  assert.equal(planner.stop(), false);
  let pauses = 0;
  for (const steps = flattenedSteps(graph, new Layouts(graph)); !steps.next().done;) pauses += 1;
  assert.ok(pauses > 20);
});

test("another layout ends the one before, and only its scene is drawn", async () => {
  const planner = new Planner(recurrent(100), ""), first = planner.plan(new Set([0, 1])), second = planner.plan(new Set([0]));
  assert.equal(await first, null);
  assert.ok((await second).boxes.size < 110);
});

test("a worker that is refused is replaced by slices", async () => {
  globalThis.Worker = class { constructor() { setTimeout(() => this.onerror({ preventDefault() {} }), 1); } postMessage() {} terminate() { this.isEnded = true; } };
  const graph = recurrent(50), planner = new Planner(graph, "a script");
  const scene = await planner.plan(new Set([0, 1]));
  assert.deepEqual(scene, flattened(graph, new Layouts(graph)));
  globalThis.Worker = class { constructor() { throw new Error("refused"); } };
  assert.ok(await new Planner(graph, "a script").plan(new Set([0])));
  delete globalThis.Worker;
});
