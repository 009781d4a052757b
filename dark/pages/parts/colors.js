// Color maps that survive color blindness, and the scale that places a value on one of them.
import { inverseSymlog, linearBelow, symlog } from "./numbers.js";

// Blue, white, red. Both ends are equally dark, so negative cells are hatched as well.
const SIGNED_STOPS = [
  [5, 48, 97], [33, 102, 172], [67, 147, 195], [146, 197, 222], [209, 229, 240], [247, 247, 247],
  [253, 219, 199], [244, 165, 130], [214, 96, 77], [178, 24, 43], [103, 0, 31],
];
// From dark blue to yellow; the lightness only grows, so the map reads in gray, too.
const ABSOLUTE_STOPS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120],
  [165, 156, 116], [195, 179, 105], [225, 204, 85], [253, 231, 55],
];
export const MISSING_COLOR = [200, 200, 200];
const LEVELS = 256;

function interpolated(stops, position) {
  const place = Math.min(1, Math.max(0, position)) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  return stops[below].map((x, k) => Math.round(x + (place - below) * (stops[below + 1][k] - x)));
}

const tableOf = (stops) => Array.from({ length: LEVELS }, (_, k) => interpolated(stops, k / (LEVELS - 1)));
export const SIGNED_COLORS = tableOf(SIGNED_STOPS);
export const ABSOLUTE_COLORS = tableOf(ABSOLUTE_STOPS);

export function lightness([r, g, b]) {
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

export function colorText([r, g, b]) {
  return `rgb(${r},${g},${b})`;
}

// Place values of [low, high] on a color map: signed and symmetric where a value is negative, else from low to high.
export function colorScale(low, high, { log = false } = {}) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return colorScale(0, 1, { log });
  const isSigned = low < 0;
  const threshold = linearBelow(low, high);
  const forward = log ? (x) => symlog(x, threshold) : (x) => x;
  const backward = log ? (y) => inverseSymlog(y, threshold) : (y) => y;
  const top = forward(isSigned ? Math.max(-low, high) : high);
  const bottom = isSigned ? -top : forward(low);
  const isFlat = !(top > bottom);
  const unit = (x) => (isFlat ? 0.5 : Math.min(1, Math.max(0, (forward(x) - bottom) / (top - bottom))));
  const colors = isSigned ? SIGNED_COLORS : ABSOLUTE_COLORS;
  return {
    isSigned,
    isFlat,
    threshold: log ? threshold : null,
    unit,
    valueAt: (u) => (isFlat ? low : backward(bottom + u * (top - bottom))),
    colorOf: (x) => (Number.isNaN(x) ? MISSING_COLOR : colors[Math.round(unit(x) * (LEVELS - 1))]),
  };
}

// The scale of the pictures of graphs, as `draw/arrays/heat_map.py`: white at 0, blue above and brown below, in six steps.
const ABOVE_ZERO = [8, 48, 107], BELOW_ZERO = [127, 39, 4], STEPS = 6; // the ends are equally dark: negative cells have a minus
export const NAN_COLOR = [213, 218, 224];

// The color of a cell from -1 to 1.
export function colorAroundZero(unit) {
  if (Number.isNaN(unit)) return NAN_COLOR;
  const step = roundedToEven(Math.min(1, Math.abs(unit)) * STEPS);
  return (unit < 0 ? BELOW_ZERO : ABOVE_ZERO).map((end) => roundedToEven(255 + ((end - 255) * step) / STEPS));
}

// A half is rounded to the even number, as in Python.
function roundedToEven(x) {
  const below = Math.floor(x);
  return x - below === 0.5 ? below + (below % 2) : Math.round(x);
}

// Place values of [low, high] on that scale; as `colorScale`.
export function zeroScale(low, high, { log = false } = {}) {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const most = Number.isFinite(largest) ? largest : 1, isSigned = low < 0;
  const threshold = linearBelow(isSigned ? -most : 0, most);
  const forward = log ? (x) => symlog(x, threshold) : (x) => x;
  const backward = log ? (y) => inverseSymlog(y, threshold) : (y) => y;
  const top = forward(most), bottom = isSigned ? -top : 0, isFlat = !(top > 0);
  return {
    isSigned,
    isFlat,
    hasMinus: true,
    threshold: log ? threshold : null,
    unit: (x) => (isFlat ? 0.5 : Math.min(1, Math.max(0, (forward(x) - bottom) / (top - bottom)))),
    valueAt: (u) => (isFlat ? 0 : backward(bottom + u * (top - bottom))),
    colorOf: (x) => colorAroundZero(isFlat && Number.isFinite(x) ? 0 : forward(x) / (top || 1)),
  };
}

// Colors of lines, told apart by the color-blind; a dash pattern tells them apart without color.
const LIGHT_LINES = ["#0072b2", "#c8501e", "#00795c", "#a0428a", "#8a6d00", "#4b4b9b", "#333333"];
const DARK_LINES = ["#56b4e9", "#f0854f", "#2fc79c", "#e09ac8", "#f0e442", "#a9a9f5", "#dddddd"];
const DASHES = [[], [10, 4], [10, 4, 2, 4], [16, 5], [6, 3, 6, 9]];

export function lineStyle(k, isDark) {
  const colors = isDark ? DARK_LINES : LIGHT_LINES;
  return { stroke: colors[k % colors.length], dash: DASHES[Math.floor(k / colors.length) % DASHES.length] };
}
