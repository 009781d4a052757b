// Charts drawn by uPlot: lines, a cursor with marks, markers and letters of the lines, cells of a histogram.
import { chartSvg } from "./chart_svg.js";
import { decorations, paintDecorations } from "./decorations.js";
import { numberText } from "../../../../pages/parts/numbers.js";
import { rangeWithRoom, scaleOf, ticksOf } from "./scales.js";
import { addTooltip } from "./tooltip.js";
import { uPlot } from "../uplot.js";

const AXIS_FONT = "12px system-ui, sans-serif";
const LINEAR_AXIS = scaleOf([], false);

// uPlot leaves a gap where a value is null; series with other steps are joined without one.
function drawable(values) {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

export class Chart {
  // `onPick(x)` is called for a click, `onZoom(range)` when the reader zooms; null is the whole range.
  constructor(place, { onPick, onZoom = null }) {
    Object.assign(this, { place, onPick, onZoom });
    this.plot = null;
    this.zoom = null;
    this.marks = null;
    this.flags = [];
  }

  // `lines` are { steps, values, stroke, width, label, marker, letter, raw }; `cells` a histogram; `range` fixes the
  // vertical axis; `scales` and `titles` have x and y; `flags` are numbers at positions; `xText` says a position.
  draw({ lines, cells = null, size, theme, scales = {}, titles = {}, range = null, points = false, hasNames = false, flags = [], isTime = false, xText = numberText }) {
    this.remove();
    const scale = { x: scales.x ?? LINEAR_AXIS, y: scales.y ?? LINEAR_AXIS };
    Object.assign(this, { hasNames, lines, cells, theme, scale, titles, flags });
    const tables = lines.length ? lines.map(({ steps, values }) => [[...steps], drawable(values)]) : [[[0], [null]]];
    this.data = uPlot.join(tables, tables.map(() => [1, 1]));
    this.plot = new uPlot(this.optionsOf(size, range, points, isTime), this.data, this.place);
    if (this.zoom) this.setZoom(this.zoom);
    this.listen();
    if (lines.some(({ values }) => values.length)) addTooltip(this, xText);
  }

  optionsOf(size, range, points, isTime) {
    const { x, y } = this.scale;
    const distribution = ({ distr, threshold }) => (distr === 1 ? {} : { distr, ...(threshold ? { asinh: threshold } : { log: 10 }) });
    const isSingle = this.data[0].length === 1;
    return {
      ...size,
      legend: { show: false },
      padding: [8, this.lines.some(({ letter }) => letter) ? 20 : 12, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      scales: {
        x: { time: isTime, ...distribution(x), range: (_, low, high) => (isSingle ? aroundOne(low, x) : [low, high]) },
        y: { auto: true, ...distribution(y), range: (plot, low, high) => rangeWithRoom(range?.low ?? low, range?.high ?? high, y) },
      },
      axes: [this.axis("x", 2, isTime), this.axis("y", 3, false)],
      series: [{}, ...this.lines.map((line) => ({
        scale: "y", stroke: line.stroke, width: line.width ?? 1.6, dash: line.dash, alpha: line.isRaw ? 0.3 : 1, spanGaps: false,
        points: { show: line.isRaw ? false : points || undefined, size: 4 },
      }))],
      hooks: { drawAxes: [(plot) => this.drawCells(plot)], draw: [(plot) => this.drawMarks(plot)], setScale: [(plot, key) => key === "x" && this.noteZoom(plot)] },
    };
  }

  axis(name, side, isTime) {
    const { soft, grid } = this.theme;
    const scale = this.scale[name], title = this.titles[name];
    const own = scale.distr === 1 ? {} : { splits: (plot, at, low, high) => ticksOf(scale, low, high), filter: (plot, splits) => splits };
    return {
      ...own, scale: name, side, font: AXIS_FONT, stroke: soft, size: name === "x" ? (isTime ? 38 : 24) : (plot, texts) => widthOf(texts), space: name === "x" ? 55 : 26,
      ...(title ? { label: title, labelSize: 18, labelGap: 0, labelFont: AXIS_FONT } : {}),
      grid: { show: true, stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 },
      ...(isTime ? {} : { values: (plot, splits) => splits.map((value) => (value === null ? "" : numberText(value, 6))) }),
    };
  }

  // Squares and a dashed line at the cursor; crosses at the bottom where a value is not finite.
  setMarks(marks) {
    this.marks = marks;
    this.plot?.redraw(false);
  }

  drawMarks(plot) {
    const { ctx, bbox } = plot;
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - 4 * ratio, bbox.top, bbox.width + 8 * ratio, bbox.height);
    ctx.clip();
    for (const line of this.lines) if (!line.isRaw) crossMissing(plot, line, ratio);
    if (this.hasNames) writeNames(ctx, named(this.lines), bbox, ratio, this.theme);
    if (this.marks) this.drawCursor(ctx, bbox, ratio);
    ctx.restore();
    paintDecorations(ctx, decorations({ ...this, plot }), this.theme, ratio);
  }

  drawCursor(ctx, bbox, ratio) {
    const { plot } = this;
    ctx.strokeStyle = ctx.fillStyle = this.theme.accent;
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.lineWidth = 1.2 * ratio;
    const x = plot.valToPos(this.marks.step, "x", true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    for (const { step, value } of this.marks.points.filter((point) => Number.isFinite(point.value))) {
      ctx.fillRect(plot.valToPos(step, "x", true) - 3 * ratio, plot.valToPos(value, "y", true) - 3 * ratio, 6 * ratio, 6 * ratio);
    }
  }

  drawCells(plot) {
    if (!this.cells) return;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, low, high, color } of this.cells) {
      const left = plot.valToPos(from, "x", true), right = plot.valToPos(to, "x", true);
      const top = plot.valToPos(high, "y", true), bottom = plot.valToPos(low, "y", true);
      ctx.fillStyle = color;
      ctx.fillRect(Math.floor(left), Math.floor(top), Math.ceil(right - left) + 0.5, Math.ceil(bottom - top) + 0.5);
    }
    ctx.restore();
  }

  noteZoom(plot) {
    const { min, max } = plot.scales.x;
    const all = this.data[0];
    const zoom = min > all[0] || max < all.at(-1) ? { min, max } : null;
    const isNew = zoom?.min !== this.zoom?.min || zoom?.max !== this.zoom?.max;
    this.zoom = zoom;
    if (isNew) this.onZoom?.(zoom);
  }

  // Show a range of positions; null shows all.
  setZoom(zoom) {
    const all = this.data[0];
    if (!zoom || zoom.min >= all.at(-1) || zoom.max <= all[0]) this.plot.setScale("x", { min: all[0], max: all.at(-1) });
    else this.plot.setScale("x", zoom);
  }

  zoomBy(factor, center) {
    if (!this.plot) return;
    const { forward, backward } = this.scale.x;
    const { min, max } = this.plot.scales.x;
    const all = this.data[0];
    const half = ((forward(max) - forward(min)) * factor) / 2;
    const low = Math.max(all[0], backward(forward(center) - half)), high = Math.min(all.at(-1), backward(forward(center) + half));
    this.setZoom(factor === Infinity || !(low < high) ? null : { min: low, max: high });
  }

  listen() {
    let pressed = null;
    const { over } = this.plot;
    over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
    over.addEventListener("mouseup", (event) => {
      if (pressed !== null && Math.abs(event.clientX - pressed) < 4) this.onPick?.(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
      pressed = null;
    });
  }

  // A copy of what is drawn.
  get canvas() {
    const { ctx } = this.plot;
    const copy = document.createElement("canvas");
    copy.width = ctx.canvas.width;
    copy.height = ctx.canvas.height;
    const context = copy.getContext("2d");
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(ctx.canvas, 0, 0);
    return copy;
  }

  svg() {
    return chartSvg(this);
  }

  remove() {
    this.plot?.destroy();
    this.plot = null;
  }
}

// The range about a single position.
function aroundOne(x, { distr }) {
  return distr === 3 ? [x / 2, x * 2] : [x - 1, x + 1];
}

// The room for the numbers of an axis, in pixels.
function widthOf(texts) {
  return 14 + 7 * Math.max(4, ...(texts ?? []).map((text) => String(text).length));
}

function named(lines) {
  return lines.filter(({ label, isRaw }) => label && !isRaw);
}

function writeNames(context, lines, { left, top }, ratio, theme) {
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textAlign = "left";
  context.lineWidth = 2 * ratio;
  lines.forEach(({ label, stroke, dash }, k) => {
    const x = left + 8 * ratio, y = top + (14 + 15 * k) * ratio;
    context.fillStyle = theme.paper;
    context.globalAlpha = 0.8;
    context.fillRect(x - 2 * ratio, y - 11 * ratio, context.measureText(label).width + 38 * ratio, 15 * ratio);
    context.globalAlpha = 1;
    context.strokeStyle = context.fillStyle = stroke;
    context.setLineDash((dash ?? []).map((length) => length * ratio));
    context.beginPath();
    context.moveTo(x, y - 4 * ratio);
    context.lineTo(x + 26 * ratio, y - 4 * ratio);
    context.stroke();
    context.fillText(label, x + 32 * ratio, y);
  });
  context.setLineDash([]);
}

function crossMissing(plot, line, ratio) {
  const { ctx, bbox } = plot;
  ctx.strokeStyle = line.stroke;
  ctx.lineWidth = 1.5 * ratio;
  ctx.setLineDash([]);
  ctx.beginPath();
  let last = -Infinity;
  for (let k = 0; k < line.steps.length; k += 1) {
    if (Number.isFinite(line.values[k])) continue;
    const x = plot.valToPos(line.steps[k], "x", true), y = bbox.top + bbox.height - 6 * ratio;
    if (x - last < 3 * ratio) continue;
    last = x;
    ctx.moveTo(x - 4 * ratio, y - 4 * ratio);
    ctx.lineTo(x + 4 * ratio, y + 4 * ratio);
    ctx.moveTo(x + 4 * ratio, y - 4 * ratio);
    ctx.lineTo(x - 4 * ratio, y + 4 * ratio);
  }
  ctx.stroke();
}
