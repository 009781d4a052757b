// What stands on the lines of a chart: markers by which they are told apart, letters of runs, numbers of findings.
import { isFilled, markedPoints, markerPath } from "./markers.js";
import { escaped, fixed } from "../../../../pages/parts/svg.js";
import { uPlot } from "../uplot.js";

const APART = 12; // pixels between the letters at the ends of lines
const FLAG = 8; // the radius of the number of a finding

// Return { markers, letters, flags } with their places in pixels from the upper left of the canvas.
export function decorations({ plot, lines, flags }) {
  const ratio = uPlot.pxRatio;
  const box = { left: plot.bbox.left / ratio, top: plot.bbox.top / ratio, width: plot.bbox.width / ratio, height: plot.bbox.height / ratio };
  const toX = (x) => box.left + plot.valToPos(x, "x"), toY = (y) => box.top + plot.valToPos(y, "y");
  const isInside = (x) => x >= box.left - 0.5 && x <= box.left + box.width + 0.5;
  const shown = lines.filter(({ isRaw }) => !isRaw);
  const markers = [], letters = [];
  shown.forEach((line, k) => {
    if (line.marker === null || line.marker === undefined) return;
    const places = Array.from(line.steps, toX);
    markedPoints(places, line.values, k, shown.length).filter((at) => isInside(places[at])).forEach((at) => {
      markers.push({ x: places[at], y: toY(line.values[at]), marker: line.marker, stroke: line.stroke });
    });
  });
  for (const line of shown.filter(({ letter }) => letter)) {
    const at = Array.from(line.steps, toX).findLastIndex((x, k) => isInside(x) && Number.isFinite(line.values[k]));
    if (at >= 0) letters.push({ x: Math.min(toX(line.steps[at]) + 5, box.left + box.width + 5), y: toY(line.values[at]) + 4, text: line.letter, stroke: line.stroke });
  }
  const found = flags.map(({ x, number, value }) => ({ x: toX(x), y: box.top + FLAG, number, bottom: box.top + box.height, at: Number.isFinite(value) ? toY(value) : null }));
  return { markers, letters: columnsOf(letters).flatMap((column) => apart(column, box)), flags: beside(found.filter(({ x }) => isInside(x)), box) };
}

// Letters that stand next to each other, by columns.
function columnsOf(letters) {
  const columns = [];
  for (const letter of letters.sort((a, b) => a.x - b.x)) {
    if (columns.length && letter.x - columns.at(-1)[0].x < APART) columns.at(-1).push(letter);
    else columns.push([letter]);
  }
  return columns;
}

// Letters that would cover each other are moved down, and all of them up where the lowest would leave the chart.
function apart(letters, { top, height }) {
  const sorted = letters.sort((a, b) => a.y - b.y);
  sorted.forEach((letter, k) => { if (k) letter.y = Math.max(letter.y, sorted[k - 1].y + APART); });
  for (let k = sorted.length - 1; k >= 0; k -= 1) sorted[k].y = Math.min(sorted[k].y, k === sorted.length - 1 ? top + height + 4 : sorted[k + 1].y - APART);
  return sorted;
}

// Numbers at the same place stand below each other, none outside of the chart.
function beside(flags, { left, width }) {
  const taken = [];
  return flags.sort((a, b) => a.x - b.x).map((flag) => {
    const x = Math.max(left + FLAG, Math.min(left + width - FLAG, flag.x));
    let { y } = flag;
    while (taken.some((other) => Math.abs(other.x - x) < 2 * FLAG && Math.abs(other.y - y) < 2 * FLAG)) y += 2 * FLAG;
    taken.push({ x, y });
    return { ...flag, labelX: x, y };
  });
}

export function paintDecorations(ctx, { markers, letters, flags }, theme, ratio) {
  ctx.save();
  ctx.scale(ratio, ratio);
  ctx.setLineDash([]);
  for (const { x, y, marker, stroke } of markers) {
    ctx.save();
    ctx.translate(x, y);
    const path = new Path2D(markerPath(marker));
    ctx.fillStyle = isFilled(marker) ? stroke : theme.paper;
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 1.4;
    ctx.fill(path);
    ctx.stroke(path);
    ctx.restore();
  }
  ctx.font = "600 12px system-ui, sans-serif";
  ctx.textAlign = "left";
  letters.forEach(({ x, y, text, stroke }) => { ctx.fillStyle = stroke; ctx.fillText(text, x, y); });
  ctx.textAlign = "center";
  for (const { x, labelX, y, number, bottom, at } of flags) {
    ctx.strokeStyle = ctx.fillStyle = theme.accent;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x, bottom);
    if (at !== null) { ctx.moveTo(x + 6, at); ctx.arc(x, at, 6, 0, 2 * Math.PI); }
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(labelX, y, FLAG, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = theme.paper;
    ctx.fillText(number, labelX, y + 4);
  }
  ctx.restore();
}

export function decorationsSvg({ markers, letters, flags }, theme) {
  const font = 'font-family="system-ui, sans-serif" font-size="12" font-weight="600"';
  return [
    ...markers.map(({ x, y, marker, stroke }) => `<path transform="translate(${fixed(x)} ${fixed(y)})" d="${markerPath(marker)}" stroke="${stroke}" stroke-width="1.4" fill="${isFilled(marker) ? stroke : theme.paper}"/>`),
    ...letters.map(({ x, y, text, stroke }) => `<text x="${fixed(x)}" y="${fixed(y)}" ${font} fill="${stroke}">${escaped(text)}</text>`),
    ...flags.map(({ x, labelX, y, number, bottom, at }) => `<path d="M${fixed(x)} ${fixed(y)}V${fixed(bottom)}" stroke="${theme.accent}"/>`
      + (at === null ? "" : `<circle cx="${fixed(x)}" cy="${fixed(at)}" r="6" fill="none" stroke="${theme.accent}"/>`)
      + `<circle cx="${fixed(labelX)}" cy="${fixed(y)}" r="${FLAG}" fill="${theme.accent}"/><text x="${fixed(labelX)}" y="${fixed(y + 4)}" ${font} text-anchor="middle" fill="${theme.paper}">${number}</text>`),
  ].join("");
}
