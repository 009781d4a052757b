// Findings of the doctor: numbered over runs, and marked on charts at their steps.
import assert from "node:assert/strict";
import test from "node:test";

import { flagsOf, numbered } from "../../dark/monitor/viewer/page/findings.js";
import { Run } from "../../dark/monitor/viewer/page/sources/runs.js";

const finding = (series, ...steps) => ({ kind: "x", steps, evidence: steps.map((step) => ({ series, step })) });
const line = (name, which = 0) => ({ name, which, drawn: { steps: Float64Array.of(0, 10, 20), values: Float64Array.of(1, 2, 3) } });
const xOf = (one, step) => step;

test("findings are counted over all runs; a run without a diagnosis has none", () => {
  const found = numbered([{ findings: [finding("a", 1)] }, { error: "no" }, { findings: [finding("b", 2), finding("c", 3)] }]);
  assert.deepEqual(found.map(({ number, which }) => [number, which]), [[1, 0], [2, 2], [3, 2]]);
});

test("a finding is marked at the steps of its evidence, on the series and the run it is about", () => {
  const found = numbered([{ findings: [finding("loss", 10, 20)] }, { findings: [finding("loss", 0)] }]);
  assert.deepEqual(flagsOf(found, null, [line("loss", 0), line("other", 0)], xOf), [{ number: 1, x: 10, value: 2 }, { number: 1, x: 20, value: 3 }]);
  assert.deepEqual(flagsOf(found, null, [line("loss", 1)], xOf).map(({ number }) => number), [2]);
  assert.deepEqual(flagsOf(found, null, [line("other", 0)], xOf), []);
});

test("the open finding is marked on every chart of its run; evidence of a whole series nowhere", () => {
  const found = numbered([{ findings: [finding("loss", 10), { kind: "y", steps: [], evidence: [{ series: "w", step: null }] }] }]);
  assert.deepEqual(flagsOf(found, 0, [line("other")], xOf), [{ number: 1, x: 10, value: null }]);
  assert.deepEqual(flagsOf(found, 1, [line("w")], xOf), []);
  assert.deepEqual(flagsOf(found, 0, [], xOf), []);
});

test("a run is diagnosed again only when it has grown", async () => {
  let asked = 0;
  const run = new Run(async () => { asked += 1; return { header: { findings: [] }, arrays: [] }; }, "a");
  for (const version of ["1", "1", "2", "2"]) {
    run.about = { version };
    await run.findings();
  }
  assert.equal(asked, 2);
});
