// Scalars over time as small charts, one for each kind; the table has the values at the cursor.
import { positionText, positionsOf } from "../axes.js";
import { gridOf } from "../charts/grid.js";
import { swatch } from "../charts/swatch.js";
import { indexAt } from "../cursor.js";
import { lineStyle } from "../../../../pages/parts/colors.js";
import { element } from "../../../../pages/parts/dom.js";
import { numberText } from "../../../../pages/parts/numbers.js";
import { ScalarChart } from "./scalar_chart.js";
import { ScalarsBar } from "./scalars_bar.js";
import { chartsOf, distinguished, LETTERS } from "../series.js";

const LEAST_SMALL = { width: 250, height: 160 }; // pixels of a chart; more than fit are scrolled to
const SMALL_HEAD = 24; // pixels above a chart

export class ScalarsPanel {
  constructor({ act, setPlot, onPick }) {
    this.onPick = onPick;
    this.bar = new ScalarsBar({ act, setPlot });
    this.place = element("div", { class: "charts" });
    this.table = element("table", { class: "values" });
    this.empty = element("p", { class: "empty", hidden: true }, "No scalar is shown. Choose some in the tree.");
    this.root = element("section", { class: "scalars", "aria-label": "Scalars over time" }, this.bar.root, this.place, this.empty, element("div", { class: "legend", tabindex: "0", role: "region", "aria-label": "Values at the cursor" }, this.table));
    this.charts = [];
    this.lines = [];
    this.zoom = null;
  }

  // Fetch the shown scalars of the runs.
  async load(runs, shown) {
    const wanted = [...shown].flatMap((name) => runs.map((run, which) => ({ name, run, which })).filter(({ run }) => run.scalarNames().includes(name)));
    this.runs = runs;
    this.lines = await Promise.all(wanted.map(async ({ name, run, which }) => ({ ...(await run.scalar(name)), name, which, run })));
  }

  // `findings` are those of the doctor, `open` the place of the one that is open.
  draw({ theme, plot, isLog, findings, open }) {
    const isEmpty = this.lines.length === 0;
    this.empty.hidden = !isEmpty;
    this.place.hidden = isEmpty;
    this.bar.show(this.runs, plot, isLog);
    if (this.axis !== `${plot.axis} ${plot.isAligned}`) this.zoom = null;
    this.axis = `${plot.axis} ${plot.isAligned}`;
    this.plot = plot;
    const groups = chartsOf(this.lines).map((chart) => ({ title: chart.title, lines: distinguished(chart, this.runs.length).map((line) => ({ ...line, ...lineStyle(line.color, theme.isDark), label: this.labelOf(line) })) }));
    this.lines = groups.flatMap(({ lines }) => lines);
    this.fillTable();
    this.keepCharts(groups.map(({ title }) => title));
    const { clientWidth, clientHeight } = this.place;
    const { columns, width, height } = gridOf(groups.length, { width: Math.max(200, clientWidth - 4), height: Math.max(LEAST_SMALL.height, clientHeight) }, 1, LEAST_SMALL);
    this.place.style.setProperty("--columns", columns);
    groups.forEach(({ lines }, k) => this.charts[k].draw({ lines, plot, isLog, theme, findings, open, zoom: this.zoom, size: { width, height: height - SMALL_HEAD } }));
  }

  // A chart for each title, in this order; those that were there stay.
  keepCharts(titles) {
    const known = new Map(this.charts.map((chart) => [chart.title, chart]));
    this.charts = titles.map((title) => known.get(title) ?? new ScalarChart({ title, onPick: (x) => this.onPick(x), onZoom: (zoom) => this.setZoom(zoom) }));
    known.forEach((chart, title) => titles.includes(title) || chart.remove());
    if (this.charts.some(({ root }, k) => this.place.children[k] !== root)) this.place.replaceChildren(...this.charts.map(({ root }) => root));
  }

  labelOf({ name, which }) {
    return this.runs.length > 1 ? `${LETTERS[which]} ${name}` : name;
  }

  fillTable() {
    this.cells = this.lines.map(() => element("td"));
    this.table.replaceChildren(element("caption", {}), ...this.lines.map((line, k) => element("tr", {}, element("th", { scope: "row", title: `${line.label}${this.runs.length > 1 ? ` (${line.run.name})` : ""}` }, swatch(line), element("span", {}, line.label)), this.cells[k])));
  }

  // Show the values at a step of the timeline; return them in words.
  setStep(step) {
    const { axis, isAligned } = this.plot;
    const points = this.lines.map((line) => {
      const at = indexAt(line.steps, step + line.run.offset);
      return { line, x: at < 0 ? NaN : positionsOf(line.run, [line.steps[at]], axis, isAligned)[0], value: at < 0 ? undefined : line.values[at] };
    });
    points.forEach(({ value }, k) => { this.cells[k].textContent = numberText(value); });
    const [x = NaN] = this.runs.map((run) => positionsOf(run, [step + run.offset], axis, isAligned)[0]).filter(Number.isFinite);
    const text = `step ${numberText(step, 9)}`;
    this.table.caption.textContent = axis === "step" ? text : `${text} · ${positionText(isAligned && axis === "wall" ? "elapsed" : axis, x)}`;
    for (const chart of this.charts) chart.setMarks(x, points.filter(({ line }) => chart.lines.some((own) => own.name === line.name && own.which === line.which)), text);
    this.cursor = x;
    return points.map(({ line, value }) => `${line.label} ${numberText(value)}`);
  }

  setZoom(zoom) {
    this.zoom = zoom;
    for (const { chart } of this.charts) if (chart.zoom?.min !== zoom?.min || chart.zoom?.max !== zoom?.max) chart.setZoom(zoom);
  }

  // All charts have the same range; the first one computes it.
  zoomBy(factor) {
    this.charts[0]?.chart.zoomBy(factor, this.cursor);
  }

  // Scroll to the chart of a scalar.
  reveal(name) {
    this.charts.find(({ lines }) => lines.some((line) => line.name === name))?.root.scrollIntoView({ block: "nearest" });
  }

  remove() {
    this.charts.forEach((chart) => chart.remove());
  }
}
