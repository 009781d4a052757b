// Markers along lines, by which they are told apart without color: five shapes, as SVG paths about their center.

const SHAPES = ["M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "M-3.2 -3.2h6.4v6.4h-6.4z", "M0 -4.2L4 3.2H-4z", "M0 -4.5L4.5 0L0 4.5L-4.5 0z", "M0 4.2L4 -3.2H-4z"];
const MARKERS_APART = 90; // pixels between the markers of a line
const FILLED = SHAPES.length; // from here on the shapes are filled

export function markerPath(k) {
  return SHAPES[k % SHAPES.length];
}

export function isFilled(k) {
  return k % (2 * FILLED) >= FILLED;
}

// The indices of the points of a line that have a marker: about one in `MARKERS_APART` pixels, shifted from line to line.
// `positions` are the horizontal places of the points in pixels.
export function markedPoints(positions, values, k, count, between = MARKERS_APART) {
  const found = [];
  let next = -Infinity;
  const shift = (between * (k % count)) / Math.max(1, count);
  for (let at = 0; at < positions.length; at += 1) {
    if (!Number.isFinite(values[at])) continue;
    if (next === -Infinity) next = positions[at] + shift;
    if (positions[at] < next) continue;
    found.push(at);
    next = positions[at] + between;
  }
  return found;
}
