// Arrays as the page holds them: base64 of float32 or float64, decoded when they are first looked at.
import { statisticsOf } from "../../../pages/parts/numbers.js";

const KINDS = { f4: Float32Array, f8: Float64Array };

export function arrayOf(data) {
  let values = null, statistics = null;
  return {
    shape: data.shape,
    wholeShape: data.whole ?? data.shape,
    strides: data.strides ?? data.shape.map(() => 1),
    thinned: data.thinned ?? "",
    get values() {
      values ??= decoded(data.data, KINDS[data.kind]);
      return values;
    },
    // Those of all elements, also of an array of which the page has only some.
    get statistics() {
      statistics ??= data.statistics ? { low: NaN, high: NaN, mean: NaN, std: NaN, ...data.statistics } : withZeros(this.values);
      return statistics;
    },
  };
}

function withZeros(values) {
  let zeros = 0;
  for (const value of values) if (value === 0) zeros += 1;
  return { ...statisticsOf(values), zeros };
}

function decoded(text, Kind) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k += 1) bytes[k] = letters.charCodeAt(k);
  return new Kind(bytes.buffer);
}

// The counts of finite values in bins between their extremes; null if these are equal or infinitely far apart.
export function histogramOf(values, low, high, bins = 40) {
  if (!(high > low) || !Number.isFinite(high - low)) return null;
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    if (Number.isFinite(value)) counts[Math.max(0, Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins)))] += 1;
  }
  return counts;
}
