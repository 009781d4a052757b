// The tree of series, its search, and the walk over tensors and exemplars.
import assert from "node:assert/strict";
import test from "node:test";

import { branches, buildTree, groupOf, inNextGroup, labelsOf, leaves, nextName, searched, visibleRows } from "../../dark/monitor/viewer/page/tree.js";

const NAMES = ["weights/fc1.weight", "weights/fc1.bias", "weights/fc2.weight", "loss", "loss/train", "samples/worst 0/fc1", "samples/worst 0/fc2", "samples/worst 1/fc2"];

test("names are split at slashes and dots", () => {
  assert.deepEqual(labelsOf("weights/fc1.weight"), ["weights/", "fc1.", "weight"]);
});

test("the tree holds every series once, in order", () => {
  const tree = buildTree(NAMES);
  assert.deepEqual([...leaves(tree)].sort(), [...NAMES].sort());
  assert.deepEqual(tree.map((node) => node.label), ["weights", "loss", "samples"]);
});

test("a branch with one child is one row with it", () => {
  assert.deepEqual(buildTree(["a/b.c", "a/b.d/e"]).map((node) => node.label), ["a/b"]);
  assert.deepEqual(buildTree(["a/b.c"]).map((node) => [node.label, node.name]), [["a/b.c", "a/b.c"]]);
});

test("a series may have series below it", () => {
  const loss = buildTree(NAMES).find((node) => node.label === "loss");
  assert.equal(loss.name, "loss");
  assert.deepEqual(loss.children.map((node) => node.name), ["loss/train"]);
});

test("closed branches hide what is below them", () => {
  const tree = buildTree(NAMES);
  assert.equal(visibleRows(tree, () => false).length, 3);
  assert.equal(visibleRows(tree, () => true).length, leaves(tree).length + branches(tree).length - 1);
});

test("the search wants every word, and reads slash and dot alike", () => {
  assert.deepEqual(searched(NAMES, "FC1 weight"), ["weights/fc1.weight", "weights/fc1.bias"]);
  assert.deepEqual(searched(NAMES, "fc1/weight"), ["weights/fc1.weight"]);
  assert.deepEqual(searched(NAMES, "worst*2"), ["samples/worst 0/fc2", "samples/worst 1/fc2"]);
  assert.deepEqual(searched(NAMES, "("), []);
  assert.deepEqual(searched(NAMES, " "), NAMES);
});

test("after the last tensor comes the first, and before the first the last", () => {
  assert.equal(nextName(["a", "b", "c"], "c", 1), "a");
  assert.equal(nextName(["a", "b", "c"], "a", -1), "c");
  assert.equal(nextName(["a", "b"], "gone", 1), "a");
});

test("the next exemplar shows the same layer, or its first where that is missing", () => {
  assert.equal(groupOf("samples/worst 0/fc1"), "samples/worst 0");
  assert.equal(inNextGroup(NAMES, "samples/worst 0/fc2", 1), "samples/worst 1/fc2");
  assert.equal(inNextGroup(NAMES, "samples/worst 0/fc1", 1), "samples/worst 1/fc2");
  assert.equal(inNextGroup(NAMES, "samples/worst 1/fc2", 1), "weights/fc1.weight");
  assert.equal(inNextGroup(NAMES, "weights/fc1.bias", -1), "samples/worst 1/fc2");
});
