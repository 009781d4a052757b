// Heat maps as pixels, as SVG and in words: signs, NaN and infinite values show without color.
import assert from "node:assert/strict";
import test from "node:test";

import { statisticsOf } from "../../dark/pages/parts/numbers.js";
import { rasterOf } from "../../dark/pages/parts/raster.js";
import { cellsAltText, cellsScene, isTooSmallForNumbers } from "../../dark/pages/parts/scene.js";
import { MOST_RECTANGLES, sceneSvg, svgDocument } from "../../dark/pages/parts/svg.js";

const LOOK = { absolute: false, values: false, unify: false, log: false, plain: false, aspect: null, histogram: false, firstAxes: false };
const THEME = { paper: "#fff", ink: "#000", soft: "#555", line: "#999", grid: "#eee", accent: "#c00" };
const size = { width: 600, height: 400 };

function scene(shape, values, look = {}) {
  const statistics = statisticsOf(values);
  const tensor = { shape, values: Float64Array.from(values), statistics, step: 20 };
  return cellsScene({ title: "w", tensor, range: statistics, size, look: { ...LOOK, ...look } });
}

// The number of different colors of one cell.
function shades(one, row, column) {
  const { width, pixels } = rasterOf(one.values, one.layout, one.placed, one.scale, 1);
  const { cellWidth, cellHeight } = one.placed;
  const found = new Set();
  for (let y = Math.ceil(row * cellHeight) + 1; y < (row + 1) * cellHeight - 1; y += 1) {
    for (let x = Math.ceil(column * cellWidth) + 1; x < (column + 1) * cellWidth - 1; x += 1) found.add(pixels.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join());
  }
  return found.size;
}

test("negative cells are hatched, positive ones are not, NaN and infinity are marked", () => {
  const one = scene([2, 2], [-1, 1, NaN, Infinity]);
  assert.deepEqual([shades(one, 0, 0), shades(one, 0, 1), shades(one, 1, 0), shades(one, 1, 1)], [2, 1, 2, 2]);
});

test("arrays of every dimension become pixels, without elements too", () => {
  for (const shape of [[], [3], [2, 3], [5, 2, 3], [3, 3, 2, 4], [2, 2, 2, 3, 3], [0, 3]]) {
    const values = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => k - 3);
    const one = scene(shape, values);
    const { pixels } = rasterOf(one.values, one.layout, one.placed, one.scale, 2);
    assert.ok(pixels.length > 0);
    assert.ok(sceneSvg(one, THEME, () => "data:").length > 0);
  }
});

test("numbers stand in the cells where they fit, in black or white by the brightness", () => {
  const one = scene([2, 3], [-1, -0.5, 0, 0.25, 0.5, 1], { values: true });
  const numbers = one.texts.filter(({ role }) => role.endsWith("number"));
  assert.deepEqual(numbers.map(({ text }) => text), ["−1", "−0.5", "0", "0.25", "0.5", "1"]);
  assert.deepEqual([numbers[0].role, numbers[2].role, numbers[5].role], ["light number", "dark number", "light number"]);
  assert.ok(isTooSmallForNumbers(scene([60, 60], Array(3600).fill(1), { values: true })));
});

test("the look for export is transposed and has no title", () => {
  const plain = scene([2, 3], [1, 2, 3, 4, 5, 6], { plain: true });
  assert.deepEqual([plain.layout.rows, plain.layout.columns], [3, 2]);
  assert.ok(!plain.texts.some(({ role }) => role === "title"));
});

test("the SVG has a rectangle for each cell, a cross over NaN, and escaped texts", () => {
  const one = scene([2, 2], [-1, 1, NaN, 0.5]);
  const svg = svgDocument(600, 400, "a<b & \"c\"", sceneSvg(one, THEME, () => { throw new Error("not needed"); }), "#fff");
  assert.equal(svg.match(/<rect[^>]*fill="rgb/g).length, 4 + 64);
  assert.equal(svg.match(/<path/g).length, 2); // one stroke, one cross
  assert.ok(svg.includes("a&lt;b &amp; &quot;c&quot;"));
});

test("a constant has one number beside its color", () => {
  assert.deepEqual(scene([2, 2], [3, 3, 3, 3]).texts.filter(({ role }) => role === "tick").map(({ text }) => text), ["3"]);
});

test("very many cells become one picture in the SVG", () => {
  const side = Math.ceil(Math.sqrt(MOST_RECTANGLES)) + 1;
  const one = scene([side, side], new Array(side * side).fill(0.5));
  assert.ok(sceneSvg(one, THEME, () => "data:image/png;base64,AA").includes("<image"));
});

test("the alternative text says what is seen", () => {
  const one = scene([2, 2], [-1, 1, NaN, 0.5]);
  const text = cellsAltText("weights/fc1 at step 20", { shape: [2, 2], statistics: statisticsOf(one.values) }, one.scale);
  for (const words of ["weights/fc1", "2 × 2", "step 20", "min −1", "1 NaN", "hatched below zero", "crossed out"]) assert.ok(text.includes(words), words);
});
