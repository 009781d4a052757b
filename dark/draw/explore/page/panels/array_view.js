// The whole array of a node: a heat map whose cells can be read, its histogram, its statistics, its numbers.
import { CellsPicture } from "../../../../pages/parts/cells_picture.js";
import { dialog } from "../../../../pages/parts/dialog.js";
import { download, element, fileName, svgElement } from "../../../../pages/parts/dom.js";
import { numberText, shapeText, statisticsText } from "../../../../pages/parts/numbers.js";
import { indexOf } from "../../../../pages/parts/tiles.js";
import { histogramOf } from "../arrays.js";

const LOOK_OF_CELLS = { aroundZero: true, absolute: false, values: false, unify: false, log: false, plain: false, untitled: true, aspect: null, histogram: false, firstAxes: false };
const PAGE_OF_NUMBERS = 200;

// The heat map of an array, in a width; below it the cell that is read.
export function heatMapOf(title, array, { width, height, theme, values = false, log = false }) {
  const cell = element("p", { class: "cell", "aria-live": "polite" });
  const { statistics } = array;
  const shape = array.shape.length ? array.shape : [1];
  const tensor = { shape, values: array.values, statistics, wholeShape: array.wholeShape, thinned: array.thinned, strides: array.strides };
  const isLine = shape.length === 1;
  const picture = new CellsPicture({
    title, tensor, range: statistics, look: { ...LOOK_OF_CELLS, values, log, aspect: isLine ? false : shape.length > 2 }, theme,
    size: { width, height: isLine ? Math.min(height, 76) : height }, onCell: (text) => { cell.textContent = text; },
  });
  return element("div", {}, picture.root, cell);
}

// The histogram as bars; the finite values between the extremes.
export function histogramSvg(title, array, width, height) {
  const { low, high } = array.statistics;
  const counts = histogramOf(array.values, low, high);
  if (!counts) return null;
  const most = Math.max(...counts), bar = width / counts.length;
  const picture = svgElement("svg", { viewBox: `0 0 ${width} ${height + 16}`, width, height: height + 16, class: "bars", role: "img", "aria-label": `Histogram of ${title}: ${counts.length} bins from ${numberText(low)} to ${numberText(high)}, at most ${most} values in one.` });
  counts.forEach((count, k) => {
    const high = count ? Math.max(1, (count / most) * height) : 0;
    picture.append(svgElement("rect", { x: (k * bar + 0.5).toFixed(2), y: (height - high).toFixed(2), width: (bar - 1).toFixed(2), height: high.toFixed(2) }));
  });
  picture.append(svgElement("path", { d: `M0 ${height}H${width}`, class: "axis" }));
  if (low < 0 && high > 0) {
    const zero = (-low / (high - low)) * width;
    picture.append(svgElement("path", { d: `M${zero.toFixed(1)} 0V${height + 3}`, class: "zero" }), label("0", zero, height + 13, "middle"));
  }
  picture.append(label(numberText(low, 3), 0, height + 13, "start"), label(numberText(high, 3), width, height + 13, "end"));
  return picture;
}

function label(text, x, y, anchor) {
  const made = svgElement("text", { x, y, "text-anchor": anchor });
  made.textContent = text;
  return made;
}

function statisticsTable(array) {
  const { statistics } = array;
  const rows = [["shape", shapeText(array.wholeShape)], ["minimum", statistics.low], ["maximum", statistics.high], ["mean", statistics.mean], ["standard deviation", statistics.std], ["zeros", statistics.zeros], ["NaN", statistics.nan], ["infinite", statistics.infinite]];
  return element("table", { class: "statistics" }, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, typeof value === "number" ? numberText(value, 7) : value)))));
}

// The numbers one below the other with their indices, a page at a time.
function numbersTable(array) {
  const body = element("tbody", {}), text = element("span", {});
  let from = 0;
  const show = (start) => {
    from = Math.max(0, Math.min(start, Math.floor((array.values.length - 1) / PAGE_OF_NUMBERS) * PAGE_OF_NUMBERS));
    const end = Math.min(array.values.length, from + PAGE_OF_NUMBERS);
    text.textContent = ` ${from + 1} to ${end} of ${array.values.length} `;
    body.replaceChildren(...Array.from({ length: end - from }, (_, k) => element("tr", {},
      element("th", { scope: "row" }, `[${wholeIndex(array, from + k).join(", ")}]`), element("td", {}, numberText(array.values[from + k], 8)))));
  };
  show(0);
  const button = (sign, name, way) => element("button", { type: "button", "aria-label": name, onclick: () => show(from + way * PAGE_OF_NUMBERS) }, sign);
  const pages = array.values.length > PAGE_OF_NUMBERS ? element("p", {}, button("◀", "previous numbers", -1), text, button("▶", "next numbers", 1)) : null;
  return element("details", { class: "numbers" }, element("summary", {}, "Numbers"), pages, element("div", { class: "scrolled", tabindex: "0" }, element("table", {}, body)));
}

function wholeIndex(array, offset) {
  return indexOf(array.shape, offset).map((k, axis) => k * array.strides[axis]);
}

export function csvOf(array) {
  const axes = array.shape.map((_, axis) => `axis ${axis}`);
  const lines = [[...axes, "value"].join(",")];
  array.values.forEach((value, k) => lines.push([...wholeIndex(array, k), value].join(",")));
  return `${lines.join("\n")}\n`;
}

// The value and the gradient of a node, if they are arrays with elements: { name, array }.
export function arraysOf(graph, id) {
  const fields = [["value", "Value"], ["grad", "Gradient"]].map(([field, name]) => ({ name, array: graph.array(id, field) }));
  return fields.filter(({ array }) => array?.values.length);
}

export function arrayDialog(title, arrays, theme, width) {
  const look = { values: false, log: false };
  const content = element("div", { class: "arrays" });
  const draw = () => content.replaceChildren(...arrays.map(({ name, array }) => partOf(`${name} of ${title}`, array, theme, width, look)));
  const toggle = (key, text) => element("button", { type: "button", "aria-pressed": "false", onclick: (event) => {
    look[key] = !look[key];
    event.target.setAttribute("aria-pressed", String(look[key]));
    draw();
  } }, text);
  draw();
  return dialog(title, element("p", { class: "switches" }, toggle("values", "numbers in the cells"), " ", toggle("log", "symmetric logarithm")), content);
}

function partOf(title, array, theme, width, look) {
  return element("section", {},
    element("h3", {}, title),
    element("p", { class: "note" }, statisticsText(array.statistics) + (array.thinned ? ` · ${array.thinned}` : "")),
    heatMapOf(title, array, { width, height: 320, theme, ...look }),
    element("div", { class: "beside" }, histogramSvg(title, array, Math.min(420, width - 20), 120), statisticsTable(array)),
    numbersTable(array),
    element("p", {}, element("button", { type: "button", onclick: () => download(fileName(title, "csv"), "text/csv", csvOf(array)) }, "Save as CSV")));
}
