// Paint boxes and frames on a canvas whose unit is a point of the picture: shapes, texts, heat maps. What is too small
// to be read has its name in a size that can be read, where there is room, else only its shape.
import { cellsImage } from "./thumbnails.js";

export const BOX_FONT = "Arial, 'Liberation Sans', Helvetica, 'DejaVu Sans', sans-serif";
const LINE = 15, PAD_TOP = 7, MAP_GAP = 5, GAP = 8, TITLE_SIZE = 12, TEXT_SIZE = 11;
export const READABLE = 0.5; // the scale from which the texts of a box are drawn
const OUTLINED = 0.12; // the scale from which a box has a border
const LABEL = 11; // pixels of a name where the texts are too small

// Width of the border, dashes and radius of the corners: what tells kinds apart without color, as in the pictures
// (`diagram/diagram.py`).
const SHAPES = {
  parameter: [2.8, [], 12], constant: [1.2, [5, 2], 0], input: [2, [1, 5], 0], result: [1.3, [], 0],
  detached: [1.3, [5, 2], 0], group: [1.6, [], 0], frame: [1.2, [], 12], wrong: [4.5, [5, 2], 0],
};
const FOLD = 6, TAB = 27, TAB_HEIGHT = 4; // of a note, of a folder; as `diagram/node_shapes.py`

function kindOf(graph, id) {
  return graph.isModule(id) ? "group" : graph.nodes[id].role;
}

// `look` is the kind whose border and colors are drawn, "wrong" for the call that failed.
export function paintShape(context, kind, { x, y, width, height }, colors, scale, look = kind) {
  const [border, dashes] = SHAPES[look];
  const [fill, stroke] = colors[look];
  if (scale < OUTLINED) {
    context.fillStyle = stroke;
    context.fillRect(x, y, width, height);
    return;
  }
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.lineWidth = border;
  context.setLineDash(dashes);
  context.beginPath();
  if (kind === "group") polygon(context, folder(x, y, width, height));
  else if (kind === "constant") polygon(context, [[x + width - FOLD, y], [x, y], [x, y + height], [x + width, y + height], [x + width, y + FOLD]]);
  else context.roundRect(x, y, width, height, Math.min(SHAPES[kind][2], width / 2, height / 2));
  context.fill();
  context.stroke();
  if (kind === "constant") {
    context.beginPath();
    polygon(context, [[x + width - FOLD, y], [x + width - FOLD, y + FOLD], [x + width, y + FOLD]], false);
    context.stroke();
  }
  context.setLineDash([]);
}

function folder(x, y, width, height) {
  const right = x + width, tab = Math.min(TAB, width / 2);
  return [[right, y], [right - 3, y - TAB_HEIGHT], [right - tab + 3, y - TAB_HEIGHT], [right - tab, y], [x, y], [x, y + height], [right, y + height]];
}

function polygon(context, [[x, y], ...rest], isClosed = true) {
  context.moveTo(x, y);
  for (const [a, b] of rest) context.lineTo(a, b);
  if (isClosed) context.closePath();
}

// The title of a frame, in a size that can be read; where boxes are too small to be read, over them.
export function paintFrameTitle(context, title, box, colors, scale) {
  const size = Math.max(TITLE_SIZE, LABEL / scale);
  if (box.width * scale < 40 || box.height < 1.6 * size) return;
  context.font = `bold ${size}px ${BOX_FONT}`;
  context.textAlign = "left";
  const text = fittingPart(context, title, box.width - 20), x = box.x + Math.min(10, 6 / scale), y = box.y + Math.max(15, size * 1.05);
  if (size > TITLE_SIZE) {
    context.lineWidth = 4 / scale;
    context.lineJoin = "round";
    context.strokeStyle = colors.frame[0];
    context.strokeText(text, x, y);
  }
  context.fillStyle = colors.module;
  context.fillText(text, x, y);
}

// `gradientOf` gives the text of the line of the gradient, or null to leave it out.
export function paintBox(context, graph, id, box, { colors, scale, gradientOf }) {
  const kind = kindOf(graph, id);
  const thing = graph.isModule(id) ? graph.modules[id - graph.count] : graph.nodes[id];
  paintShape(context, kind, box, colors, scale, thing.mark ? "wrong" : kind);
  const own = thing.own ?? thing.size;
  const left = box.x + box.width - own[0], middle = left + own[0] / 2;
  if (scale < READABLE) {
    paintLabel(context, graph.labelOf(id), middle, box, own, { colors, scale });
    return;
  }
  let top = box.y + box.height / 2 - own[1] / 2 + PAD_TOP;
  context.textAlign = "center";
  for (const [role, given] of thing.lines) {
    const text = role === "grad" ? gradientOf(id, given) : given;
    if (text !== null) {
      const isBold = role === "title" || role === "module";
      context.font = `${isBold ? "bold " : ""}${isBold ? TITLE_SIZE : TEXT_SIZE}px ${BOX_FONT}`;
      context.fillStyle = role === "grad" ? colors.gradient[1] : role === "module" ? colors.module : colors.text;
      context.fillText(text, middle, top + LINE * 0.76, own[0] - 6);
    }
    top += LINE;
  }
  if (thing.maps) paintMaps(context, thing, middle, top + MAP_GAP, colors, (k) => k === 0 || gradientOf(id, "") !== null);
}

function paintMaps(context, thing, middle, top, colors, isShown) {
  const wide = thing.maps.reduce((sum, [, columns, side]) => sum + columns * side, GAP * (thing.maps.length - 1));
  let left = middle - wide / 2;
  thing.maps.forEach((map, k) => {
    const [rows, columns, side] = map;
    if (isShown(k)) {
      context.drawImage(cellsImage(map), left, top, columns * side, rows * side);
      context.strokeStyle = colors.edge;
      context.lineWidth = 0.7;
      context.strokeRect(left, top, columns * side, rows * side);
    }
    left += columns * side + GAP;
  });
}

// The first line of a box in a size that can be read, if there is room for it.
function paintLabel(context, text, middle, box, own, { colors, scale }) {
  const size = LABEL / scale;
  if (own[1] < size * 1.15 || own[0] * scale < 12) return;
  context.font = `bold ${size}px ${BOX_FONT}`;
  context.fillStyle = colors.text;
  context.textAlign = "center";
  context.fillText(fittingPart(context, text, own[0]), middle, box.y + box.height / 2 + size * 0.36);
}

const FEWEST_LETTERS = 3;
const widths = new Map();

// The beginning of a string that fits; measured once for each font size of a step of the zoom.
function fittingPart(context, text, width) {
  const per = widthOf(context, text) || 1;
  if (per <= width) return text;
  const letters = Math.floor((text.length * width) / per) - 1;
  return letters >= FEWEST_LETTERS ? `${text.slice(0, letters)}…` : "";
}

function widthOf(context, text) {
  const size = parseFloat(context.font.match(/[\d.]+px/)[0]);
  if (!widths.has(text)) widths.set(text, context.measureText(text).width / size);
  return widths.get(text) * size;
}
