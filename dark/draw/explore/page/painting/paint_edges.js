// Paint edges on a canvas whose unit is a point of the picture.

const PLAIN_BELOW = 0.22; // the scale below which edges are straight lines
const SHORTEST = 1.5; // pixels; a shorter edge is not seen

// Edges of one look, as one path; of each what is in a part of the picture.
export function paintEdges(context, edges, scale, part, { color, width, heads = true, dashes = [] }) {
  const isPlain = scale < PLAIN_BELOW;
  context.beginPath();
  for (const { points } of edges) {
    if (isPlain) addLine(context, points, scale);
    else addCurve(context, points, part);
  }
  context.strokeStyle = color;
  context.lineWidth = isPlain ? 1 / scale : width;
  context.setLineDash(isPlain ? [] : dashes);
  context.stroke();
  context.setLineDash([]);
  if (!heads || isPlain) return;
  context.fillStyle = color;
  context.beginPath();
  for (const { points, target } of edges) if (target !== null) addHead(context, points.at(-1), -1, width);
  context.fill();
}

const ASIDE = 6, ABOVE = 12, LABEL_SIZE = 11; // points from the end of an edge to its text, up to its middle, and its font

// The texts of edges, beside their ends; `textOf(u, target)` gives that of one.
export function paintEdgeLabels(context, edges, textOf, colors, font) {
  context.font = `${LABEL_SIZE}px ${font}`;
  context.fillStyle = colors.text;
  for (const { text, x, y, isLeft } of labelPlaces(edges, textOf)) {
    context.textAlign = isLeft ? "right" : "left";
    context.fillText(text, x, y);
  }
}

// Where the texts of edges are: of several that end at a box, the left ones are at the left of their edges, the others at
// the right, and further ones above these.
export function labelPlaces(edges, textOf) {
  const arriving = new Map();
  for (const { u, target, points } of edges) {
    const text = target === null ? "" : textOf(u, target);
    if (!text) continue;
    if (!arriving.has(target)) arriving.set(target, []);
    arriving.get(target).push({ text, x: points.at(-1)[0], y: points.at(-1)[1] - ABOVE + 0.35 * LABEL_SIZE });
  }
  return [...arriving.values()].flatMap((here) => {
    here.sort((a, b) => a.x - b.x);
    const left = Math.floor(here.length / 2);
    return here.map(({ text, x, y }, k) => {
      const isLeft = k < left, above = isLeft ? left - 1 - k : k - left;
      return { text, x: x + (isLeft ? -ASIDE : ASIDE), y: y - above * 1.1 * LABEL_SIZE, isLeft };
    });
  });
}

// The heads at the other ends: a gradient is sent against the direction of an edge.
export function paintHeadsBack(context, edges, color, width) {
  context.fillStyle = color;
  context.beginPath();
  for (const { points } of edges) addHead(context, points[0], 1, width);
  context.fill();
}

function addHead(context, [x, y], way, width) {
  const size = 1 + (width - 1.3) / 3;
  context.moveTo(x, y);
  context.lineTo(x - 3.5 * size, y + way * 7 * size);
  context.lineTo(x + 3.5 * size, y + way * 7 * size);
}

function addLine(context, points, scale) {
  const [a, b] = points[0], [x, y] = points.at(-1);
  if (Math.abs(x - a) + Math.abs(y - b) < SHORTEST / scale) return;
  context.moveTo(a, b);
  for (let k = 1; k < points.length; k += 2) context.lineTo(points[k][0], points[k][1]);
  context.lineTo(x, y);
}

// Straight down within a rank, bent between ranks.
function addCurve(context, points, { left, right, top, bottom }) {
  context.moveTo(points[0][0], points[0][1]);
  for (let k = 1; k < points.length; k += 1) {
    const [a, b] = points[k - 1], [x, y] = points[k];
    const middle = (b + y) / 2;
    if (Math.max(a, x) < left || Math.min(a, x) > right || y < top || b > bottom) {
      context.moveTo(x, y);
      continue;
    }
    if (Math.abs(a - x) < 0.05) context.lineTo(x, y);
    else context.bezierCurveTo(a, middle, x, middle, x, y);
  }
}
