import assert from "node:assert/strict";
import test from "node:test";
import { seriesRows } from "../../dark/monitor/viewer/page/csv.js";
import { acted, initialState, seenTensors, stateFor, toggled } from "../../dark/monitor/viewer/page/state.js";
import { warningText } from "../../dark/monitor/viewer/page/sources/runs.js";
import { buildTree, seriesBelow } from "../../dark/monitor/viewer/page/tree.js";

const NAMES = ["weights/a", "weights/b", "gradients/a"];

test("names are added, and taken away if all were there", () => {
  assert.deepEqual([...toggled(new Set(["a"]), ["a", "b"])], ["a", "b"]);
  assert.deepEqual([...toggled(new Set(["a", "b", "c"]), ["a", "b"])], ["c"]);
});

test("a kept tensor stays in sight, in the order of the tree", () => {
  const first = { ...initialState(), tensor: "weights/b" };
  const kept = acted(first, "keepTensor", { count: 1, names: NAMES });
  const next = acted(kept, "nextTensor", { count: 1, names: NAMES });
  assert.equal(next.tensor, "gradients/a");
  assert.deepEqual(seenTensors(next, NAMES), ["weights/b", "gradients/a"]);
  assert.deepEqual(seenTensors(acted({ ...next, tensor: "weights/b" }, "keepTensor", { count: 1, names: NAMES }), NAMES), ["weights/b"]);
  assert.deepEqual(seenTensors(initialState(), NAMES), []);
});

test("at most twelve tensors are seen, and the chosen one is among them", () => {
  const names = Array.from({ length: 40 }, (_, k) => `w${k}`);
  const seen = seenTensors({ tensor: "w39", kept: new Set(names) }, names);
  assert.equal(seen.length, 12);
  assert.ok(seen.includes("w39"));
});

test("another run keeps only tensors that it has", () => {
  const run = { timeline: [1, 2], tensorNames: () => ["weights/a"], scalarNames: () => ["loss"] };
  const state = stateFor({ ...initialState(), kept: new Set(NAMES) }, run);
  assert.deepEqual([[...state.kept], state.tensor, state.at], [["weights/a"], "weights/a", 1]);
});

test("the series below a branch are found", () => {
  const [weights] = buildTree(["weights/fc1.weight", "weights/fc1.bias", "weights/fc2.weight", "loss"]);
  assert.deepEqual(seriesBelow(weights), ["weights/fc1.weight", "weights/fc1.bias", "weights/fc2.weight"]);
});

test("several arrays are one table with a row an element", () => {
  const one = (shape, values) => ({ tensor: { shape, values }, label: "value" });
  const rows = seriesRows([{ name: "a", tensors: [one([2], [1, 2])] }, { name: "b", tensors: [one([1, 2], [3, 4])] }]);
  assert.deepEqual(rows, [["series", "index", "value"], ["a", "0", 1], ["a", "1", 2], ["b", "0 0", 3], ["b", "0 1", 4]]);
});

test("a warning of several runs is given once, and says of which", () => {
  const run = (...damage) => ({ about: { leftOut: [], damage } });
  assert.equal(warningText([run("x")]), "x");
  assert.equal(warningText([run("x"), run("x"), run("y")]), "A, B: x C: y");
  assert.equal(warningText([run(), run("x")]), "B: x");
  assert.equal(warningText([]), "");
});
