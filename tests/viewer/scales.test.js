// The scales of the axes: a true logarithm where all values are positive, the symmetric one only elsewhere.
import assert from "node:assert/strict";
import test from "node:test";

import { evenTicks, logTicks, rangeWithRoom, scaleOf, symmetricTicks, tensorScale, ticksOf } from "../../dark/monitor/viewer/page/charts/scales.js";

// Steps between neighbors, as they are drawn.
const slopes = (values, { forward }) => values.slice(1).map((value, k) => forward(value) - forward(values[k]));
const spread = (numbers) => Math.max(...numbers) - Math.min(...numbers);

test("an exponential is a straight line, over six decades and more", () => {
  for (const decades of [1, 6, 12, 30]) {
    const values = Array.from({ length: 138 }, (_, k) => 10 ** ((-decades * k) / 137));
    const scale = scaleOf([values], true);
    assert.equal(scale.name, "logarithm");
    assert.ok(spread(slopes(values, scale)) < 1e-9, `${decades} decades`);
  }
});

test("a small loss beside an exploding one is drawn at its logarithm", () => {
  const scale = scaleOf([[2.3, 0.06, 0.006], [2.3, 1e3, 1.8e6]], true);
  const [low, high] = rangeWithRoom(0.006, 1.8e6, scale);
  const place = (x) => (scale.forward(x) - scale.forward(low)) / (scale.forward(high) - scale.forward(low));
  assert.ok(place(0.06) - place(0.006) > 0.1);
});

test("a value that is not positive asks for the symmetric logarithm, which bends only what is smaller than all others", () => {
  for (const special of [0, -1e-7, -3]) {
    const values = Array.from({ length: 60 }, (_, k) => 10 ** (-k / 10));
    const scale = scaleOf([[special], values], true);
    assert.equal(scale.name, "symmetric logarithm");
    assert.ok(spread(slopes(values.slice(0, 40), scale)) < 1e-3);
    assert.ok(Math.abs(scale.backward(scale.forward(special)) - special) < 1e-9);
  }
  assert.equal(scaleOf([[NaN, 1, Infinity]], true).name, "logarithm");
  assert.equal(scaleOf([[0, 0]], true).name, "linear");
  assert.equal(scaleOf([[1, 2]], false).name, "linear");
  assert.equal(tensorScale(-1, 100, true).threshold, 0.1);
});

test("the range leaves room on every scale, around a constant, too", () => {
  const linear = scaleOf([], false), log = scaleOf([[1, 100]], true);
  assert.deepEqual(rangeWithRoom(0, 20, linear), [-1, 21]);
  assert.deepEqual(rangeWithRoom(2, 2, linear), [1, 3]);
  assert.deepEqual(rangeWithRoom(0, 0, linear), [-1, 1]);
  assert.deepEqual(rangeWithRoom(4, 4, log), [2, 8]);
  assert.deepEqual(rangeWithRoom(null, null, linear), [0, 1]);
  assert.ok(rangeWithRoom(null, null, log)[0] > 0);
  const [low, high] = rangeWithRoom(1, 100, log);
  assert.ok(low > 0 && low < 1 && high > 100 && high < 130);
});

test("ticks of the logarithm are powers of ten, finer ones where these are few", () => {
  assert.deepEqual(logTicks(0.5, 2000), [1, 10, 100, 1000]);
  assert.deepEqual(logTicks(0.09, 1.1), [0.1, 0.2, 0.5, 1]);
  assert.deepEqual(logTicks(0.91, 0.99), evenTicks(0.91, 0.99));
  const many = logTicks(1e-30, 1);
  assert.ok(many.length <= 8 && many.every((tick) => Number.isInteger(Math.round(Math.log10(tick)))));
  assert.deepEqual(evenTicks(0, 10), [0, 2, 4, 6, 8, 10]);
});

test("ticks of the symmetric logarithm have zero and both signs, and are few", () => {
  const scale = scaleOf([[-100, -0.1, 0.1, 100]], true);
  const ticks = symmetricTicks(-100, 100, scale);
  assert.ok(ticks.includes(0) && ticks.includes(100) === ticks.includes(-100) && ticks.length <= 9);
  assert.deepEqual(ticks, [...ticks].sort((a, b) => a - b));
  assert.equal(ticksOf(scaleOf([], false), 0, 1), null);
});
