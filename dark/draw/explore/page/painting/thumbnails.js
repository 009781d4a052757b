// Heat maps in boxes: small pictures of the cells that Python has averaged, made once.
import { ABSOLUTE_COLORS, MISSING_COLOR, SIGNED_COLORS } from "../../../../pages/parts/colors.js";

const images = new WeakMap();
const MIDDLE = 100, NAN = 255, INFINITE = 254, MINUS_INFINITE = 253;

// The color of a cell, 0 to 200 for -1 to 1.
export function cellColor(level, isSigned) {
  if (level === NAN) return MISSING_COLOR;
  const unit = level === INFINITE ? 1 : level === MINUS_INFINITE ? -1 : (level - MIDDLE) / MIDDLE;
  return isSigned ? SIGNED_COLORS[Math.round((unit + 1) * 127.5)] : ABSOLUTE_COLORS[Math.round(Math.abs(unit) * 255)];
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
  canvas.width = columns;
  canvas.height = rows;
  const levels = levelsOf(text);
  const isSigned = levels.some((level) => level < MIDDLE || level === MINUS_INFINITE);
  const pixels = new Uint8ClampedArray(4 * rows * columns);
  levels.forEach((level, k) => pixels.set([...cellColor(level, isSigned), 255], 4 * k));
  canvas.getContext("2d").putImageData(new ImageData(pixels, columns, rows), 0, 0);
  return canvas;
}
