// Paint the part of the graph that is seen: frames, edges, boxes, and what is marked among them.
import { BOX_FONT, paintBox, paintFrameTitle, paintShape, READABLE } from "./paint_boxes.js";
import { paintEdgeLabels, paintEdges, paintHeadsBack } from "./paint_edges.js";

const FAINT = 0.22;
const LEAST_FRAME = 3; // pixels of a frame that is drawn

// `marks` are { chosen, path (a set of nodes or null), hits (a set of numbers), hit, sending: { now, to } or null }.
export function paintGraph(context, { graph, visible, camera, view, colors, marks, gradientOf }) {
  const { scale } = camera;
  const part = { left: camera.x, top: camera.y, right: camera.x + view.width / scale, bottom: camera.y + view.height / scale };
  context.fillStyle = colors.paper;
  context.fillRect(0, 0, view.width, view.height);
  context.save();
  context.scale(scale, scale);
  context.translate(-camera.x, -camera.y);
  const isOn = onPath(graph, marks.path);
  const frames = visible.framesIn(part).filter(([, { width, height }]) => Math.min(width, height) * scale > LEAST_FRAME);
  for (const [, box] of frames) paintShape(context, "frame", box, colors, Math.max(scale, LEAST_FRAME));
  const edges = visible.edgesIn(part);
  paintAllEdges(context, graph, edges, scale, part, colors, marks);
  for (const id of visible.boxesIn(part)) {
    context.globalAlpha = isOn(id) ? 1 : FAINT;
    paintBox(context, graph, id, visible.scene.boxes.get(id), { colors, scale, gradientOf });
  }
  for (const [id, box] of frames) {
    context.globalAlpha = isOn(id) ? 1 : 0.5;
    paintFrameTitle(context, graph.modules[id - graph.count].title, box, colors, scale);
  }
  context.globalAlpha = 1;
  if (scale >= READABLE) paintEdgeLabels(context, edges, (u, target) => graph.labelOfEdge(u, target), colors, BOX_FONT);
  paintMarks(context, visible.scene, part, scale, colors, marks);
  context.restore();
}

function onPath(graph, path) {
  if (!path) return () => true;
  const known = new Map();
  return (id) => {
    if (!known.has(id)) known.set(id, graph.membersOf(id).some((i) => path.has(i)));
    return known.get(id);
  };
}

const LONG_WIDTH = 0.45; // points of an edge in a lane: hundreds of them are gray, and not a black bar

function paintAllEdges(context, graph, edges, scale, part, colors, { path, sending }) {
  const isBetween = (pairs, from, to) => pairs.some((u, k) => k % 2 === 0 && from(u) && to(pairs[k + 1]));
  const strong = path ? edges.filter(({ pairs }) => isBetween(pairs, (u) => path.has(u), (v) => path.has(v))) : [];
  const isStrong = new Set(strong);
  context.globalAlpha = path ? FAINT : 1;
  const plain = edges.filter((edge) => !isStrong.has(edge)), isDashed = ({ u, target }) => graph.isDetached(u) || graph.isDetached(target);
  for (const isLong of [true, false]) {
    const look = { color: colors.edge, width: isLong ? LONG_WIDTH : 1.3 }, here = plain.filter((edge) => Boolean(edge.isLong) === isLong);
    paintEdges(context, here.filter((edge) => !isDashed(edge)), scale, part, look);
    paintEdges(context, here.filter(isDashed), scale, part, { ...look, dashes: [5, 2] });
  }
  context.globalAlpha = 1;
  if (strong.length) paintEdges(context, strong, scale, part, { color: colors.focus, width: Math.max(2.6, 2 / scale) });
  if (!sending) return;
  const sent = edges.filter(({ pairs }) => isBetween(pairs, (u) => sending.to.has(u), (v) => v === sending.now));
  const width = Math.max(2.8, 2 / scale);
  paintEdges(context, sent, scale, part, { color: colors.gradient[1], width, heads: false });
  paintHeadsBack(context, sent, colors.gradient[1], width);
}

function paintMarks(context, scene, part, scale, colors, { chosen, hits, hit, sending, shown }) {
  const boxOf = (id) => scene.boxes.get(id) ?? scene.frames.get(id);
  const isSeen = (box) => box && box.x < part.right && box.x + box.width > part.left && box.y < part.bottom && box.y + box.height > part.top;
  for (const id of hits) {
    const box = boxOf(id);
    if (isSeen(box)) ring(context, box, scale, colors.accent, id === hit ? 3 : 1.5, [6, 4], 3);
  }
  const now = sending && boxOf(shown(sending.now));
  if (isSeen(now)) {
    ring(context, now, scale, colors.gradient[1], 4, [], 2);
    tag(context, now, "now", scale, colors);
  }
  const box = chosen === null ? null : boxOf(chosen);
  if (isSeen(box)) ring(context, box, scale, colors.focus, 3, [], 5);
}

// A line around a box, as wide at every zoom.
function ring(context, { x, y, width, height }, scale, color, thickness, dashes, distance) {
  const gap = distance / Math.min(scale, 1);
  context.strokeStyle = color;
  context.lineWidth = thickness / scale;
  context.setLineDash(dashes.map((dash) => dash / scale));
  context.beginPath();
  context.roundRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap, 4 / scale);
  context.stroke();
  context.setLineDash([]);
}

function tag(context, { x, y, height }, text, scale, colors) {
  const size = Math.max(11, 11 / scale);
  context.fillStyle = colors.text;
  context.fillRect(x, y + height, size * 3, size * 1.3);
  context.fillStyle = colors.paper;
  context.font = `${size}px ${BOX_FONT}`;
  context.textAlign = "center";
  context.fillText(text, x + size * 1.5, y + height + size);
}
