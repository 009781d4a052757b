// The search: names, operations, modules, shapes, what gradients are, and near misses.
import assert from "node:assert/strict";
import test from "node:test";

import { editDistance, parsed, Search } from "../../dark/draw/explore/page/search.js";
import { base64Of, graphOf, module, node, twoModules } from "./graphs.js";

test("words, shapes and findings are told apart", () => {
  assert.deepEqual(parsed("relu (4, 8) gradient is 0"), { words: ["relu"], shapes: [{ sizes: [4, 8], isWhole: true }], findings: [{ field: "grad", what: "0" }] });
  assert.deepEqual(parsed("3x3 value:nan").shapes, [{ sizes: [3, 3], isWhole: false }]);
  assert.deepEqual(parsed("grad is NaN").findings, [{ field: "grad", what: "NaN" }]);
  assert.deepEqual(parsed("gradient large").findings, [{ field: "grad", what: "large" }]);
  assert.deepEqual(parsed("gradient is infinite").findings, [{ field: "grad", what: "infinite" }]);
  assert.deepEqual(parsed("(3,)").shapes, [{ sizes: [3], isWhole: true }]);
  assert.deepEqual(parsed("0.weight"), { words: ["0.weight"], shapes: [], findings: [] });
});

test("nodes and modules are found by name, operation, path and shape, exact names first", () => {
  const graph = twoModules(), search = new Search(graph);
  assert.deepEqual(search.results("relu"), [3]);
  assert.deepEqual(search.results("a"), [7, 1, 2, 3, 0, 4, 5].filter((id) => search.results("a").includes(id)));
  assert.equal(search.results("a")[0], 7);
  assert.deepEqual(search.results("a.w"), [1]);
  assert.deepEqual(search.results("(4, 8)"), [2, 3, 4]);
  assert.deepEqual(search.results("3x8"), [1]);
  assert.deepEqual(search.results("8x4"), []);
  assert.deepEqual(search.results("()"), [5]);
  assert.deepEqual(search.results("r*lu"), [3]);
  assert.deepEqual(search.results("  "), []);
});

test("gradients that are 0, NaN, infinite or large are found, in numbers and in arrays", () => {
  const grads = [1, 1, 2, 0, "NaN", 500, "Infinity", undefined];
  const nodes = grads.map((grad, k) => node("", [], grad === undefined ? {} : { grad, name: `p${k}` }));
  nodes.push(node("", [], { gradArray: 0 }), node("", [], { gradArray: 1 }), node("+", nodes.map((_, k) => k)));
  const arrays = [{ shape: [2], kind: "f4", data: base64Of([0, 0]) }, { shape: [2], kind: "f8", data: base64Of([NaN, 1], Float64Array) }];
  const search = new Search(graphOf(nodes, [module("", nodes.map((_, i) => i))], { arrays }));
  assert.deepEqual(search.results("gradient is 0"), [3, 8]);
  assert.deepEqual(search.results("gradient is NaN"), [4, 9]);
  assert.deepEqual(search.results("gradient is infinite"), [6]);
  assert.deepEqual(search.results("gradient is large"), [5]);
  assert.deepEqual(search.results("value is NaN"), []);
});

test("the statistics of an array that is not whole decide, not its elements", () => {
  const data = { shape: [1], whole: [9], strides: [9], kind: "f4", data: base64Of([0]), thinned: "every 9th", statistics: { low: 0, high: 3, mean: 1, std: 1, nan: 1, infinite: 0 } };
  const graph = graphOf([node("", [], { gradArray: 0 }), node("exp", [0])], undefined, { arrays: [data] });
  const search = new Search(graph);
  assert.deepEqual([search.results("gradient is 0"), search.results("gradient is NaN")], [[], [0]]);
});

test("where nothing is found, near names are offered", () => {
  const search = new Search(twoModules());
  assert.deepEqual(search.nearMisses("rleu"), ["relu"]);
  assert.deepEqual(search.nearMisses("liner"), ["linear"]);
  assert.deepEqual(search.nearMisses("convolution"), []);
});

test("the distance counts insertions, deletions, replacements and swaps", () => {
  assert.deepEqual([editDistance("relu", "relu"), editDistance("rleu", "relu"), editDistance("rel", "relu"), editDistance("", "abc"), editDistance("selu", "relu")], [0, 1, 1, 3, 1]);
});
