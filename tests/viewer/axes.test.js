// Axes of runs, alignment, smoothing, values at the pointer.
import assert from "node:assert/strict";
import test from "node:test";

import { axesOf, drawnLine, nextAxis, positionsOf, positionText } from "../../dark/monitor/viewer/page/axes.js";
import { smoothed } from "../../dark/monitor/viewer/page/charts/smoothing.js";
import { valuesAt } from "../../dark/monitor/viewer/page/charts/tooltip.js";
import { Run } from "../../dark/monitor/viewer/page/sources/runs.js";
import { acted, initialState, SMOOTHINGS } from "../../dark/monitor/viewer/page/state.js";
import { placeOfWeight, weightAt } from "../../dark/monitor/viewer/page/panels/scalars_bar.js";

const floats = (...values) => Float64Array.from(values);

function runWith(steps, moments) {
  const run = new Run(null, "a");
  run.timeline = floats(...steps);
  run.moments = Object.fromEntries(Object.entries(moments).map(([name, values]) => [name, floats(...values)]));
  return run;
}

const timed = runWith([10, 20, 30], { elapsed: [0, 1.5, 4], wall: [100, 101.5, 104], epoch: [1, 2, 3] });
const old = runWith([10, 20], { elapsed: [NaN, NaN] }); // a note without times

test("an axis is offered if a run has it", () => {
  assert.deepEqual(axesOf([timed]).map(({ name }) => name), ["step", "epoch", "elapsed", "wall"]);
  assert.deepEqual(axesOf([old]).map(({ name }) => name), ["step"]);
  assert.equal(nextAxis([timed], "step"), "epoch");
  assert.equal(nextAxis([timed], "wall"), "step");
  assert.equal(nextAxis([old], "step"), "step");
});

test("steps are drawn at their time or epoch, aligned runs begin at 0", () => {
  assert.deepEqual([...positionsOf(timed, [10, 25, 30], "elapsed", false)], [0, 1.5, 4]);
  assert.deepEqual([...positionsOf(timed, [10, 30], "epoch", true)], [0, 2]);
  assert.deepEqual([...positionsOf(timed, [10, 30], "step", true)], [0, 20]);
  assert.ok(Number.isNaN(positionsOf(old, [10], "wall", false)[0]));
  assert.deepEqual([timed.stepAt(1.4, "elapsed"), timed.stepAt(99, "elapsed"), timed.stepAt(7, "step")], [20, 30, 7]);
});

test("an aligned run finds its tensors at the step of the cursor after its first", async () => {
  const run = new Run(async (request) => ({ header: { step: [10, 20, 30][request.index ?? 0], from: 0, shape: [1] }, arrays: [request.ask === "steps" ? floats(10, 20, 30) : floats(1)] }), "a");
  Object.assign(run, { about: { tensors: [{ name: "w", count: 3 }] }, timeline: floats(10, 20, 30), offset: 10 });
  assert.equal((await run.tensorAt("w", 10)).step, 20);
  assert.deepEqual([...run.alignedTimeline()], [0, 10, 20]);
});

test("what has no place on the axis is left out, and a clock that was set back keeps the order of positions", () => {
  const line = { run: runWith([1, 2, 3], { wall: [5, NaN, 4] }), steps: floats(1, 2, 3), values: floats(10, 20, 30) };
  const drawn = drawnLine(line, { axis: "wall", isAligned: false, smoothing: 0 });
  assert.deepEqual([[...drawn.steps], [...drawn.values]], [[4, 5], [30, 10]]);
});

test("smoothing keeps constants and the first value, leaves out what is not finite, and 0 changes nothing", () => {
  const raw = [4, NaN, 2, Infinity, 8];
  assert.equal(smoothed(raw, 0), raw);
  assert.deepEqual([...smoothed([3, 3, 3], 0.9)].map((x) => Number(x.toFixed(12))), [3, 3, 3]);
  const found = smoothed(raw, 0.5);
  assert.deepEqual([found[0], Number.isNaN(found[1]), found[3]], [4, true, Infinity]);
  assert.ok(Math.abs(found[2] - (0.25 * 4 + 0.5 * 2) / 0.75) < 1e-12);
  assert.ok(Math.abs(found[4] - (0.125 * 4 + 0.25 * 2 + 0.5 * 8) / 0.875) < 1e-12);
});

test("the keys of smoothing go through its weights and stay at their ends; the slider has each weight", () => {
  const after = (...actions) => actions.reduce((state, action) => acted(state, action, { count: 1, names: [] }), initialState()).plot.smoothing;
  assert.equal(after("smoother"), SMOOTHINGS[1]);
  assert.equal(after("smoother", "smoother", "rougher"), SMOOTHINGS[1]);
  assert.equal(after("rougher"), 0);
  assert.equal(after(...Array(20).fill("smoother")), SMOOTHINGS.at(-1));
  for (const weight of SMOOTHINGS) assert.ok(Math.abs(weightAt(placeOfWeight(weight)) - weight) < 1e-12);
});

test("the values at the pointer are those of the nearest positions, from high to low, the nearest line marked", () => {
  const lines = [{ label: "a", steps: floats(0, 10), values: floats(1, 2) }, { label: "b", steps: floats(0, 8), values: floats(5, 6), unsmoothed: floats(5, 7) }, { label: "c", steps: floats(9), values: floats(NaN) }, { label: "pale", isRaw: true, steps: floats(0), values: floats(9) }];
  const rows = valuesAt(lines, 9, (value) => 100 - value, 97);
  assert.deepEqual(rows.map(({ line, value, raw, isNearest }) => [line.label, value, raw, isNearest]), [["b", 6, 7, false], ["a", 2, null, true], ["c", NaN, null, false]]);
  assert.deepEqual(valuesAt([], 1, Number, 0), []);
});

test("a position is said with its unit", () => {
  assert.deepEqual([positionText("step", 40), positionText("epoch", 2.5), positionText("elapsed", 12.5), positionText("wall", NaN)], ["step 40", "epoch 2.5", "12.5 s", "–"]);
});
