// Charts drawn by uPlot: lines on one or two axes, a cursor with marks, cells of a histogram.
import { chartSvg } from "./chart_svg.js";
import { numberText, symlogTicks } from "../../../../pages/parts/numbers.js";
import { uPlot } from "../uplot.js";

const AXIS_FONT = "12px system-ui, sans-serif";

// uPlot leaves a gap where a value is null; series with other steps are joined without one.
function drawable(values) {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

export class Chart {
  constructor(place, { label, onPick }) {
    this.place = place;
    this.label = label;
    this.onPick = onPick;
    this.plot = null;
    this.zoom = null;
    this.marks = null;
  }

  // `lines` are { steps, values, side, stroke, dash }; `cells` a histogram; `ranges` fixes an axis.
  draw({ lines, cells = null, size, theme, log = null, ranges = {}, points = false, hasNames = false }) {
    this.remove();
    this.hasNames = hasNames;
    this.lines = lines;
    this.cells = cells;
    this.theme = theme;
    const tables = lines.length ? lines.map(({ steps, values }) => [[...steps], drawable(values)]) : [[[0], [null]]];
    this.data = uPlot.join(tables, tables.map(() => [1, 1]));
    this.plot = new uPlot(this.optionsOf(size, log, ranges, points), this.data, this.place);
    if (this.zoom) this.plot.setScale("x", this.zoom);
    this.listen();
  }

  optionsOf(size, log, ranges, points) {
    const sides = new Set(this.lines.map((line) => line.side));
    if (sides.size === 0) sides.add("left");
    const scale = (side) => ({
      auto: true,
      ...(log?.[side] ? { distr: 4, asinh: log[side] } : {}),
      range: (plot, low, high) => rangeWithRoom(ranges[side]?.low ?? low, ranges[side]?.high ?? high, Boolean(log?.[side]), log?.[side]),
    });
    const isSingle = this.data[0].length === 1;
    return {
      ...size,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      scales: {
        x: { time: false, ...(isSingle ? { range: (_, low, high) => [low - 1, high + 1] } : {}) },
        left: scale("left"),
        right: scale("right"),
      },
      axes: [this.axis("x", 2, true), ...[...sides].sort().map((side, k) => this.axis(side, side === "left" ? 3 : 1, k === 0, log?.[side]))],
      series: [{}, ...this.lines.map((line) => ({
        scale: line.side, stroke: line.stroke, width: line.width ?? 1.6, dash: line.dash, spanGaps: false,
        points: { show: points || undefined, size: 4 },
      }))],
      hooks: { drawAxes: [(plot) => this.drawCells(plot)], draw: [(plot) => this.drawMarks(plot)], setScale: [(plot, key) => key === "x" && this.noteZoom(plot)] },
    };
  }

  axis(scale, side, hasGrid, threshold = null) {
    const { soft, grid } = this.theme;
    const symmetric = { splits: (plot, at, low, high) => symlogTicks(low, high, threshold), filter: (plot, splits) => splits };
    return {
      ...(threshold ? symmetric : {}),
      scale, side, font: AXIS_FONT, stroke: soft, size: scale === "x" ? 30 : 62, space: scale === "x" ? 55 : 28,
      grid: { show: hasGrid, stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 },
      values: (plot, splits) => splits.map((value) => (value === null ? "" : numberText(value, 6))),
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
    for (const line of this.lines) crossMissing(plot, line, ratio);
    if (this.hasNames) writeNames(ctx, this.lines, bbox.left, bbox.top, ratio);
    if (this.marks) {
      const x = plot.valToPos(this.marks.step, "x", true);
      ctx.strokeStyle = this.theme.accent;
      ctx.setLineDash([4 * ratio, 4 * ratio]);
      ctx.lineWidth = 1.2 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillStyle = this.theme.accent;
      for (const { step, value, side } of this.marks.points.filter((point) => Number.isFinite(point.value))) {
        ctx.fillRect(plot.valToPos(step, "x", true) - 3 * ratio, plot.valToPos(value, side, true) - 3 * ratio, 6 * ratio, 6 * ratio);
      }
    }
    ctx.restore();
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
      const top = plot.valToPos(high, "left", true), bottom = plot.valToPos(low, "left", true);
      ctx.fillStyle = color;
      ctx.fillRect(Math.floor(left), Math.floor(top), Math.ceil(right - left) + 0.5, Math.ceil(bottom - top) + 0.5);
    }
    ctx.restore();
  }

  noteZoom(plot) {
    const { min, max } = plot.scales.x;
    const all = this.data[0];
    this.zoom = min > all[0] || max < all.at(-1) ? { min, max } : null;
  }

  zoomBy(factor, center) {
    if (!this.plot) return;
    const { min, max } = this.plot.scales.x;
    const all = this.data[0];
    const half = ((max - min) * factor) / 2;
    const low = Math.max(all[0], center - half), high = Math.min(all.at(-1), center + half);
    if (factor === Infinity || low >= high) this.plot.setScale("x", { min: all[0], max: all.at(-1) });
    else this.plot.setScale("x", { min: low, max: high });
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

  // The room for the names of the lines beside the chart, where they are not in it.
  get namesWidth() {
    const longest = Math.max(0, ...this.lines.map(({ label }) => label.length));
    return this.hasNames || longest === 0 ? 0 : 50 + 7 * longest;
  }

  // A copy of what is drawn, with the names of the lines.
  get canvas() {
    const { ctx, bbox } = this.plot;
    const copy = document.createElement("canvas");
    copy.width = ctx.canvas.width + this.namesWidth * uPlot.pxRatio;
    copy.height = ctx.canvas.height;
    const context = copy.getContext("2d");
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(ctx.canvas, 0, 0);
    if (!this.hasNames) writeNames(context, this.lines, ctx.canvas.width, bbox.top, uPlot.pxRatio);
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

// A twentieth of the range stays free above and below; a constant is drawn in the middle.
function rangeWithRoom(low, high, isLog, threshold) {
  if (low === null || low === undefined) return [0, 1];
  if (low === high) return low === 0 ? [-1, 1] : [low - Math.abs(low) / 2, low + Math.abs(low) / 2];
  if (!isLog) return [low - (high - low) / 20, high + (high - low) / 20];
  const room = (Math.asinh(high / threshold) - Math.asinh(low / threshold)) / 20;
  return [threshold * Math.sinh(Math.asinh(low / threshold) - room), threshold * Math.sinh(Math.asinh(high / threshold) + room)];
}

function writeNames(context, lines, left, top, ratio) {
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textAlign = "left";
  context.lineWidth = 2 * ratio;
  lines.forEach(({ label, stroke, dash }, k) => {
    const x = left + 8 * ratio, y = top + (14 + 14 * k) * ratio;
    context.strokeStyle = context.fillStyle = stroke;
    context.setLineDash((dash ?? []).map((length) => length * ratio));
    context.beginPath();
    context.moveTo(x, y - 4 * ratio);
    context.lineTo(x + (label ? 26 * ratio : 0), y - 4 * ratio);
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
