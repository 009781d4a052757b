// Arrays of the page: decoded, their statistics, histograms, thumbnails, and as CSV.
import assert from "node:assert/strict";
import test from "node:test";

import { csvOf } from "../../dark/draw/explore/page/panels/array_view.js";
import { arrayOf, histogramOf } from "../../dark/draw/explore/page/arrays.js";
import { cellSign, cellValue, levelsOf } from "../../dark/draw/explore/page/painting/thumbnails.js";
import { colorAroundZero, NAN_COLOR, zeroScale } from "../../dark/pages/parts/colors.js";
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
  const scale = zeroScale(-2, 1), positive = zeroScale(0, 4), zeros = zeroScale(0, 0);
  for (const level of [0, 1, 33, 100, 125, 175, 200]) assert.deepEqual(colorAroundZero(cellValue(level)), scale.colorOf(2 * cellValue(level)));
  assert.deepEqual([colorAroundZero(cellValue(253)), colorAroundZero(cellValue(254))], [scale.colorOf(-2), scale.colorOf(2)]);
  assert.equal(colorAroundZero(cellValue(255)), NAN_COLOR);
  assert.deepEqual([scale.colorOf(0), positive.colorOf(0), zeros.colorOf(0)], [[255, 255, 255], [255, 255, 255], [255, 255, 255]]);
  assert.deepEqual([scale.colorOf(2), scale.colorOf(-2)], [[8, 48, 107], [127, 39, 4]]);
  assert.deepEqual([0, 0.5, 1].map(scale.valueAt), [-2, 0, 2]);
  assert.deepEqual([0, 0.5, 1].map(positive.valueAt), [0, 2, 4]);
});

test("cells below zero have a minus, also without color", () => {
  assert.deepEqual([0, 99, 100, 200, 253, 254, 255].map((level) => cellSign(cellValue(level))), ["–", "–", "", "", "–∞", "∞", "×"]);
});
