// What is drawn of a tensor: views, absolute values, ranges, differences, histograms, tables.
import assert from "node:assert/strict";
import test from "node:test";

import { csvText, histogramRows, scalarRows, tensorRows } from "../../dark/monitor/viewer/page/csv.js";
import { histogramCells } from "../../dark/monitor/viewer/page/charts/histogram.js";
import { differenceOf, prepared, rangeOf, rangesOf, viewOf, VIEWS } from "../../dark/monitor/viewer/page/charts/look.js";
import { statisticsOf } from "../../dark/pages/parts/numbers.js";
import { initialState } from "../../dark/monitor/viewer/page/state.js";

const { look } = initialState();
const tensor = (shape, values) => ({ shape, values: Float64Array.from(values), statistics: statisticsOf(values), step: 1 });

test("every shape and every look has a view", () => {
  assert.deepEqual([[], [4], [2, 3], [2, 3, 4], [2, 0]].map((shape) => viewOf(shape, look)), ["number", "line", "cells", "cells", "empty"]);
  assert.equal(viewOf([2, 3], { ...look, histogram: true }), "histogram");
  assert.equal(new Set(VIEWS.map((view) => view.name)).size, VIEWS.length);
});

test("absolute values have statistics of their own", () => {
  const found = prepared(tensor([3], [-2, 1, NaN]), { ...look, absolute: true });
  assert.deepEqual([found.statistics.low, found.statistics.high, found.values[0]], [1, 2, 2]);
});

test("the range is that of what is shown, or of all steps", () => {
  const shown = [prepared(tensor([2], [-1, 3]), look)];
  const summaries = [{ low: -10, high: 4 }];
  assert.deepEqual(rangeOf(shown, summaries, look), { low: -1, high: 3 });
  assert.deepEqual(rangeOf(shown, summaries, { ...look, unify: true }), { low: -10, high: 4 });
  assert.deepEqual(rangeOf(shown, summaries, { ...look, unify: true, absolute: true }), { low: 0, high: 10 });
  assert.deepEqual(rangeOf([prepared(tensor([1], [NaN]), look)], [], look), { low: 0, high: 1 });
});

test("runs share a color range, or each has its own", () => {
  const shown = [prepared(tensor([2], [-1, 3]), look), prepared(tensor([2], [-500, 300]), look)];
  const both = { low: -500, high: 300 };
  assert.deepEqual(rangesOf(shown, [], look), [both, both]);
  assert.deepEqual(rangesOf(shown, [], { ...look, separate: true }), [{ low: -1, high: 3 }, both]);
  const summaries = [{ low: -2, high: 4 }, { low: -900, high: 0 }];
  assert.deepEqual(rangesOf(shown, summaries, { ...look, separate: true, unify: true }), summaries);
});

test("a home that has no finite value sends null", () => {
  const found = prepared({ ...tensor([1], [NaN]), statistics: { low: null, high: null, mean: null, std: null, nan: 1, infinite: 0 } }, look);
  assert.ok(Number.isNaN(found.statistics.low));
});

test("the difference is first minus second, and none for other shapes", () => {
  const difference = differenceOf(tensor([2], [3, 5]), tensor([2], [1, 6]));
  assert.deepEqual([...difference.values], [2, -1]);
  assert.equal(difference.statistics.low, -1);
  assert.equal(differenceOf(tensor([2], [1, 2]), tensor([1, 2], [1, 2])), null);
});

test("histograms become cells of the chart, empty bins none", () => {
  const cells = histogramCells({ steps: Float64Array.of(0, 10), counts: Uint32Array.of(0, 4, 2, 2), edges: Float64Array.of(-1, 0, 1) });
  assert.deepEqual(cells.map(({ from, to, low, count }) => [from, to, low, count]), [[-5, 5, 0, 4], [5, 15, -1, 2], [5, 15, 0, 2]]);
});

test("tables can be read back", () => {
  assert.equal(csvText([["a,b", 'say "x"'], [1.5, NaN], [-Infinity, undefined]]), '"a,b","say ""x"""\r\n1.5,nan\r\n-inf,\r\n');
  assert.deepEqual(tensorRows([{ tensor: tensor([2, 2], [1, 2, 3, 4]), label: "A" }]), [[1, 2], [3, 4]]);
  assert.deepEqual(tensorRows([{ tensor: tensor([2], [1, 2]), label: "A" }, { tensor: tensor([2], [3, 4]), label: "B" }]), [["axis 0", "A", "B"], [0, 1, 3], [1, 2, 4]]);
  assert.deepEqual(tensorRows([{ tensor: tensor([], [7]), label: "value" }]), [["value"], [7]]);
  assert.deepEqual(scalarRows([{ label: "x", steps: [1, 2], values: [5, 6] }, { label: "y", steps: [2], values: [7] }]), [["step", "x", "y"], [1, 5, undefined], [2, 6, 7]]);
  assert.equal(histogramRows({ steps: [0], counts: [1, 2], edges: [0, 1, 2] }).length, 3);
});
