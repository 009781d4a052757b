// Arrays of the page: decoded, their statistics, histograms, thumbnails, and as CSV.
import assert from "node:assert/strict";
import test from "node:test";

import { csvOf } from "../../dark/draw/explore/page/panels/array_view.js";
import { arrayOf, histogramOf } from "../../dark/draw/explore/page/arrays.js";
import { cellColor, levelsOf } from "../../dark/draw/explore/page/painting/thumbnails.js";
import { MISSING_COLOR, SIGNED_COLORS } from "../../dark/pages/parts/colors.js";
import { base64Of } from "./graphs.js";

test("an array is decoded when it is looked at", () => {
  const array = arrayOf({ shape: [2, 2], kind: "f4", data: base64Of([1, 0, -2, NaN]) });
  assert.deepEqual([...array.values], [1, 0, -2, NaN]);
  assert.deepEqual([array.statistics.low, array.statistics.high, array.statistics.zeros, array.statistics.nan], [-2, 1, 1, 1]);
  assert.deepEqual(array.wholeShape, [2, 2]);
});

test("small numbers need float64", () => {
  assert.equal(arrayOf({ shape: [1], kind: "f8", data: base64Of([1e-50], Float64Array) }).values[0], 1e-50);
});

test("a histogram counts all finite values, the extremes too", () => {
  assert.deepEqual(histogramOf([0, 1, 2, 3, 4, NaN, Infinity], 0, 4, 4), [1, 1, 1, 2]);
  assert.equal(histogramOf([1, 1], 1, 1), null);
});

test("the CSV of a thinned array has the indices of the whole one", () => {
  const array = arrayOf({ shape: [2, 1], whole: [4, 1], strides: [2, 1], kind: "f4", data: base64Of([1, 2]) });
  assert.equal(csvOf(array), "axis 0,axis 1,value\n0,0,1\n2,0,2\n");
});

test("the cells of thumbnails have the colors of the large heat maps", () => {
  assert.deepEqual([...levelsOf(Buffer.from([0, 100, 255]).toString("base64"))], [0, 100, 255]);
  assert.deepEqual(cellColor(200, true), SIGNED_COLORS[255]);
  assert.deepEqual(cellColor(0, true), SIGNED_COLORS[0]);
  assert.deepEqual(cellColor(253, true), SIGNED_COLORS[0]);
  assert.equal(cellColor(255, true), MISSING_COLOR);
});
