// The pictures of one tensor: one a run, and the difference of two runs.
import { CellsPicture } from "../../../../pages/parts/cells_picture.js";
import { numberText } from "../../../../pages/parts/numbers.js";
import { LETTERS } from "../series.js";
import { differenceOf, prepared, rangeOf, rangesOf, viewOf } from "../charts/look.js";
import { HistogramPicture, LinePicture, TextPicture } from "../charts/pictures.js";

const BETWEEN = 8; // pixels between pictures
const LEAST_PICTURE = { width: 230, height: 190 }; // pixels of a picture; where more are in a row, they take several rows
const DIFFERENCE = "A − B";
const HISTOGRAMS = /^histograms\//; // in place of arrays

// Whether a series has histograms, of edges and counts.
export function isHistogram(name, shape) {
  return HISTOGRAMS.test(name) && shape.length === 2 && shape[0] === 2;
}

// What a tree says beside a series: its shape and type.
export function tagOf(series) {
  if (!series) return "";
  if (isHistogram(series.name, series.shape)) return series.shape[1] === 2 ? "1 bin" : `${series.shape[1] - 1} bins`;
  return `${series.shape.length ? series.shape.join("×") : "0-d"}${series.kind ? ` ${series.kind}` : ""}`;
}

// Fetch what the pictures of a tensor need; a record that is damaged is an error of this tensor alone.
export async function loaded(runs, name, step, look) {
  const needsSummary = look.unify || look.histogram || HISTOGRAMS.test(name);
  const found = await Promise.all(runs.map((run) => run.tensorAt(name, step)));
  const summaries = needsSummary ? await Promise.all(runs.map((run) => run.summary(name, look.log))) : [];
  return { name, found, summaries };
}

// Draw a tensor into a room of a size in pixels; returns its pictures, and what they show.
export function drawnGroup({ name, found, summaries, error = null }, { runs, step, look, theme, size, onCell, onPick }) {
  const base = { look, theme, onCell };
  const labels = runs.length > 1 ? runs.map((run, k) => LETTERS[k]) : [null];
  const tensors = (found ?? []).map((tensor, k) => ({ tensor: tensor && prepared(tensor, look), label: labels[k], which: k })).filter(({ tensor }) => tensor);
  const shown = { name, step, view: null, tensors, summaries };
  if (!tensors.length) {
    const text = error?.message ?? `${name} begins after step ${numberText(step, 9)}.`;
    return { shown, pictures: [new TextPicture({ ...base, title: name, text, size })] };
  }
  const shape = tensors[0].tensor.shape;
  const view = isHistogram(name, shape) ? "histogram" : viewOf(shape, look);
  const difference = runs.length === 2 ? differenceIn(tensors, look) : null;
  const ranges = rangesOf(tensors.map(({ tensor }) => tensor), tensors.map(({ which }) => summaries[which]), look);
  const ranged = tensors.map((one, k) => ({ ...one, range: ranges[k] }));
  const all = difference && view !== "histogram" ? [...ranged, difference] : ranged;
  const each = placeOf(size, view === "line" ? 1 : all.length);
  const one = { ...base, name, size: each, range: rangeOf(tensors.map(({ tensor }) => tensor), summaries, look), step, onPick };
  return { shown: { ...shown, view }, pictures: PICTURES[view](one, all, summaries, labels) };
}

// The size of each of some pictures, in as many rows as they need to be readable.
function placeOf({ width, height }, count) {
  const columns = Math.max(1, Math.min(count, Math.floor((width + BETWEEN) / (LEAST_PICTURE.width + BETWEEN))));
  const rows = Math.ceil(count / columns);
  const isWhole = rows === 1;
  return {
    width: Math.floor((width - BETWEEN * (columns - 1)) / columns),
    height: isWhole ? height : Math.max(LEAST_PICTURE.height, Math.floor((height - BETWEEN * (rows - 1)) / rows)),
  };
}

const PICTURES = {
  empty: (one, all) => all.map(({ tensor, label }) => new TextPicture({ ...one, title: titleOf(one.name, label, tensor), text: `It has no elements: shape (${tensor.shape.join(", ")}).` })),
  number: (one, all) => all.map(({ tensor, label }) => new TextPicture({ ...one, title: titleOf(one.name, label, tensor), text: numberText(tensor.values[0], 9), isNumber: true, note: "a single number" })),
  line: (one, all) => [new LinePicture({ ...one, title: titleOf(one.name, null, all[0].tensor), tensors: all, range: lineRange(one, all) })],
  cells: (one, all) => all.map(({ tensor, label, range }) => new CellsPicture({
    ...one, title: titleOf(one.name, label, tensor), tensor, range: range ?? rangeOf([tensor], [], { ...one.look, unify: false }),
  })),
  histogram: (one, all, summaries, labels) => summaries.map((summary, k) => summary && new HistogramPicture({ ...one, title: titleOf(one.name.replace(HISTOGRAMS, ""), labels[k], null), summary })).filter(Boolean),
};

function titleOf(name, label, tensor) {
  return `${label ? `${label}: ` : ""}${name}${tensor ? ` at step ${numberText(tensor.step, 9)}` : ""}`;
}

// The difference of two runs may be larger than either.
function lineRange({ look, range }, all) {
  return all.at(-1).label === DIFFERENCE && !look.unify ? rangeOf(all.map(({ tensor }) => tensor), [], look) : range;
}

function differenceIn(tensors, look) {
  if (tensors.length < 2 || !look.difference) return null;
  const tensor = differenceOf(tensors[0].tensor, tensors[1].tensor);
  return tensor && { tensor, label: DIFFERENCE };
}
