// The axis of a run: steps, epochs, seconds since it began, or the time of day; runs can be aligned by their first step.
import { smoothed } from "./charts/smoothing.js";
import { numberText } from "../../../pages/parts/numbers.js";

export const AXES = [
  { name: "step", title: "step", text: "steps" },
  { name: "epoch", title: "epoch", text: "epochs" },
  { name: "elapsed", title: "elapsed time (s)", text: "elapsed time" },
  { name: "wall", title: "time of day", text: "time of day" },
];

export function axisOf(name) {
  return AXES.find((axis) => axis.name === name);
}

// The axes that at least one of the runs has.
export function axesOf(runs) {
  return AXES.filter(({ name }) => runs.some((run) => name === "step" || run.moments[name]?.some(Number.isFinite)));
}

// The next axis that the runs have.
export function nextAxis(runs, name) {
  const names = axesOf(runs).map((axis) => axis.name);
  return names[(names.indexOf(name) + 1) % names.length];
}

// Where the steps of a series of a run lie on an axis. `first` is what is subtracted if runs are aligned.
export function positionsOf(run, steps, axis, isAligned) {
  const first = isAligned ? run.firstOn(axis) : 0;
  return Float64Array.from(steps, (step) => run.positionOf(step, axis) - first);
}

// A position as text: "step 40", "epoch 2.5", "12.5 s", or a date and a time.
export function positionText(axis, x) {
  if (axis === "step") return `step ${numberText(x, 9)}`;
  if (axis === "epoch") return `epoch ${numberText(x, 6)}`;
  if (axis === "elapsed") return `${numberText(x, 6)} s`;
  return Number.isFinite(x) ? new Date(1000 * x).toLocaleString() : "–";
}

// A line as it is drawn: where its positions are known, sorted, and smoothed.
export function drawnLine(line, { axis, isAligned, smoothing }) {
  const places = positionsOf(line.run, line.steps, axis, isAligned);
  const order = [...places.keys()].filter((k) => Number.isFinite(places[k]));
  if (order.some((k, at) => at && places[k] < places[order[at - 1]])) order.sort((a, b) => places[a] - places[b]);
  const raw = Float64Array.from(order, (k) => line.values[k]);
  return { steps: Float64Array.from(order, (k) => places[k]), raw, values: smoothed(raw, smoothing) };
}
