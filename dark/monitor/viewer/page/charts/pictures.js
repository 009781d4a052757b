// One picture of the tensor panel: a line, a histogram, a number, or a message; each can be saved.
import { Chart } from "./charts.js";
import { lineStyle } from "../../../../pages/parts/colors.js";
import { element } from "../../../../pages/parts/dom.js";
import { histogramCells } from "./histogram.js";
import { numberText, shapeText, statisticsText, brokenLines } from "../../../../pages/parts/numbers.js";
import { tensorScale } from "./scales.js";
import { textSvg } from "../../../../pages/parts/svg.js";

const NOTE_HEIGHT = 18; // pixels of a line of the head above a chart

// The elements of a vector as a line, one line a run.
export class LinePicture {
  constructor({ title, tensors, range, look, size, theme, onCell }) {
    this.title = title;
    this.theme = theme;
    const [{ tensor }] = tensors;
    const statistics = tensors.map((one) => (one.label ? `${one.label}: ` : "") + statisticsText(one.tensor.statistics)).join("  |  ");
    this.head = headOf(look.plain ? null : title, `${shapeText(tensor.wholeShape ?? tensor.shape)} · ${statistics}${tensor.thinned ? ` · ${tensor.thinned}` : ""}`, size.width);
    this.alt = `Line of ${title}, ${shapeText(tensor.shape)}: ${statistics}.`;
    const place = element("div", { class: "chart" });
    this.root = element("div", { class: "picture line", style: `width:${size.width}px`, role: "img", tabindex: "0", "aria-label": this.alt, "aria-roledescription": "line; the arrow keys read its elements" }, this.head, place);
    this.lines = tensors.map((one, k) => ({
      ...lineStyle(k, theme.isDark), steps: Float64Array.from(one.tensor.values, (_, at) => at * (tensor.strides?.[0] ?? 1)), values: one.tensor.values, label: one.label ?? "", marker: tensors.length > 1 ? k : null,
    }));
    this.chart = new Chart(place, { onPick: (x) => this.read(Math.round(x / (tensor.strides?.[0] ?? 1)), onCell) });
    this.chart.draw({
      lines: this.lines, size: { width: size.width, height: size.height - heightOf(this.head) }, theme, scales: { y: tensorScale(range.low, range.high, look.log) }, range,
      titles: { x: "index", y: "value" }, points: tensor.values.length <= 60, hasNames: tensors.length > 1, xText: (x) => `[${x}]`,
    });
    this.at = -1;
    this.root.addEventListener("keydown", (event) => this.onKey(event, onCell));
  }

  onKey(event, onCell) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.read(this.at + way, onCell);
  }

  read(k, onCell) {
    const [{ steps, values }] = this.lines;
    this.at = Math.max(0, Math.min(values.length - 1, k));
    this.chart.setMarks({ step: steps[this.at], points: this.lines.map((line) => ({ step: steps[this.at], value: line.values[this.at] })) });
    onCell(`[${steps[this.at]}] = ${this.lines.map((line) => numberText(line.values[this.at], 7)).join(", ")}`);
  }

  get canvas() {
    return withHead(this.head, this.chart.canvas, this.theme);
  }

  svg() {
    return headSvg(this.head, this.theme) + `<g transform="translate(0 ${heightOf(this.head)})">${this.chart.svg()}</g>`;
  }

  remove() {
    this.chart.remove();
  }
}

// The distribution of a tensor's values over the steps.
export class HistogramPicture {
  constructor({ title, summary, step, look, size, theme, onPick }) {
    this.theme = theme;
    this.summary = summary;
    const some = summary.taken < summary.of ? `${summary.taken} of ${summary.of} steps` : `${summary.of} steps`;
    const text = `values from ${numberText(summary.low)} to ${numberText(summary.high)} · ${some}${summary.missing ? ` · ${summary.missing} values are not finite` : ""}`;
    this.head = headOf(look.plain ? null : `${title} — histogram over time`, text, size.width);
    this.alt = `Histograms of ${title} over time: ${text}. The cursor is at step ${numberText(step, 9)}.`;
    const place = element("div", { class: "chart" });
    this.root = element("div", { class: "picture histogram", style: `width:${size.width}px`, role: "img", tabindex: "0", "aria-label": this.alt }, this.head, place);
    const edges = summary.edges;
    const line = { steps: summary.steps, values: summary.steps.map(() => NaN), stroke: "transparent", label: "", isRaw: true };
    this.chart = new Chart(place, { onPick });
    this.chart.draw({
      lines: [line], cells: histogramCells(summary, theme.isDark), size: { width: size.width, height: size.height - heightOf(this.head) }, theme,
      scales: { y: tensorScale(summary.low, summary.high, look.log) }, range: { low: edges[0], high: edges.at(-1) }, titles: { x: "step", y: "value" },
    });
    this.chart.setMarks({ step, points: [] });
  }

  get canvas() {
    return withHead(this.head, this.chart.canvas, this.theme);
  }

  svg() {
    return headSvg(this.head, this.theme) + `<g transform="translate(0 ${heightOf(this.head)})">${this.chart.svg()}</g>`;
  }

  remove() {
    this.chart.remove();
  }
}

// A single number, or a sentence where there is nothing to draw.
export class TextPicture {
  constructor({ title, text, note = "", size, theme, isNumber = false }) {
    this.theme = theme;
    this.size = size;
    this.head = headOf(title, note, size.width);
    this.text = text;
    this.alt = `${title}: ${text}${note ? ` (${note})` : ""}`;
    this.root = element("div", { class: "picture text", style: `width:${size.width}px`, role: "img", tabindex: "0", "aria-label": this.alt }, this.head, element("p", { class: isNumber ? "number" : "message" }, text));
  }

  get canvas() {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * this.size.width;
    canvas.height = 2 * this.size.height;
    const context = canvas.getContext("2d");
    context.scale(2, 2);
    paintHead(context, this.head, this.theme);
    context.font = "32px system-ui, sans-serif";
    context.fillText(this.text, 8, 100);
    return canvas;
  }

  svg() {
    return headSvg(this.head, this.theme) + `<text x="8" y="100" font-family="system-ui, sans-serif" font-size="32" fill="${this.theme.ink}">${this.text}</text>`;
  }

  remove() {}
}

// A title, and a note in as many lines as its width in pixels asks for.
function headOf(title, note, width) {
  const lines = title === null ? [""] : brokenLines(note, width - 16);
  return element("div", { class: "head", "aria-hidden": "true", style: `height:${4 + NOTE_HEIGHT * (1 + lines.length)}px` }, element("strong", {}, title ?? ""), ...lines.map((line) => element("span", {}, line)));
}

function heightOf(head) {
  return 4 + NOTE_HEIGHT * head.children.length;
}

function headSvg(head, theme) {
  const [title, ...notes] = [...head.children].map((child) => child.textContent);
  return textSvg({ x: 8, y: 15, text: title, role: "title" }, theme) + notes.map((text, k) => textSvg({ x: 8, y: 32 + NOTE_HEIGHT * k, text, role: "note" }, theme)).join("");
}

function paintHead(context, head, theme) {
  const [title, ...notes] = [...head.children].map((child) => child.textContent);
  context.fillStyle = theme.soft;
  context.font = "12.5px system-ui, sans-serif";
  notes.forEach((text, k) => context.fillText(text, 8, 32 + NOTE_HEIGHT * k));
  context.fillStyle = theme.ink;
  context.font = "600 13.5px system-ui, sans-serif";
  context.fillText(title, 8, 15);
}

function withHead(head, chart, theme) {
  const ratio = devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = chart.width;
  canvas.height = chart.height + heightOf(head) * ratio;
  const context = canvas.getContext("2d");
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, heightOf(head) * ratio);
  context.scale(ratio, ratio);
  paintHead(context, head, theme);
  return canvas;
}
