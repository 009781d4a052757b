// Lay out one level: boxes of given sizes in ranks, and the bend points of the edges between them; as `layered/level.py`.
import { positionsOf } from "./coordinates.js";
import { lanesOf, narrowed, placesOfLanes } from "./lanes.js";
import { mainPath, orderRanks, ranksOf } from "./ranks.js";

export const GAP_X = 22, GAP_Y = 26; // points between boxes of one rank, and between ranks

// `sizes` are [width, height], [0, 0] for a place where edges enter (`first`) or leave (`last`); `edges` are
// { source, target, fromSource, fromTarget, isFree }. Routes are points in pairs: straight down within a pair, and
// bent to the next. A generator, which yields where the work may pause.
export function* layOut(sizes, given, first, last) {
  const count = sizes.length, pairs = given.map((edge) => [edge.source, edge.target]);
  const widths = sizes.map(([width]) => width);
  const wide = ranksOf(count, pairs, first, last);
  const ranks = narrowed(wide, widths, GAP_X, pairs, first, last);
  const path = mainPath(count, pairs, first, last);
  const main = new Set(path.slice(1).map((v, k) => key(path[k], v)));
  const isOfMain = (edge) => main.has(key(edge.source, edge.target));
  let edges = given.map((edge) => (edge.isFree && isOfMain(edge) ? { ...edge, fromTarget: 0 } : edge));
  const lanes = lanesOf(edges, ranks, isOfMain, ranks !== wide);
  const aside = asideOf(pairs, lanes, first, last);
  const start = startRows(ranks, path, aside);
  const { links, chains } = withBendPoints(edges, ranks, start, widths, lanes);
  yield;
  const rows = yield* orderRanks(start, links, widths.length);
  const x = yield* positionsOf(rows, widths, links, pathWithBendPoints(path, edges, chains), GAP_X);
  const beside = placesBeside(x, widths, lanes, pairs, aside);
  edges = movedEnds(edges, chains, isOfMain, x, widths, beside);
  const left = Math.min(leftOf(x, widths), least(beside.values())), right = Math.max(rightOf(x, widths), -least([...beside.values()].map((at) => -at)));
  const { tops, bottoms } = bands(rows, sizes);
  const centers = sizes.map((_, v) => [x[v] - left, (tops[ranks[v]] + bottoms[ranks[v]]) / 2]);
  const at = { x, left, centers, sizes, ranks, tops, bottoms };
  return { centers, size: count ? [right - left, bottoms.at(-1)] : [0, 0], routes: edges.map((edge, k) => routeOf(edge, chains[k], beside.get(k), at)), isLong: (k) => lanes.has(k) };
}

function least(numbers) {
  let found = Infinity;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

function leftOf(x, widths, without = NONE_ASIDE) {
  return x.reduce((most, at, v) => (without.has(v) ? most : Math.min(most, at - widths[v] / 2)), Infinity);
}

function rightOf(x, widths, without = NONE_ASIDE) {
  return x.reduce((most, at, v) => (without.has(v) ? most : Math.max(most, at + widths[v] / 2)), -Infinity);
}

const NONE_ASIDE = new Set();

// The places where edges enter or leave all of whose edges are in lanes.
function asideOf(pairs, lanes, first, last) {
  const aside = new Set([...lanes.keys()].flatMap((k) => pairs[k].filter((v) => first.has(v) || last.has(v))));
  pairs.forEach((ends, k) => { if (!lanes.has(k)) ends.forEach((v) => aside.delete(v)); });
  return aside;
}

// The position of each lane, by its edge; what is aside is put in its lane.
function placesBeside(x, widths, lanes, pairs, aside) {
  if (!lanes.size) return new Map();
  const places = placesOfLanes(lanes, leftOf(x, widths, aside), rightOf(x, widths, aside));
  for (const [k, place] of places) for (const v of pairs[k]) if (aside.has(v)) x[v] = place;
  return places;
}

const MANY = 2 ** 26;

function key(a, b) {
  return a * MANY + b;
}

// The vertices of each rank in the order given, but for the main path, which is in the middle; without those aside.
function startRows(ranks, path, aside) {
  const rows = Array.from({ length: ranks.reduce((most, rank) => Math.max(most, rank), -1) + 1 }, () => []);
  const main = new Set(path);
  ranks.forEach((rank, v) => { if (!main.has(v) && !aside.has(v)) rows[rank].push(v); });
  for (const v of path) rows[ranks[v]].splice(Math.floor((rows[ranks[v]].length + 1) / 2), 0, v);
  return rows;
}

// A vertex of width 0 in each rank that an edge crosses; edges from one place share these, and one in a lane has none.
function withBendPoints(edges, ranks, rows, widths, lanes) {
  const links = [], points = new Map();
  const chains = edges.map((edge, n) => {
    const chain = [];
    if (lanes.has(n)) return chain;
    let u = edge.source, offset = edge.fromSource;
    for (let rank = ranks[edge.source] + 1; rank < ranks[edge.target]; rank += 1) {
      const name = `${edge.source} ${edge.fromSource} ${rank}`;
      if (!points.has(name)) {
        points.set(name, widths.length);
        rows[rank].push(widths.length);
        links.push([u, widths.length, offset, 0]);
        widths.push(0);
      }
      u = points.get(name);
      offset = 0;
      chain.push(u);
    }
    links.push([u, edge.target, offset, edge.fromTarget]);
    return chain;
  });
  return { links, chains };
}

function pathWithBendPoints(path, edges, chains) {
  const main = new Set(path), points = new Map();
  edges.forEach((edge, k) => { if (main.has(edge.source)) points.set(key(edge.source, edge.target), chains[k]); });
  return path.flatMap((v, k) => (k ? [...points.get(key(path[k - 1], v)), v] : [v]));
}

// Move the free ends of edges that do not belong to the main path to the side from which they come.
function movedEnds(edges, chains, isOfMain, x, widths, beside) {
  const last = edges.map((edge, k) => beside.get(k) ?? (chains[k].length ? x[chains[k].at(-1)] : x[edge.source] + edge.fromSource));
  const moved = [...edges], arriving = new Map(), count = new Map();
  edges.forEach((edge, k) => {
    count.set(edge.target, (count.get(edge.target) ?? 0) + 1);
    if (!edge.isFree || isOfMain(edge)) return;
    if (!arriving.has(edge.target)) arriving.set(edge.target, []);
    arriving.get(edge.target).push(k);
  });
  for (const [target, ends] of arriving) {
    const step = Math.min(12, widths[target] / 2 / (ends.length + 1));
    for (const side of [-1, 1]) {
      const here = ends.filter((k) => (last[k] < x[target]) === (side < 0)).sort((a, b) => side * (last[a] - last[b]));
      here.forEach((k, n) => { moved[k] = { ...edges[k], fromTarget: count.get(target) === 1 ? 0 : side * (n + 1) * step }; });
    }
  }
  return moved;
}

// The top and the bottom of each rank.
function bands(rows, sizes) {
  const tops = [], bottoms = [];
  let y = 0;
  for (const row of rows) {
    const height = row.reduce((most, v) => (v < sizes.length ? Math.max(most, sizes[v][1]) : most), 0);
    tops.push(y);
    bottoms.push(y + height);
    y += height + GAP_Y;
  }
  return { tops, bottoms };
}

function routeOf(edge, chain, beside, { x, left, centers, sizes, ranks, tops, bottoms }) {
  const rank = ranks[edge.source], from = x[edge.source] + edge.fromSource - left;
  const points = [[from, centers[edge.source][1] + sizes[edge.source][1] / 2], [from, bottoms[rank]]];
  chain.forEach((v, k) => points.push([x[v] - left, tops[rank + 1 + k]], [x[v] - left, bottoms[rank + 1 + k]]));
  if (beside !== undefined) points.push([beside - left, tops[rank + 1]], [beside - left, bottoms[ranks[edge.target] - 1]]);
  const to = x[edge.target] + edge.fromTarget - left;
  points.push([to, tops[ranks[edge.target]]], [to, centers[edge.target][1] - sizes[edge.target][1] / 2]);
  return points;
}
