// Heat maps in boxes: small pictures of the cells that Python has averaged, made once; in the colors and with the signs of
// `arrays/heat_map.py`.
import { colorAroundZero, colorText, lightness } from "../../../../pages/parts/colors.js";

const images = new WeakMap();
const MIDDLE = 100, NAN = 255, INFINITE = 254, MINUS_INFINITE = 253;
const CELL = 12; // pixels of a cell

// A cell as a number from -1 to 1, infinite or NaN.
export function cellValue(level) {
  const others = { [NAN]: NaN, [INFINITE]: Infinity, [MINUS_INFINITE]: -Infinity };
  return level in others ? others[level] : (level - MIDDLE) / MIDDLE;
}

// The sign in a cell: a minus below 0, ∞ for an infinite number, a cross for NaN.
export function cellSign(value) {
  if (Number.isNaN(value)) return "×";
  return (value < 0 ? "–" : "") + (Number.isFinite(value) ? "" : "∞");
}

export function levelsOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export function cellsImage(map) {
  if (!images.has(map)) images.set(map, painted(map));
  return images.get(map);
}

function painted([rows, columns, , text]) {
  const canvas = document.createElement("canvas");
  canvas.width = columns * CELL;
  canvas.height = rows * CELL;
  const context = canvas.getContext("2d");
  context.lineWidth = 1.2;
  levelsOf(text).forEach((level, k) => {
    const x = (k % columns) * CELL, y = Math.floor(k / columns) * CELL, value = cellValue(level), color = colorAroundZero(value);
    context.fillStyle = colorText(color);
    context.fillRect(x, y, CELL, CELL);
    context.strokeStyle = lightness(color) < 0.6 ? "#ffffff" : "#1f2933";
    paintSign(context, cellSign(value), x, y);
  });
  return canvas;
}

function paintSign(context, sign, x, y) {
  if (!sign) return;
  const a = 0.2 * CELL, b = 0.8 * CELL, line = y + CELL * (sign === "–" ? 0.5 : 0.8), radius = 0.19 * CELL;
  context.beginPath();
  if (sign === "×") {
    context.moveTo(x + a, y + a);
    context.lineTo(x + b, y + b);
    context.moveTo(x + b, y + a);
    context.lineTo(x + a, y + b);
  }
  if (sign.includes("∞")) {
    for (const side of [-1, 1]) {
      const middle = x + CELL / 2 + side * radius, height = y + CELL * (sign === "∞" ? 0.5 : 0.38);
      context.moveTo(middle + radius, height);
      context.arc(middle, height, radius, 0, 2 * Math.PI);
    }
  }
  if (sign.includes("–")) {
    context.moveTo(x + a, line);
    context.lineTo(x + b, line);
  }
  context.stroke();
}
