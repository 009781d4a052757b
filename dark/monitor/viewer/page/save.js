// Save what is seen as PNG, SVG or CSV.
import { csvText, histogramRows, scalarRows, seriesRows, tensorRows } from "./csv.js";
import { download, element, fileName } from "../../../pages/parts/dom.js";
import { svgDocument } from "../../../pages/parts/svg.js";

const MOST_NAMES = 3; // of tensors, in the name of a file

// `what` is "tensor" or "scalars", `format` "png", "svg" or "csv".
export async function saveShown(viewer, what, format) {
  const { scalars, tensors, theme } = viewer;
  const shown = tensors.shown ?? [];
  const name = `${viewer.runs[0].name}-${what === "scalars" ? "scalars" : tensorsName(shown)}`;
  if (format === "csv") return download(fileName(name, "csv"), "text/csv", csvText(what === "scalars" ? scalarRows(scalars.lines) : tensorsRows(shown)));
  if (what === "scalars" && scalars.charts.length === 0) throw new Error("No scalar is shown. Choose some in the tree.");
  const seen = what === "scalars" ? placed(scalars.charts, scalars.charts.map((chart) => chart.root)) : placed(tensors.pictures, tensors.pictures.map((picture) => picture.root));
  if (format === "svg") return download(fileName(name, "svg"), "image/svg+xml", svgOf(seen, name, theme));
  return download(fileName(name, "png"), "image/png", pngOf(composed(seen, theme)));
}

// The bytes of an image; `toBlob` would wait for an idle moment of the browser, up to seven seconds.
function pngOf(canvas) {
  const [, base64] = canvas.toDataURL("image/png").split(",");
  if (!base64) throw new Error(`A picture of ${canvas.width} by ${canvas.height} pixels is too large for a PNG in this browser. Save it as SVG, or make the window smaller.`);
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function tensorsName(shown) {
  if (!shown.length) return "tensors";
  const names = shown.length <= MOST_NAMES ? shown.map(({ name }) => name).join("-") : `${shown.length}-tensors`;
  return `${names}-step-${shown[0].step}`;
}

// One tensor in the plainest form that holds it; several as one row an element or a bin.
function tensorsRows(shown) {
  const drawn = shown.filter(({ view }) => view).map((one) => ({ ...one, tensors: comparable(one.tensors) }));
  if (drawn.length === 0) return [[]];
  const histograms = drawn.filter(({ view }) => view === "histogram").map(({ name, summaries }) => ({ name, rows: histogramRows(summaries.find(Boolean)) }));
  if (histograms.length === 0) return drawn.length === 1 ? tensorRows(drawn[0].tensors) : seriesRows(drawn);
  if (histograms.length === 1) return histograms[0].rows;
  return [["series", ...histograms[0].rows[0]], ...histograms.flatMap(({ name, rows }) => rows.slice(1).map((row) => [name, ...row]))];
}

// The arrays of two runs by their labels; the first alone where the shapes differ.
function comparable(tensors) {
  const isSame = tensors.every(({ tensor }) => tensor.shape.join() === tensors[0].tensor.shape.join());
  return (isSame ? tensors : tensors.slice(0, 1)).map(({ tensor, label }) => ({ tensor, label: label ?? "value" }));
}

// The pictures with their places on the screen, in pixels from the upper left one.
function placed(pictures, elements) {
  const boxes = elements.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
  return pictures.map((picture, k) => ({
    picture, x: Math.round(boxes[k].left - left), y: Math.round(boxes[k].top - top),
    width: Math.round(boxes[k].width), height: Math.round(boxes[k].height),
  }));
}

function sizeOf(seen) {
  return { width: Math.max(...seen.map(({ x, width }) => x + width)), height: Math.max(...seen.map(({ y, height }) => y + height)) };
}

function composed(seen, theme) {
  const ratio = Math.max(2, devicePixelRatio || 1);
  const { width, height } = sizeOf(seen);
  const whole = element("canvas", { width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) });
  const context = whole.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, width, height);
  for (const { picture, x, y, width: w } of seen) {
    const { canvas } = picture;
    context.drawImage(canvas, x, y, w, (canvas.height * w) / canvas.width);
  }
  return whole;
}

function svgOf(seen, title, theme) {
  const { width, height } = sizeOf(seen);
  const parts = seen.map((one) => `<svg x="${one.x}" y="${one.y}" width="${one.width}" height="${one.height}">${one.picture.svg()}</svg>`);
  return svgDocument(width, height, title, parts.join(""), theme.paper);
}
