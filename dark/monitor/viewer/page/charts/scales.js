// The scale of an axis: linear, a true logarithm where all values are positive, else the symmetric logarithm.
import { inverseSymlog, linearBelow, symlog } from "../../../../pages/parts/numbers.js";

const MOST_DECADES = 14; // below the largest magnitude; smaller values are drawn as nearly zero
const LINEAR = { name: "linear", short: "", distr: 1, forward: (x) => x, backward: (y) => y, threshold: null };
const LOGARITHM = { name: "logarithm", short: " (log)", distr: 3, forward: Math.log10, backward: (y) => 10 ** y, threshold: null };

export function symmetricScale(threshold) {
  return { name: "symmetric logarithm", short: " (symlog)", distr: 4, forward: (x) => symlog(x, threshold), backward: (y) => inverseSymlog(y, threshold), threshold };
}

// Return the scale of an axis that shows these arrays; it is symmetric only where a value is not positive. What is
// larger than the smallest magnitude is then drawn logarithmically.
export function scaleOf(arrays, isLog) {
  if (!isLog) return LINEAR;
  let least = Infinity, largest = 0, isPositive = true;
  for (const values of arrays) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value <= 0) isPositive = false;
      const size = Math.abs(value);
      if (size > 0 && size < least) least = size;
      if (size > largest) largest = size;
    }
  }
  if (largest === 0) return LINEAR;
  if (isPositive) return LOGARITHM;
  return symmetricScale(10 ** Math.floor(Math.log10(Math.max(least, largest / 10 ** MOST_DECADES))));
}

// The symmetric logarithm of a tensor's values, which has three to four decades.
export function tensorScale(low, high, isLog) {
  return isLog ? symmetricScale(linearBelow(low, high)) : LINEAR;
}

// A twentieth of the range stays free above and below; a constant is drawn in the middle.
export function rangeWithRoom(low, high, { name, forward, backward }) {
  if (low === null || low === undefined) return name === "logarithm" ? [0.1, 1] : [0, 1];
  if (low === high) {
    if (name === "logarithm") return [low / 2, low * 2];
    return low === 0 ? [-1, 1] : [low - Math.abs(low) / 2, low + Math.abs(low) / 2];
  }
  const room = (forward(high) - forward(low)) / 20;
  return [backward(forward(low) - room), backward(forward(high) + room)];
}

// Powers of ten between two positive ends, at most `most`; where they are few, also 2 and 5 times them, or even steps.
export function logTicks(low, high, most = 7) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const decades = Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
  if (decades.length >= 3) {
    const every = Math.ceil(decades.length / most);
    return decades.filter((decade) => decade % every === 0).map(powerOfTen);
  }
  const finer = [first - 1, ...decades].flatMap((decade) => [1, 2, 5].map((digit) => Number(`${digit}e${decade}`)));
  const inside = finer.filter((tick) => tick >= low * 0.999999 && tick <= high * 1.000001);
  return inside.length >= 3 ? inside : evenTicks(low, high);
}

function powerOfTen(decade) {
  return Number(`1e${decade}`);
}

// About five round values between two ends.
export function evenTicks(low, high) {
  const raw = (high - low) / 5, size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((digit) => digit * size).find((one) => one >= raw * 0.999999);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

// Zero and the powers of ten of the symmetric logarithm, at most about seven; where these are too few, even places.
export function symmetricTicks(low, high, { threshold, forward, backward }, most = 7) {
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high), threshold * 10) / threshold)));
  const every = Math.ceil((decades * (low < 0 && high > 0 ? 2 : 1)) / most);
  const ticks = [0];
  for (let k = every; k <= decades; k += every) ticks.push(threshold * 10 ** k, -threshold * 10 ** k);
  const inside = ticks.map((tick) => Number(tick.toPrecision(6))).filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
  if (inside.length > 2) return inside;
  const finer = Array.from({ length: decades + 2 }, (_, k) => k - 1).flatMap((k) => [1, 2, 5].flatMap((digit) => [digit, -digit]).map((digit) => Number((digit * threshold * 10 ** k).toPrecision(6))));
  const found = [0, ...finer].filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
  if (found.length > 2 && found.length <= most) return found;
  const from = forward(low), to = forward(high);
  return [0, 1, 2, 3, 4].map((k) => Number(backward(from + ((to - from) * k) / 4).toPrecision(2)));
}

// The ticks of a scale; null leaves them to the plotting library.
export function ticksOf(scale, low, high) {
  if (scale.name === "logarithm") return logTicks(low, high);
  return scale.threshold ? symmetricTicks(low, high, scale) : null;
}
