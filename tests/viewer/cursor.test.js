// The cursor: moves over a hundred steps, ends, and series with steps of their own.
import assert from "node:assert/strict";
import test from "node:test";

import { indexAt, moved, nearestIndex, playPace, union } from "../../dark/monitor/viewer/page/cursor.js";
import { acted, firstScalars, initialState, stateFor } from "../../dark/monitor/viewer/page/state.js";

const world = { count: 100, names: ["a", "b", "c"] };
const after = (state, ...actions) => actions.reduce((now, action) => acted(now, action, world), { ...initialState(), tensor: "a", ...state });

test("l moves by five of a hundred steps, L to the last, and the ends hold", () => {
  assert.equal(after({}, "forward").at, 5);
  assert.equal(after({}, "lastStep").at, 99);
  assert.equal(after({ at: 97 }, "forward").at, 99);
  assert.equal(after({ at: 3 }, "back").at, 0);
  assert.equal(after({ at: 7 }, "nextStep").at, 8);
  assert.equal(after({}, "previousStep").at, 0);
  assert.equal(after({ at: 50 }, "firstStep").at, 0);
});

test("j on the last tensor goes to the first", () => {
  assert.equal(after({ tensor: "c" }, "nextTensor").tensor, "a");
  assert.equal(after({ tensor: "a" }, "previousTensor").tensor, "c");
});

test("a run of few steps still moves", () => {
  assert.equal(moved("forward", 0, 3), 1);
  assert.equal(acted(initialState(), "forward", { count: 0, names: [] }).at, 0);
});

test("every switch changes the look and changes it back", () => {
  for (const action of ["absolute", "values", "unify", "log", "plain", "histogram", "difference", "firstAxes", "separate"]) {
    const before = initialState().look[action];
    assert.equal(after({}, action).look[action], !before);
    assert.equal(after({}, action, action).look[action], before);
  }
});

test("the aspect follows the tensor until it is chosen", () => {
  assert.equal(initialState().look.aspect, null);
  assert.equal(acted(initialState(), "aspect", { ...world, isDeep: true }).look.aspect, false);
  assert.equal(acted(initialState(), "aspect", { ...world, isDeep: false }).look.aspect, true);
});

test("a series shows its last step at or before the cursor", () => {
  const steps = [10, 20, 40];
  assert.deepEqual([5, 10, 39, 40, 99].map((step) => indexAt(steps, step)), [-1, 0, 1, 2, 2]);
  assert.deepEqual([0, 14, 16, 31, 99].map((step) => nearestIndex(steps, step)), [0, 0, 1, 2, 2]);
});

test("the timeline of two runs has the steps of both", () => {
  assert.deepEqual([...union(Float64Array.of(1, 3), Float64Array.of(2, 3, 10))], [1, 2, 3, 10]);
});

test("a long run is played in about two hundred pictures", () => {
  assert.equal(playPace(100), 1);
  assert.equal(playPace(10000), 50);
});

test("at first all scalars are shown if they are few, else losses and accuracies", () => {
  const many = [...Array(20).keys()].map((k) => `dead/relu${k}`);
  assert.deepEqual(firstScalars(["x", "y"]), ["x", "y"]);
  assert.deepEqual(firstScalars([...many, "loss", "accuracy/train"]), ["loss", "accuracy/train"]);
  assert.equal(firstScalars(many).length, 6);
});

test("another run keeps of the selection what it has, too", () => {
  const run = { tensorNames: () => ["b"], scalarNames: () => ["loss", "x"], timeline: new Float64Array(7) };
  const state = stateFor({ ...initialState(), tensor: "a", shown: new Set(["loss", "gone"]), at: 500 }, run);
  assert.deepEqual([state.tensor, [...state.shown], state.at], ["b", ["loss"], 6]);
});
