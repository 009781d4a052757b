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
  assert.deepEqual(["gradient vanishes", "grad vanishing", "gradient is exploding"].map((query) => parsed(query).findings[0]?.what), ["vanishing", "vanishing", "exploding"]);
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

// A chain of nodes whose gradients, from the result on, are `gradOf(depth)`.
function chainOf(count, gradOf) {
  const nodes = Array.from({ length: count }, (_, k) => node(k ? "tanh" : "", k ? [k - 1] : [], { grad: gradOf(count - 1 - k) }));
  return new Search(graphOf(nodes));
}

test("gradients that shrink with the depth vanish, and none of them is large", () => {
  const search = chainOf(400, (depth) => 0.6 ** depth);
  assert.deepEqual(search.results("gradient is large"), []);
  const vanishing = search.results("gradient vanishes");
  assert.ok(vanishing.length > 350 && vanishing.length < 380 && vanishing.includes(0) && !vanishing.includes(399));
  assert.deepEqual(search.results("gradient explodes"), []);
});

test("gradients that grow with the depth explode, and one that is large for its depth is found among small ones", () => {
  const exploding = chainOf(400, (depth) => 1.5 ** depth);
  assert.ok(exploding.results("gradient explodes").length > 300 && !exploding.results("gradient is large").length);
  const search = chainOf(400, (depth) => 0.6 ** depth * (depth === 200 ? 1e4 : 1));
  assert.deepEqual(search.results("gradient is large"), [199]);
});

test("the limits can be set", () => {
  const search = chainOf(100, (depth) => 0.9 ** depth * (depth === 50 ? 20 : 1));
  assert.deepEqual([search.results("gradient is large"), search.results("gradient vanishes")], [[], []]);
  search.setLimits({ large: 10 });
  assert.deepEqual([search.results("gradient is large"), search.results("gradient vanishes")], [[49], []]);
  search.setLimits({ vanishing: 100 });
  assert.ok(search.results("gradient vanishes").length > 40);
});

test("all arrays can be read in slices of time", async () => {
  const search = chainOf(50, () => 1);
  await new Promise((done) => { search.read(done); });
  assert.deepEqual([search.sizes.grad.length, search.sizes.value.length], [50, 50]);
});

test("lengths with names, results and the call that failed are found", () => {
  const nodes = [node("", [], { shape: ["batch", 3] }), node("gru", [0], { shape: ["batch", 8], results: ["output float32 batch × 8", "h_n float32 8"] }), node("@", [1], { mark: "failed" })];
  const search = new Search(graphOf(nodes));
  assert.deepEqual([search.results("(batch, 3)"), search.results("batch"), search.results("h_n"), search.results("failed"), search.results("(gru)")], [[0], [0, 1], [1], [2], []]);
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
