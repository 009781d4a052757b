// Scenes and charts as SVG.
import { colorText } from "./colors.js";
import { marked } from "./raster.js";
import { forEachCell } from "./tiles.js";

export const MOST_RECTANGLES = 20000; // more cells become one embedded picture
const FONT = 'font-family="system-ui, sans-serif"';

export function escaped(text) {
  return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

export function svgDocument(width, height, title, content, paper) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`
    + `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="${paper}"/>${content}</svg>`;
}

// Draw a scene; `pictureUrl` makes a data URL of its cells, which is used where they are too many.
export function sceneSvg(scene, theme, pictureUrl) {
  const { origin, placed, layout } = scene;
  const cells = layout.rows * layout.columns * layout.count <= MOST_RECTANGLES
    ? cellRectangles(scene)
    : `<image x="${origin.x}" y="${origin.y}" width="${fixed(placed.width)}" height="${fixed(placed.height)}" href="${pictureUrl()}"/>`;
  return cells + barSvg(scene.bar, theme) + scene.texts.map((text) => textSvg(text, theme)).join("");
}

function cellRectangles(scene) {
  const parts = [];
  forEachCell(scene.layout, scene.placed, (offset, box) => {
    const value = scene.values[offset];
    const color = scene.scale.colorOf(value);
    const x = scene.origin.x + box.x, y = scene.origin.y + box.y;
    parts.push(`<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(box.width)}" height="${fixed(box.height)}" fill="${colorText(color)}"/>`);
    const lines = markLines(value, scene.scale, x, y, box.width, box.height);
    if (lines) parts.push(`<path d="${lines}" stroke="${colorText(marked(color, value, scene.scale.hasMinus))}" fill="none"/>`);
  });
  return `<g shape-rendering="crispEdges">${parts.join("")}</g>`;
}

// A cross over NaN, one stroke over a negative cell or a minus in it, a plus over an infinite one.
function markLines(value, scale, x, y, width, height) {
  const right = fixed(x + width), bottom = fixed(y + height), left = fixed(x), top = fixed(y);
  if (Number.isNaN(value)) return `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  if (!Number.isFinite(value)) return `M${left} ${fixed(y + height / 2)}H${right}M${fixed(x + width / 2)} ${top}V${bottom}`;
  if (scale.hasMinus) return value < 0 && !scale.isBare ? `M${fixed(x + 0.2 * width)} ${fixed(y + height / 2)}H${fixed(x + 0.8 * width)}` : "";
  return scale.isSigned && value < 0 ? `M${left} ${bottom}L${right} ${top}` : "";
}

function barSvg(bar, theme) {
  const slices = Array.from({ length: 64 }, (_, k) => {
    const color = bar.scale.colorOf(bar.scale.valueAt(1 - (k + 0.5) / 64));
    return `<rect x="${fixed(bar.x)}" y="${fixed(bar.y + (k * bar.height) / 64)}" width="${bar.width}" height="${fixed(bar.height / 64 + 0.4)}" fill="${colorText(color)}"/>`;
  });
  return `${slices.join("")}<rect x="${fixed(bar.x)}" y="${fixed(bar.y)}" width="${bar.width}" height="${fixed(bar.height)}" fill="none" stroke="${theme.line}"/>`;
}

export function textSvg({ x, y, text, role, anchor }, theme) {
  const isNumber = role.endsWith("number");
  const fill = isNumber ? (role.startsWith("dark") ? "#000" : "#fff") : role === "title" ? theme.ink : theme.soft;
  const size = { title: 13.5, note: 12.5 }[role] ?? (isNumber ? 11 : 12);
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${FONT} font-size="${size}" ${role === "title" ? 'font-weight="600" ' : ""}`
    + `text-anchor="${anchor ?? (isNumber ? "middle" : "start")}" fill="${fill}">${escaped(text)}</text>`;
}

export function fixed(x) {
  return String(Math.round(x * 100) / 100);
}
