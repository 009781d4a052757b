// The cursor in time: every series has its own steps, and the cursor stands on one of them all.

const MOVES = {
  previousStep: (at) => at - 1,
  nextStep: (at) => at + 1,
  back: (at, count) => at - pace(count),
  forward: (at, count) => at + pace(count),
  firstStep: () => 0,
  lastStep: (at, count) => count - 1,
};

// Five percent of all steps, at least one.
function pace(count) {
  return Math.max(1, Math.round(0.05 * count));
}

export function isMove(action) {
  return action in MOVES;
}

export function moved(action, at, count) {
  return Math.max(0, Math.min(count - 1, MOVES[action](at, count)));
}

// The index of the last step at or before the given one; -1 if the series begins later.
export function indexAt(steps, step) {
  let low = 0, high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The index of the step nearest to the given one.
export function nearestIndex(steps, step) {
  const at = indexAt(steps, step);
  if (at < 0) return 0;
  return at + 1 < steps.length && steps[at + 1] - step < step - steps[at] ? at + 1 : at;
}

// The union of sorted steps, sorted.
export function union(...timelines) {
  const some = timelines.filter((steps) => steps.length > 0);
  if (some.length < 2) return some[0] ?? new Float64Array();
  return Float64Array.from(new Set(some.flatMap((steps) => [...steps]))).sort();
}

// How far `play` moves at a time, so that a long run takes about twenty seconds.
export function playPace(count) {
  return Math.max(1, Math.round(count / 200));
}
