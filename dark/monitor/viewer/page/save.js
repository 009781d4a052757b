// Save what is shown as PNG, SVG or CSV.
import { csvText, histogramRows, scalarRows, tensorRows } from "./csv.js";
import { download, element, fileName } from "../../../pages/parts/dom.js";
import { svgDocument } from "../../../pages/parts/svg.js";

// `what` is "tensor" or "scalars", `format` "png", "svg" or "csv".
export async function saveShown(viewer, what, format) {
  const { scalars, tensors, theme } = viewer;
  const shown = tensors.shown ?? {};
  const name = what === "scalars" ? `${viewer.runs[0].name}-scalars` : `${viewer.runs[0].name}-${shown.name}-step-${shown.step}`;
  if (format === "csv") return download(fileName(name, "csv"), "text/csv", csvText(what === "scalars" ? scalarRows(scalars.lines) : rowsOf(shown)));
  const pictures = what === "scalars" ? [scalars.chart] : tensors.pictures;
  if (format === "svg") return download(fileName(name, "svg"), "image/svg+xml", svgOf(pictures, name, theme, what === "scalars" ? scalars.place : null));
  const blob = await new Promise((resolve) => composed(pictures.map((picture) => picture.canvas), theme).toBlob(resolve, "image/png"));
  return download(fileName(name, "png"), "image/png", blob);
}

function rowsOf({ view, tensors, summaries }) {
  if (view === "histogram") return histogramRows(summaries.find(Boolean));
  const isSame = tensors.every(({ tensor }) => tensor.shape.join() === tensors[0].tensor.shape.join());
  return tensorRows((isSame ? tensors : tensors.slice(0, 1)).map(({ tensor, label }) => ({ tensor, label: label ?? "value" })));
}

function composed(canvases, theme) {
  const gap = 16;
  const whole = element("canvas");
  whole.width = canvases.reduce((sum, canvas) => sum + canvas.width, gap * (canvases.length - 1));
  whole.height = Math.max(...canvases.map((canvas) => canvas.height));
  const context = whole.getContext("2d");
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, whole.width, whole.height);
  let x = 0;
  for (const canvas of canvases) {
    context.drawImage(canvas, x, 0);
    x += canvas.width + gap;
  }
  return whole;
}

function svgOf(pictures, title, theme, place) {
  let x = 0, height = 0;
  const parts = pictures.map((picture) => {
    const box = (place ?? picture.root).getBoundingClientRect();
    const width = Math.round(box.width + (picture.namesWidth ?? 0));
    const part = `<svg x="${Math.round(x)}" width="${width}" height="${Math.round(box.height)}">${picture.svg()}</svg>`;
    x += width + 8;
    height = Math.max(height, box.height);
    return part;
  });
  return svgDocument(Math.ceil(x), Math.ceil(height), title, parts.join(""), theme.paper);
}
