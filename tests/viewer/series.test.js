// Scalars in small charts: by the first part of their names, told apart by color, marker and letter.
import assert from "node:assert/strict";
import test from "node:test";

import { legendPlaces } from "../../dark/monitor/viewer/page/charts/legend.js";
import { isFilled, markedPoints, markerPath } from "../../dark/monitor/viewer/page/charts/markers.js";
import { chartOf, chartsOf, distinguished, legendOf, LETTERS, shortName } from "../../dark/monitor/viewer/page/series.js";

const lines = (names, runs) => names.flatMap((name) => Array.from({ length: runs }, (_, which) => ({ name, which })));

test("a chart has the scalars with the same first part, whatever the set of data", () => {
  assert.equal(chartOf("gradient_norm/fc1.weight"), "gradient_norm");
  for (const name of ["loss", "loss/train", "train/loss", "val_loss", "loss_validation", "test-loss"]) assert.equal(chartOf(name), "loss", name);
  for (const name of ["train", "val", "training_time", "/"]) assert.ok(chartOf(name) !== undefined);
  assert.equal(chartOf("validation"), "validation");
  assert.equal(shortName("accuracy/train", "accuracy"), "train");
  assert.equal(shortName("val_loss", "loss"), "val_loss");
});

test("charts follow the order of their first series", () => {
  const charts = chartsOf(lines(["loss", "accuracy/train", "val_loss"], 1));
  assert.deepEqual(charts.map(({ title, lines: own }) => [title, own.length]), [["loss", 2], ["accuracy", 1]]);
});

test("of one run, each line of a chart has a color and a marker", () => {
  const found = distinguished({ lines: lines(["a/x", "a/y"], 1) }, 1);
  assert.deepEqual(found.map(({ color, marker, letter }) => [color, marker, letter]), [[0, 0, ""], [1, 1, ""]]);
  assert.equal(distinguished({ lines: lines(["a"], 1) }, 1)[0].marker, null);
});

test("of six runs, the color is the run, and nothing looks the same without color", () => {
  const single = distinguished({ lines: lines(["loss"], 6) }, 6);
  assert.deepEqual(single.map(({ color }) => color), [0, 1, 2, 3, 4, 5]);
  assert.equal(new Set(single.map(({ marker }) => markerPath(marker) + isFilled(marker))).size, 6);
  assert.deepEqual(single.map(({ letter, hasLetter }) => hasLetter && letter), [..."ABCDEF"]);
  const double = distinguished({ lines: lines(["loss", "val_loss"], 6) }, 6);
  assert.equal(new Set(double.map(({ color, marker }) => `${color} ${marker}`)).size, 12);
  assert.equal(double.filter(({ hasLetter }) => hasLetter).length, 6);
  assert.equal(LETTERS.length, 12);
});

test("the legend names series of one run, and runs and series of several", () => {
  const text = (names, runs) => legendOf(distinguished({ lines: lines(names, runs) }, runs), "loss").map(([, word]) => word);
  assert.deepEqual(text(["loss"], 1), []);
  assert.deepEqual(text(["loss/train", "val_loss"], 1), ["train", "val_loss"]);
  assert.deepEqual(text(["loss"], 3), ["A", "B", "C"]);
  assert.deepEqual(text(["loss/train", "val_loss"], 2), ["A", "B", "train", "val_loss"]);
  const many = text(Array.from({ length: 40 }, (_, k) => `loss/${k}`), 1);
  assert.deepEqual([many.length, many.at(-1)], [12, "and 29 more"]);
});

test("markers stand apart, are shifted from line to line, and never on what is missing", () => {
  const places = Array.from({ length: 500 }, (_, k) => k);
  const values = places.map((k) => (k % 7 === 0 ? NaN : k));
  const [first, second] = [0, 1].map((k) => markedPoints(places, values, k, 2, 90));
  assert.ok(first.slice(1).every((at, k) => at - first[k] >= 90) && first.length >= 5);
  assert.ok(first.every((at) => Number.isFinite(values[at]) && !second.includes(at)));
  assert.deepEqual(markedPoints([1, 2], [NaN, NaN], 0, 1), []);
});

test("the legend of a saved chart stands behind the title, without overlap and within the width", () => {
  const widthOf = (text) => 7 * text.length;
  const entries = [[{ stroke: "red", marker: 0 }, "train"], [{ stroke: "blue", marker: 1 }, "validation"], [null, "and 3 more"]];
  const places = legendPlaces(entries, "loss", 400, widthOf);
  assert.deepEqual(places.map(({ text }) => text), ["train", "validation", "and 3 more"]);
  assert.ok(places[0].x > 8 + widthOf("loss"));
  places.slice(1).forEach(({ x }, k) => assert.ok(x >= places[k].textX + widthOf(places[k].text)));
  assert.deepEqual(legendPlaces(entries, "loss", 150, widthOf).map(({ text }) => text), ["train"]);
  assert.deepEqual(legendPlaces([], "loss", 400, widthOf), []);
});
