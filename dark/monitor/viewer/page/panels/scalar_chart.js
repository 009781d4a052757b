// One of the small multiples: the scalars of one kind, of all runs.
import { axisOf, drawnLine, positionText, positionsOf } from "../axes.js";
import { Chart } from "../charts/charts.js";
import { legendSvg, paintLegend } from "../charts/legend.js";
import { scaleOf } from "../charts/scales.js";
import { swatch } from "../charts/swatch.js";
import { flagsOf } from "../findings.js";
import { legendOf } from "../series.js";
import { nearestIndex } from "../cursor.js";
import { element } from "../../../../pages/parts/dom.js";
import { numberText } from "../../../../pages/parts/numbers.js";

const LETTER_ROOM = 7, BELOW = 60; // pixels of a letter of a title, and below and above the vertical axis

export class ScalarChart {
  constructor({ title, onPick, onZoom }) {
    this.title = title;
    this.legend = element("span", { class: "names" });
    this.place = element("div", { class: "chart", role: "img" });
    this.root = element("div", { class: "small" }, element("div", { class: "head", "aria-hidden": "true" }, element("strong", {}, title), this.legend), this.place);
    this.chart = new Chart(this.place, { onPick, onZoom });
  }

  // `lines` are distinguished and have their colors; `plot` says the axis.
  draw({ lines, plot, isLog, size, theme, findings, open, zoom }) {
    Object.assign(this, { plot, theme });
    this.lines = lines.map((line) => ({ ...line, drawn: drawnLine(line, plot) }));
    const main = this.lines.map((line) => ({ ...styleOf(line), steps: line.drawn.steps, values: line.drawn.values, unsmoothed: plot.smoothing ? line.drawn.raw : null }));
    const pale = plot.smoothing ? this.lines.map((line) => ({ ...styleOf(line), width: 1, marker: null, letter: "", isRaw: true, steps: line.drawn.steps, values: line.drawn.raw })) : [];
    const all = [...pale, ...main];
    const y = scaleOf(all.map(({ values }) => values), isLog);
    const isTime = plot.axis === "wall" && !plot.isAligned;
    const x = scaleOf(main.map(({ steps }) => steps), plot.isStepLog && !isTime);
    const flags = flagsOf(findings, open, this.lines, (line, step) => this.positionIn(line, step));
    this.flags = flags;
    this.entries = legendOf(this.lines, this.title);
    this.legend.replaceChildren(...this.entries.map(([sample, text]) => element("span", {}, sample && swatch(sample), text)));
    this.chart.zoom = zoom;
    this.yName = y.name;
    const title = axisOf(plot.axis).title;
    this.chart.draw({
      lines: all, size, theme, flags, isTime, scales: { x, y },
      titles: { x: `${plot.isAligned && plot.axis === "wall" ? "time (s)" : title}${plot.isAligned ? " since the first" : ""}${x.short}`, y: size.height > LETTER_ROOM * (this.title + y.short).length + BELOW ? this.title + y.short : `value${y.short}` },
      xText: (place) => (isTime ? positionText("wall", place) : positionText(plot.axis === "wall" ? "elapsed" : plot.axis, place)),
    });
  }

  positionIn({ run }, step) {
    return positionsOf(run, [step], this.plot.axis, this.plot.isAligned)[0];
  }

  // Mark the values at the cursor: `points` has for each line its step, position and value, `x` is the cursor's place.
  setMarks(x, points, stepText) {
    this.chart.setMarks({ step: x, points: points.map((point) => ({ step: point.x, value: this.drawnValue(point) })) });
    const words = points.map(({ line, value }) => `${line.label} ${numberText(value)}`);
    const found = [...new Set(this.flags.filter(({ value }) => value !== null).map(({ number }) => number))];
    const axis = this.yName === "linear" ? "" : `, on the ${this.yName}`;
    this.place.setAttribute("aria-label", `Chart of ${this.title}: ${points.length} line${points.length > 1 ? "s" : ""} over ${axisOf(this.plot.axis).text}${axis}. At ${stepText}: ${words.join(", ")}.${found.length ? ` Findings of the doctor here: ${found.join(", ")}.` : ""}`);
  }

  // Where a line is at the cursor: on the smoothed one, if there is one.
  drawnValue({ line, x, value }) {
    const { steps, values } = this.lines.find((own) => own.name === line.name && own.which === line.which).drawn;
    return Number.isFinite(value) && Number.isFinite(x) ? values[nearestIndex(steps, x)] : value;
  }

  // For saving: the title and the legend above the chart.
  get canvas() {
    const { canvas } = this.chart;
    const ratio = canvas.width / this.chart.plot.width, head = Math.round(this.headHeight * ratio);
    const whole = element("canvas", { width: canvas.width, height: canvas.height + head });
    const context = whole.getContext("2d");
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, whole.width, whole.height);
    context.drawImage(canvas, 0, head);
    context.scale(ratio, ratio);
    paintLegend(context, this.entries, this.title, this.chart.plot.width, this.theme);
    return whole;
  }

  get headHeight() {
    return this.root.firstChild.offsetHeight;
  }

  svg() {
    return `${legendSvg(this.entries, this.title, this.chart.plot.width, this.theme)}<g transform="translate(0 ${this.headHeight})">${this.chart.svg()}</g>`;
  }

  remove() {
    this.chart.remove();
    this.root.remove();
  }
}

function styleOf({ stroke, marker, letter, hasLetter, label }) {
  return { stroke, marker, letter: hasLetter ? letter : "", label, width: 1.8 };
}
