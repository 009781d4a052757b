// Charts as SVG.
import { decorations, decorationsSvg } from "./decorations.js";
import { escaped, fixed, textSvg } from "../../../../pages/parts/svg.js";
import { uPlot } from "../uplot.js";

// The chart as SVG, with the ticks that uPlot chose.
export function chartSvg(chart) {
  const { plot, lines, cells, theme, marks, titles, hasNames } = chart;
  const ratio = uPlot.pxRatio;
  const box = { left: plot.bbox.left / ratio, top: plot.bbox.top / ratio, width: plot.bbox.width / ratio, height: plot.bbox.height / ratio };
  const x = (value) => box.left + plot.valToPos(value, "x");
  const y = (value) => box.top + plot.valToPos(value, "y");
  const id = `clip-${Math.round(box.width)}-${Math.round(box.height)}-${lines.length}`;
  const rectangles = (cells ?? []).map((cell) => `<rect x="${fixed(x(cell.from))}" y="${fixed(y(cell.high))}" width="${fixed(x(cell.to) - x(cell.from) + 0.3)}" height="${fixed(y(cell.low) - y(cell.high) + 0.3)}" fill="${cell.color}"/>`);
  const dashes = (line) => (line.dash?.length ? ` stroke-dasharray="${line.dash.join(" ")}"` : "");
  const paths = lines.map((line) => `<path d="${linePath(line, x, y)}" fill="none" stroke="${line.stroke}" stroke-width="${line.width ?? 1.6}"${line.isRaw ? ' stroke-opacity="0.3"' : ""}${dashes(line)}/>`);
  const cursor = marks ? `<path d="M${fixed(x(marks.step))} ${fixed(box.top)}v${fixed(box.height)}" stroke="${theme.accent}" stroke-dasharray="4 4"/>` : "";
  const squares = (marks?.points ?? []).filter((p) => Number.isFinite(p.value)).map((p) => `<rect x="${fixed(x(p.step) - 3)}" y="${fixed(y(p.value) - 3)}" width="6" height="6" fill="${theme.accent}"/>`);
  const crosses = lines.filter(({ isRaw }) => !isRaw).map((line) => missingPath(line, x, box));
  const names = lines.filter(({ label, isRaw }) => hasNames && label && !isRaw).map((line, k) => `<path d="M${fixed(box.left + 8)} ${fixed(box.top + 10 + 14 * k)}h26" stroke="${line.stroke}" stroke-width="2"${dashes(line)}/>` + textSvg({ x: box.left + 40, y: box.top + 14 + 14 * k, text: line.label, role: "tick" }, { ...theme, soft: line.stroke }));
  return `<clipPath id="${id}"><rect x="${fixed(box.left)}" y="${fixed(box.top)}" width="${fixed(box.width)}" height="${fixed(box.height)}"/></clipPath>`
    + plot.axes.map((axis) => axisSvg(axis, box, x, y, theme)).join("") + titlesSvg(titles, box, plot, theme)
    + `<g clip-path="url(#${escaped(id)})">${rectangles.join("")}${paths.join("")}${cursor}${crosses.join("")}${squares.join("")}</g>${decorationsSvg(decorations(chart), theme)}${names.join("")}`;
}

function titlesSvg(titles, box, plot, theme) {
  const middle = box.top + box.height / 2;
  const below = titles.x ? textSvg({ x: box.left + box.width / 2, y: plot.height - 4, text: titles.x, role: "tick", anchor: "middle" }, theme) : "";
  return below + (titles.y ? `<g transform="rotate(-90 12 ${fixed(middle)})">${textSvg({ x: 12, y: middle, text: titles.y, role: "tick", anchor: "middle" }, theme)}</g>` : "");
}

// Crosses at the bottom where a value is not finite, at most one in three pixels.
function missingPath({ steps, values, stroke }, x, box) {
  const places = new Set(Array.from(steps, (step, k) => (Number.isFinite(values[k]) ? null : 3 * Math.round(x(step) / 3))));
  places.delete(null);
  const y = box.top + box.height - 10;
  const path = [...places].map((place) => `M${place - 4} ${fixed(y)}l8 8m0 -8l-8 8`).join("");
  return path ? `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="1.5"/>` : "";
}

function linePath({ steps, values }, x, y) {
  let isDown = false;
  const parts = [];
  for (let k = 0; k < steps.length; k += 1) {
    if (Number.isFinite(values[k])) parts.push(`${isDown ? "L" : "M"}${fixed(x(steps[k]))} ${fixed(y(values[k]))}`);
    isDown = Number.isFinite(values[k]);
  }
  return parts.join("");
}

function axisSvg(axis, box, x, y, theme) {
  const splits = axis._splits ?? [];
  return splits.map((value, k) => {
    const text = String(axis._values?.[k] ?? "").replace("\n", " ");
    if (axis.scale === "x") {
      return `<path d="M${fixed(x(value))} ${fixed(box.top)}v${fixed(box.height)}" stroke="${theme.grid}"/>` + textSvg({ x: x(value), y: box.top + box.height + 16, text, role: "tick", anchor: "middle" }, theme);
    }
    return `<path d="M${fixed(box.left)} ${fixed(y(value))}h${fixed(box.width)}" stroke="${theme.grid}"/>`
      + textSvg({ x: box.left - 6, y: y(value) + 4, text, role: "tick", anchor: "end" }, theme);
  }).join("");
}
