// Small graphs for the tests of the explorer.
import { Graph } from "../../dark/draw/explore/page/graph.js";

const LINES = [["title", "box"]];

// A node that is drawn by itself.
export function node(operation, inputs, more = {}) {
  return { operation, role: operation ? "result" : "parameter", inputs, lines: LINES, size: [60, 40], ...more };
}

export function module(path, items, more = {}) {
  return { path, title: path, titleWidth: 8 * path.length, items, count: items.length, open: true, lines: LINES, size: [80, 44], ...more };
}

export function graphOf(nodes, modules = [module("", nodes.map((_, i) => i))], more = {}) {
  return new Graph({ title: "test", nodes, modules, arrays: [], leftOut: [], ...more });
}

// x → a.h1 → a.h2 → b.out1 → b.out2, with x also used by b.out1; w is a leaf in the box of a.h1.
export function twoModules(more = {}) {
  const nodes = [
    node("", [], { name: "x", role: "input", shape: [4, 3] }),
    node("", [], { name: "a.w", holder: 2, shape: [3, 8] }),
    node("linear", [0, 1], { leaves: [1], own: [60, 40], size: [130, 60], path: "a", shape: [4, 8] }),
    node("relu", [2], { path: "a", shape: [4, 8] }),
    node("+", [3, 0], { path: "b", shape: [4, 8], ordered: true }),
    node("sum", [4], { path: "b", shape: [] }),
  ];
  return graphOf(nodes, [module("", [0, -1, -2]), module("a", [2, 3], more.a), module("b", [4, 5], more.b)], more.data);
}

export function base64Of(values, Kind = Float32Array) {
  return Buffer.from(Kind.from(values).buffer).toString("base64");
}
