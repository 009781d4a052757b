// Scalars over time: losses on the right axis, dotted; the table has the values at the cursor.
import { Chart } from "../charts/charts.js";
import { lineStyle } from "../../../../pages/parts/colors.js";
import { indexAt } from "../cursor.js";
import { element, svgElement } from "../../../../pages/parts/dom.js";
import { linearBelow, numberText } from "../../../../pages/parts/numbers.js";
import { isLoss } from "../state.js";

const DOTTED = [2, 4];
const LEAST_HEIGHT = 120; // pixels

export class ScalarsPanel {
  constructor({ onPick }) {
    this.place = element("div", { class: "chart", role: "img" });
    this.table = element("table", { class: "values" });
    this.empty = element("p", { class: "empty", hidden: true }, "No scalar is shown. Choose some in the tree.");
    this.root = element("section", { class: "scalars", "aria-label": "Scalars over time" }, this.place, this.empty, element("div", { class: "legend", tabindex: "0", role: "region", "aria-label": "Values at the cursor" }, this.table));
    this.chart = new Chart(this.place, { onPick });
    this.lines = [];
  }

  // Fetch the shown scalars of one or two runs.
  async load(runs, shown) {
    const names = [...shown];
    const wanted = names.flatMap((name, k) => runs.map((run, which) => ({ name, k, run, which })).filter(({ run }) => run.scalarNames().includes(name)));
    this.lines = await Promise.all(wanted.map(async ({ name, k, run, which }) => ({ ...(await run.scalar(name)), name, k, which, run })));
  }

  draw(theme, isLog) {
    const isEmpty = this.lines.length === 0;
    this.empty.hidden = !isEmpty;
    this.place.hidden = isEmpty;
    this.lines = this.lines.map((line) => ({ ...line, ...styleOf(line, theme.isDark), label: labelOf(line, this.lines) }));
    this.fillTable();
    if (isEmpty) return this.chart.remove();
    const log = isLog ? { left: this.threshold("left"), right: this.threshold("right") } : null;
    const { clientWidth, clientHeight } = this.place;
    const size = { width: Math.max(200, clientWidth), height: Math.max(LEAST_HEIGHT, clientHeight) };
    return this.chart.draw({ lines: this.lines, size, theme, log });
  }

  threshold(side) {
    const ends = this.lines.filter((line) => line.side === side).flatMap(({ values }) => [...values].filter(Number.isFinite)).reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
    return linearBelow(...ends);
  }

  fillTable() {
    this.cells = this.lines.map(() => element("td"));
    this.table.replaceChildren(element("caption", {}), ...this.lines.map((line, k) => element("tr", {}, element("th", { scope: "row", title: line.label }, swatch(line), element("span", {}, line.label)), this.cells[k])));
  }

  // Show the values at a step; return them in words.
  setStep(step) {
    const points = this.lines.map((line) => {
      const at = indexAt(line.steps, step);
      return { step: line.steps[at], value: at < 0 ? undefined : line.values[at], side: line.side };
    });
    points.forEach(({ value }, k) => { this.cells[k].textContent = numberText(value); });
    this.table.caption.textContent = `step ${numberText(step, 9)}`;
    this.chart.setMarks({ step, points });
    const words = this.lines.map((line, k) => `${line.label} ${numberText(points[k].value)}`);
    this.place.setAttribute("aria-label", `Lines of ${this.lines.length} scalars over the steps. At step ${numberText(step, 9)}: ${words.join(", ")}.`);
    return words;
  }
}

function styleOf(line, isDark) {
  const style = lineStyle(line.k, isDark);
  const side = isLoss(line.name) ? "right" : "left";
  const dash = side === "right" ? DOTTED : style.dash;
  return { stroke: style.stroke, side, dash: line.which ? [...(dash.length ? dash : [6]), 6] : dash, width: line.which ? 1 : 1.8 };
}

function labelOf({ name, which }, lines) {
  return lines.some((line) => line.which === 1) ? `${"AB"[which]} ${name}` : name;
}

function swatch({ stroke, dash }) {
  const picture = svgElement("svg", { class: "swatch", viewBox: "0 0 30 8", "aria-hidden": "true" });
  picture.append(svgElement("path", { d: "M0 4H30", stroke, "stroke-width": 2.4, "stroke-dasharray": dash.join(" ") }));
  return picture;
}
