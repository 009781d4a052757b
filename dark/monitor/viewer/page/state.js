// What the viewer shows, as plain data, and how each action changes it.
import { isMove, moved } from "./cursor.js";
import { inNextGroup, nextName } from "./tree.js";

export function initialState() {
  return {
    at: 0, // position of the cursor in the timeline
    tensor: null,
    kept: new Set(), // tensors that stay in sight beside the chosen one
    shown: new Set(), // scalars
    isPlaying: false,
    scalarLog: false,
    plot: { axis: "step", isStepLog: false, isAligned: false, smoothing: 0 },
    finding: null, // the number of the finding that is open
    look: {
      absolute: false, values: false, unify: false, log: false, plain: false, aspect: null, histogram: false,
      difference: true, firstAxes: false, separate: false,
    },
  };
}

const TOGGLES = new Set(["absolute", "values", "unify", "log", "plain", "histogram", "difference", "firstAxes", "separate"]);
export const SMOOTHINGS = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

const CHOICES = {
  nextTensor: (names, name) => nextName(names, name, 1),
  previousTensor: (names, name) => nextName(names, name, -1),
  nextGroup: (names, name) => inNextGroup(names, name, 1),
  previousGroup: (names, name) => inNextGroup(names, name, -1),
};

// Return the state after an action; `count` is the length of the timeline, `names` the tensors in their order.
export function acted(state, action, { count, names, isDeep = false }) {
  if (isMove(action)) return { ...state, at: count ? moved(action, state.at, count) : 0 };
  if (action in CHOICES) return names.length ? { ...state, tensor: CHOICES[action](names, state.tensor) } : state;
  if (TOGGLES.has(action)) return { ...state, look: { ...state.look, [action]: !state.look[action] } };
  if (action === "aspect") return { ...state, look: { ...state.look, aspect: !(state.look.aspect ?? isDeep) } };
  if (action === "scalarLog") return { ...state, scalarLog: !state.scalarLog };
  if (action === "keepTensor") return state.tensor === null ? state : { ...state, kept: toggled(state.kept, [state.tensor]) };
  if (action === "stepLog") return plotted(state, { isStepLog: !state.plot.isStepLog });
  if (action === "smoother") return plotted(state, { smoothing: nextSmoothing(state.plot.smoothing, 1) });
  if (action === "rougher") return plotted(state, { smoothing: nextSmoothing(state.plot.smoothing, -1) });
  if (action === "play") return { ...state, isPlaying: !state.isPlaying };
  return state;
}

export function plotted(state, more) {
  return { ...state, plot: { ...state.plot, ...more } };
}

// The next of the weights of smoothing; after the last, it stays.
function nextSmoothing(weight, way) {
  const at = SMOOTHINGS.findLastIndex((one) => one <= weight + 1e-9);
  return SMOOTHINGS[Math.max(0, Math.min(SMOOTHINGS.length - 1, at + way))];
}

// The state for another run: the same look, and of the selection what this run has, too.
export function stateFor(state, run) {
  const tensors = run.tensorNames();
  const scalars = run.scalarNames();
  const kept = [...state.shown].filter((name) => scalars.includes(name));
  return {
    ...state,
    at: Math.max(0, run.timeline.length - 1),
    isPlaying: false,
    finding: null,
    tensor: tensors.includes(state.tensor) ? state.tensor : tensors[0] ?? null,
    kept: new Set([...state.kept].filter((name) => tensors.includes(name))),
    shown: new Set(kept.length ? kept : firstScalars(scalars)),
  };
}

const MOST_KEPT = 12;

// A set with names added; without them if it had them all.
export function toggled(names, some) {
  const isWhole = some.every((name) => names.has(name));
  return new Set(isWhole ? [...names].filter((name) => !some.includes(name)) : [...names, ...some]);
}

// The tensors that are seen, in the order of the tree: the chosen one, and those that are kept, as many as can be read.
export function seenTensors({ tensor, kept }, names) {
  if (tensor === null) return [];
  const others = names.filter((name) => kept.has(name) && name !== tensor).slice(0, MOST_KEPT - 1);
  return names.filter((name) => name === tensor || others.includes(name));
}

export function isLoss(name) {
  return /loss/i.test(name);
}

const AT_FIRST = 6;

// All scalars if they are few, else the losses and accuracies.
export function firstScalars(names) {
  if (names.length <= AT_FIRST) return names;
  const known = names.filter((name) => isLoss(name) || /^accuracy/i.test(name));
  return (known.length ? known : names).slice(0, AT_FIRST);
}
