// A heat map as a list of things to paint, from which the canvas and the SVG are made: cells, color bar, texts.
import { colorScale, lightness, zeroScale } from "./colors.js";
import { brokenLines, numberText, shapeText, statisticsText } from "./numbers.js";
import { forEachCell, placement, roomyLayout } from "./tiles.js";

const MARGIN = 8;
const TITLE = 22;
const NOTE_LINE = 17;
const BAR = { width: 16, gap: 14, labels: 62 };
const NUMBERS_PER_SIDE = 50;
const BAR_TICKS = [0, 0.25, 0.5, 0.75, 1];

// Describe one heat map. `tensor` has values and shape; `range` the extremes of the color bar. A look that is `plain` is
// transposed and has no title; one that is `untitled` has none either.
export function cellsScene({ title, tensor, range, size, look }) {
  const hasTitle = !look.plain && !look.untitled;
  const isReal = look.aspect ?? tensor.shape.length > 2;
  const roomBelow = (top) => ({ width: Math.max(20, size.width - 2 * MARGIN - BAR.width - BAR.gap - BAR.labels), height: Math.max(20, size.height - top - MARGIN) });
  const layoutIn = (place) => roomyLayout(tensor.shape, place, isReal, { firstAxes: look.firstAxes, flipped: look.plain });
  const notes = hasTitle ? noteLines(tensor, layoutIn(roomBelow(TITLE + NOTE_LINE)), size.width) : [];
  const top = hasTitle ? TITLE + NOTE_LINE * notes.length + 1 : MARGIN;
  const room = roomBelow(top);
  const layout = layoutIn(room);
  const placed = placement(layout, room.width, room.height, isReal);
  const scale = (look.aroundZero ? zeroScale : colorScale)(range.low, range.high, { log: look.log });
  const origin = { x: MARGIN, y: top };
  const numbers = look.values ? numbersOf(tensor.values, layout, placed, scale, origin) : [];
  scale.isBare = numbers.length > 0 && Boolean(scale.hasMinus); // the numbers have their signs
  const bar = { x: origin.x + placed.width + BAR.gap, y: top, width: BAR.width, height: Math.max(60, Math.min(placed.height, room.height)), scale };
  return {
    ...size, origin, values: tensor.values, layout, placed, scale, bar,
    texts: [...(hasTitle ? titleTexts(title, notes) : []), ...barTexts(bar), ...numbers],
  };
}

// Shape and statistics in as many lines as they need.
function noteLines(tensor, layout, width) {
  const parts = [shapeText(tensor.wholeShape ?? tensor.shape), statisticsText(tensor.statistics), tensor.thinned, tilesText(layout)];
  return brokenLines(parts.filter(Boolean).join(" · "), width - 2 * MARGIN);
}

function titleTexts(title, notes) {
  return [{ x: MARGIN, y: 15, text: title, role: "title" }, ...notes.map((text, k) => ({ x: MARGIN, y: 32 + NOTE_LINE * k, text, role: "note" }))];
}

// Which axes the tiles of a grid stand for.
function tilesText({ isGrid, isTurned, others }) {
  if (!isGrid) return "";
  const last = `axis ${others.at(-1).axis}`;
  const rest = `${others.length > 2 ? "axes" : "axis"} ${others.slice(0, -1).map(({ axis }) => axis).join(", ")}`;
  return isTurned ? `tiles: ${last} down, ${rest} across` : `tiles: ${rest} down, ${last} across`;
}

function barTexts(bar) {
  return (bar.scale.isFlat ? [0.5] : BAR_TICKS).map((unit) => ({
    x: bar.x + bar.width + 6,
    y: bar.y + (1 - unit) * bar.height + (unit === 1 ? 9 : unit === 0 ? 0 : 4),
    text: numberText(bar.scale.valueAt(unit), 4),
    role: "tick",
  }));
}

// Numbers in the cells, in black or white by the brightness of the cell; none where they would not fit.
function numbersOf(values, layout, placed, scale, origin) {
  const isFitting = layout.rows <= NUMBERS_PER_SIDE && layout.columns <= NUMBERS_PER_SIDE && placed.cellWidth >= 26 && placed.cellHeight >= 11;
  if (!isFitting) return [];
  const texts = [];
  forEachCell(layout, placed, (offset, box) => {
    texts.push({
      x: origin.x + box.x + box.width / 2,
      y: origin.y + box.y + box.height / 2 + 3.5,
      text: numberText(values[offset], placed.cellWidth >= 44 ? 4 : 2),
      role: lightness(scale.colorOf(values[offset])) > 0.5 ? "dark number" : "light number",
    });
  });
  return texts;
}

export function isTooSmallForNumbers(scene) {
  return !scene.texts.some((text) => text.role.endsWith("number"));
}

// The sentence that stands for a heat map.
export function cellsAltText(title, tensor, scale) {
  const colors = scale.hasMinus ? "white at zero, blue above, brown with a minus below" : scale.isSigned ? "signed colors, blue and hatched below zero, red above" : "colors from dark blue for low to yellow for high";
  const missing = tensor.statistics.nan ? "; NaN is crossed out" : "";
  return `Heat map of ${title}, ${shapeText(tensor.wholeShape ?? tensor.shape)}: ${statisticsText(tensor.statistics)}; ${colors}${missing}.`;
}
