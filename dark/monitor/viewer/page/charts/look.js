// What is drawn of a tensor: absolute values, the range of its colors, the difference of two runs, and the view.
import { statisticsOf } from "../../../../pages/parts/numbers.js";

// The views, in the order in which they are asked; the first that fits draws the tensor.
export const VIEWS = [
  { name: "empty", fits: (shape) => shape.includes(0) },
  { name: "histogram", fits: (shape, look) => look.histogram },
  { name: "number", fits: (shape) => shape.length === 0 },
  { name: "line", fits: (shape) => shape.length === 1 },
  { name: "cells", fits: () => true },
];

export function viewOf(shape, look) {
  return VIEWS.find((view) => view.fits(shape, look)).name;
}

// A tensor ready to be drawn. The statistics are those of the values that are shown.
export function prepared(tensor, look) {
  const values = look.absolute ? tensor.values.map(Math.abs) : tensor.values;
  const whole = tensor.statistics && !look.absolute ? fromHeader(tensor.statistics) : statisticsOf(values);
  return { ...tensor, values, statistics: whole };
}

// JSON has no NaN: the home sends null where no value is finite.
function fromHeader(statistics) {
  return Object.fromEntries(Object.entries(statistics).map(([key, value]) => [key, value ?? NaN]));
}

// First minus second; null where the shapes differ.
export function differenceOf(first, second) {
  const isSame = first.shape.length === second.shape.length && first.shape.every((size, axis) => size === second.shape[axis]);
  if (!isSame) return null;
  const values = Float64Array.from(first.values, (value, k) => value - second.values[k]);
  return { ...first, values, statistics: statisticsOf(values) };
}

// The extremes of each tensor's colors: its own if they are separate, else those of all.
export function rangesOf(tensors, summaries, look) {
  if (!look.separate) return tensors.map(() => rangeOf(tensors, summaries, look));
  return tensors.map((tensor, k) => rangeOf([tensor], summaries.slice(k, k + 1), look));
}

// The extremes that the color bar or the axis shows: of all steps if unified, else of what is shown.
export function rangeOf(tensors, summaries, look) {
  const ranges = look.unify
    ? summaries.filter(Boolean).map(({ low, high }) => (look.absolute ? absoluteRange(low, high) : { low, high }))
    : tensors.map(({ statistics }) => statistics);
  const finite = ranges.filter(({ low }) => low !== null && Number.isFinite(low));
  if (finite.length === 0) return { low: 0, high: 1 };
  return { low: Math.min(...finite.map(({ low }) => low)), high: Math.max(...finite.map(({ high }) => high)) };
}

function absoluteRange(low, high) {
  if (low === null) return { low, high };
  return { low: low > 0 ? low : high < 0 ? -high : 0, high: Math.max(Math.abs(low), Math.abs(high)) };
}
