// Color maps: told apart by the color-blind and in gray, symmetric about zero, NaN apart.
import assert from "node:assert/strict";
import test from "node:test";

import { ABSOLUTE_COLORS, colorScale, lightness, lineStyle, MISSING_COLOR, SIGNED_COLORS } from "../../dark/pages/parts/colors.js";

test("the lightness of the absolute map only grows, so that it reads in gray", () => {
  const light = ABSOLUTE_COLORS.map(lightness);
  light.slice(1).forEach((x, k) => assert.ok(x > light[k] - 1e-9));
  assert.ok(light.at(-1) - light[0] > 0.6);
});

test("the signed map is lightest in the middle, blue below and red above", () => {
  const light = SIGNED_COLORS.map(lightness);
  assert.equal(Math.round(light.indexOf(Math.max(...light)) / 10), 13);
  assert.ok(SIGNED_COLORS[40][2] > SIGNED_COLORS[40][0] && SIGNED_COLORS[215][0] > SIGNED_COLORS[215][2]);
});

test("a signed scale is symmetric about zero", () => {
  const scale = colorScale(-1, 4);
  assert.ok(scale.isSigned);
  assert.equal(scale.unit(0), 0.5);
  assert.equal(scale.unit(4), 1);
  assert.equal(scale.unit(-4), 0);
  assert.equal(scale.valueAt(1), 4);
});

test("values without a negative one go from low to high", () => {
  const scale = colorScale(2, 4);
  assert.equal(scale.isSigned, false);
  assert.deepEqual([2, 3, 4].map(scale.unit), [0, 0.5, 1]);
});

test("a logarithmic scale spreads small values and can be read back", () => {
  const plain = colorScale(-1, 1), log = colorScale(-1, 1, { log: true });
  assert.ok(log.unit(0.01) > plain.unit(0.01) + 0.1);
  assert.equal(log.unit(0), 0.5);
  assert.ok(Math.abs(log.valueAt(log.unit(0.02)) - 0.02) < 1e-9);
});

test("NaN has a color of its own, infinite values those of the ends", () => {
  const scale = colorScale(-1, 1);
  assert.deepEqual(scale.colorOf(NaN), MISSING_COLOR);
  assert.deepEqual(scale.colorOf(Infinity), SIGNED_COLORS.at(-1));
  assert.deepEqual(scale.colorOf(-Infinity), SIGNED_COLORS[0]);
});

test("a constant and a tensor without finite values have a scale", () => {
  assert.equal(colorScale(3, 3).unit(3), 0.5);
  assert.equal(colorScale(3, 3).valueAt(0), 3);
  assert.equal(colorScale(NaN, NaN).valueAt(1), 1);
});

test("thirty-five lines differ in color or in dashes", () => {
  const styles = Array.from({ length: 35 }, (_, k) => JSON.stringify(lineStyle(k, false)));
  assert.equal(new Set(styles).size, 35);
});
