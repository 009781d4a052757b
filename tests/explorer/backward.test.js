// The backward pass: its order, and which gradients have arrived after each step.
import assert from "node:assert/strict";
import test from "node:test";

import { BackwardPass, paceOf } from "../../dark/draw/explore/page/backward.js";
import { graphOf, node } from "./graphs.js";

// y = (x * w) + x, with the constant 3 added: x is used twice.
function example(more = {}) {
  const nodes = [
    node("", [], { name: "x", grad: 4 }), node("", [], { name: "w", grad: 2 }), node("*", [0, 1], { grad: 1 }),
    node("", [], { role: "constant" }), node("+", [2, 0], { grad: 1 }), node("+", [4, 3], { grad: 1, name: "y" }),
  ];
  return graphOf(nodes, undefined, more);
}

test("each node sends after all nodes that use it, the result first", () => {
  const pass = new BackwardPass(example());
  assert.deepEqual(pass.order, [5, 4, 2]);
  assert.equal(pass.count, 4);
  assert.deepEqual([0, 1, 2, 3].map((step) => pass.nowAt(step)), [5, 5, 4, 2]);
  assert.deepEqual(pass.receivers(5), [4]);
});

test("a gradient is partial until all contributions have arrived; a constant never has one", () => {
  const pass = new BackwardPass(example());
  assert.deepEqual([0, 1, 2, 3].map((step) => pass.stateOf(0, step)), ["none", "none", "partial", "complete"]);
  assert.deepEqual([0, 1, 2, 3].map((step) => pass.stateOf(1, step)), ["none", "none", "none", "complete"]);
  assert.equal(pass.stateOf(5, 0), "complete");
  assert.equal(pass.stateOf(3, 3), "");
  assert.deepEqual(pass.received(0, 2), { arrived: 1, of: 2 });
});

test("each step says what happens, in Python's words where it knows them", () => {
  const steps = [{ caption: "The pass starts.", grads: { 5: "1" } }, { caption: "y sends 1.", grads: { 4: "1" } }, { caption: "+ sends 1 and 1.", grads: { 0: "1", 2: "1" } }];
  const told = new BackwardPass(example({ steps })), alone = new BackwardPass(example());
  assert.equal(told.caption(1), "y sends 1.");
  assert.equal(told.textOf(0, 2), "1");
  assert.equal(told.textOf(0, 1), null);
  assert.equal(alone.caption(0), "The pass starts at + y.");
  assert.equal(alone.caption(2), "The gradient of + is complete. It sends a contribution to * and x (1 of 2).");
});

test("a node without a name is told with its module", () => {
  const graph = graphOf([node("", [], { grad: 1, name: "a" }), node("exp", [0], { grad: 1, path: "net.0" }), node("+", [1, 0], { grad: 1 })]);
  const pass = new BackwardPass(graph);
  assert.equal(pass.caption(1), "The gradient of + is complete. It sends a contribution to exp in net.0 and a (1 of 2).");
  assert.deepEqual([graph.labelOf(0), graph.labelOf(1)], ["a", "exp"]);
});

test("without gradients there is no pass; results without kept gradients take part", () => {
  const none = new BackwardPass(graphOf([node("", []), node("exp", [0])]));
  assert.equal(none.isThere, false);
  assert.equal(none.count, 0);
  const leaves = new BackwardPass(graphOf([node("", [], { grad: 1 }), node("exp", [0]), node("sum", [1])]));
  assert.deepEqual(leaves.order, [2, 1]);
});

test("a long pass is played in about two minutes of steps", () => {
  assert.equal(paceOf(10), 1);
  assert.equal(paceOf(12_000), 100);
});

test("the pass of a loss of PyTorch starts at the result, also before backward() was called", () => {
  const nodes = [node("", [], { name: "w" }), node("", [], { role: "constant" }), node("mul", [0, 1]), node("mean", [2])];
  assert.equal(new BackwardPass(graphOf(nodes)).isThere, false);
  const pass = new BackwardPass(graphOf(nodes, undefined, { isLoss: true }));
  assert.deepEqual(pass.order, [3, 2]);
  assert.deepEqual([0, 1, 2].map((step) => pass.stateOf(0, step)), ["none", "none", "complete"]);
  assert.equal(pass.stateOf(1, 2), "");
});
