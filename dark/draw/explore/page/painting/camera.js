// The part of the picture that is seen: a point { x, y } of the picture is at the upper left corner, `scale` times as large.

const LEAST_SCALE = 0.002, MOST_SCALE = 8;

const within = (x, low, high) => Math.max(low, Math.min(high, x));

// The whole of a rectangle, in the middle of the view; never larger than `most`.
export function fitted(rect, view, { most = 1.5, margin = 24 } = {}) {
  const scale = within(Math.min((view.width - 2 * margin) / rect.width, (view.height - 2 * margin) / rect.height), LEAST_SCALE, most);
  return { scale, x: rect.x + rect.width / 2 - view.width / 2 / scale, y: rect.y + rect.height / 2 - view.height / 2 / scale };
}

const READABLE_AT_FIRST = 0.6, ROOM = 80; // the least scale at first, and pixels for the search above

// The whole picture where it can be read, else its top.
export function firstCamera([width, height], view) {
  const whole = Math.min(1.25, (view.width - 40) / width, (view.height - ROOM) / height);
  const scale = whole >= READABLE_AT_FIRST ? whole : Math.max(READABLE_AT_FIRST, Math.min(1, (view.width - 40) / width));
  const isWhole = height * scale <= view.height - 60;
  return { scale, x: width / 2 - view.width / 2 / scale, y: isWhole ? height / 2 - (view.height / 2 + 10) / scale : -(ROOM - 10) / scale };
}

// Larger or smaller, with the point under (px, py) in its place.
export function zoomedAt(camera, factor, px, py) {
  const scale = within(camera.scale * factor, LEAST_SCALE, MOST_SCALE);
  const keep = 1 / camera.scale - 1 / scale;
  return { scale, x: camera.x + px * keep, y: camera.y + py * keep };
}

export function pannedBy(camera, dx, dy) {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

// The picture cannot be lost: some of it stays in the view.
export function kept(camera, size, view, margin = 60) {
  const wide = view.width / camera.scale, high = view.height / camera.scale, edge = margin / camera.scale;
  return { ...camera, x: within(camera.x, edge - wide, size[0] - edge), y: within(camera.y, edge - high, size[1] - edge) };
}

// A camera that shows a rectangle: the same if it is in view and large enough to be read; moved as little as possible if
// it is near; else with the rectangle in the middle.
export function showing(camera, rect, view, { least = 0.55, margin = 50 } = {}) {
  const fitting = Math.max(least, Math.min(2, (view.width - 2 * margin) / rect.width));
  const scale = within(Math.max(camera.scale, least), LEAST_SCALE, fitting);
  const dx = outside((rect.x - camera.x) * scale, rect.width * scale, view.width, margin);
  const dy = outside((rect.y - camera.y) * scale, rect.height * scale, view.height, margin);
  const isNear = scale === camera.scale && Math.abs(dx) < view.width / 2 && Math.abs(dy) < view.height / 2;
  if (isNear) return dx || dy ? { scale, x: camera.x + dx / scale, y: camera.y + dy / scale } : camera;
  const high = Math.min(rect.height / 2, view.height / 3 / scale);
  return { scale, x: rect.x + rect.width / 2 - view.width / 2 / scale, y: rect.y + high - view.height / 2 / scale };
}

// How far something of a size is outside of the view; what is larger than the view begins in it.
function outside(start, size, view, margin) {
  if (start < margin) return start - margin;
  return Math.max(0, Math.min(start + size - view + margin, start - margin));
}

// Part of the way from one camera to another; zoom and place move together.
export function partWay(from, to, part) {
  const scale = from.scale * (to.scale / from.scale) ** part;
  const t = Math.abs(to.scale - from.scale) < 1e-9 * to.scale ? part : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return { scale, x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
}

export function toPicture(camera, px, py) {
  return { x: camera.x + px / camera.scale, y: camera.y + py / camera.scale };
}
