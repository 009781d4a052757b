// Numbers as text, statistics, and the symmetric logarithm.
import assert from "node:assert/strict";
import test from "node:test";

import { brokenLines, inverseSymlog, linearBelow, numberText, shapeText, statisticsOf, statisticsText, symlog, symlogTicks } from "../../dark/pages/parts/numbers.js";

test("a number keeps at least four significant digits", () => {
  const texts = [[0.00012, "0.00012"], [12345.6, "12346"], [0.0123456, "0.012346"], [-2.5, "−2.5"], [0, "0"], [1234567.8, "1.2346e6"], [1e-7, "1e−7"], [60000, "60000"], [-1234567, "−1234567"]];
  for (const [number, text] of texts) assert.equal(numberText(number), text);
});

test("what is not a finite number has a sign of its own", () => {
  assert.deepEqual([NaN, Infinity, -Infinity, undefined, null].map((x) => numberText(x)), ["NaN", "+∞", "−∞", "–", "–"]);
});

test("the shape of a number without axes is said in words", () => {
  assert.equal(shapeText([]), "a single number");
  assert.equal(shapeText([3, 1, 2]), "3 × 1 × 2");
});

test("statistics leave out what is not finite and count it", () => {
  const found = statisticsOf([1, 3, NaN, Infinity, -Infinity]);
  assert.deepEqual(found, { low: 1, high: 3, mean: 2, std: 1, nan: 1, infinite: 2 });
  assert.equal(statisticsText(found), "min 1 · max 3 · mean 2 · std 1 · 1 NaN · 2 infinite");
  assert.equal(statisticsText(statisticsOf([NaN, NaN])), "no finite value, 2 NaN");
});

test("the symmetric logarithm keeps the sign and the order, and can be undone", () => {
  const values = [-100, -1, -0.001, 0, 0.001, 1, 100];
  const drawn = values.map((x) => symlog(x, 0.01));
  assert.deepEqual([...drawn].sort((a, b) => a - b), drawn);
  values.forEach((x, k) => assert.ok(Math.abs(inverseSymlog(drawn[k], 0.01) - x) < 1e-9));
  assert.equal(drawn[3], 0);
});

test("the linear part ends at a power of ten", () => {
  assert.equal(linearBelow(-2, 30), 0.01);
  assert.equal(linearBelow(0, 0), 1);
});

test("ticks of the symmetric logarithm are zero and powers of ten", () => {
  assert.deepEqual(symlogTicks(-10, 1, 0.1), [-10, -1, 0, 1]);
  assert.deepEqual(symlogTicks(2, 3, 0.001).length, 5);
});

test("a long text is broken between its parts, and nothing of it is lost", () => {
  const text = "10 × 64 · min −0.5 · max 0.5 · mean −0.00012346 · std 0.11";
  assert.deepEqual(brokenLines(text, 1000), [text]);
  const lines = brokenLines(text, 150);
  assert.ok(lines.length > 2 && lines.every((line) => line.length <= 21 && !line.endsWith("·")));
  assert.equal(lines.join(" · "), text);
  assert.deepEqual(brokenLines("A: min 1  |  B: min 2", 90), ["A: min 1", "B: min 2"]);
  assert.deepEqual(brokenLines("", 90), [""]);
});

test("a constant array says so", () => {
  assert.equal(statisticsText(statisticsOf([0.5, 0.5, 0.5])), "all 0.5");
  assert.equal(statisticsText(statisticsOf([2, NaN, 2])), "all 2 · 1 NaN");
});
