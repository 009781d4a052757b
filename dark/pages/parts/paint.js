// Paint a scene on a canvas.
import { rasterOf } from "./raster.js";

const FONTS = { title: "600 13.5px system-ui, sans-serif", note: "12.5px system-ui, sans-serif", tick: "12px system-ui, sans-serif" };
const NUMBER_FONT = "11px system-ui, sans-serif";

// Give the canvas a size in pixels, and a context whose unit is one pixel.
function sizedContext(canvas, width, height, ratio) {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function paintScene(canvas, scene, theme, ratio) {
  const context = sizedContext(canvas, scene.width, scene.height, ratio);
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, scene.width, scene.height);
  context.imageSmoothingEnabled = false;
  const image = imageOf(scene, ratio);
  context.drawImage(image, scene.origin.x, scene.origin.y, scene.placed.width, scene.placed.height);
  paintBar(context, scene.bar, theme);
  scene.texts.forEach((text) => paintText(context, text, theme, scene.width));
}

// A canvas that holds the cells alone.
export function imageOf(scene, ratio) {
  const raster = rasterOf(scene.values, scene.layout, scene.placed, scene.scale, ratio);
  const canvas = document.createElement("canvas");
  canvas.width = raster.width;
  canvas.height = raster.height;
  canvas.getContext("2d").putImageData(new ImageData(raster.pixels, raster.width, raster.height), 0, 0);
  return canvas;
}

function paintBar(context, bar, theme) {
  for (let y = 0; y < bar.height; y += 1) {
    const value = bar.scale.valueAt(1 - (y + 0.5) / bar.height);
    const [r, g, b] = bar.scale.colorOf(value);
    context.fillStyle = `rgb(${r},${g},${b})`;
    context.fillRect(bar.x, bar.y + y, bar.width, 1.2);
  }
  context.strokeStyle = theme.line;
  context.strokeRect(bar.x - 0.5, bar.y - 0.5, bar.width + 1, bar.height + 1);
}

function paintText(context, { x, y, text, role }, theme, width) {
  const isNumber = role.endsWith("number");
  context.font = isNumber ? NUMBER_FONT : FONTS[role];
  context.textAlign = isNumber ? "center" : "left";
  context.fillStyle = isNumber ? (role.startsWith("dark") ? "#000" : "#fff") : role === "title" ? theme.ink : theme.soft;
  context.fillText(isNumber ? text : shortened(context, text, width - x - 4), x, y);
}

// As much of a label as fits into a width, with a sign that the rest is missing.
function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length -= 1;
  return `${text.slice(0, length)}…`;
}
