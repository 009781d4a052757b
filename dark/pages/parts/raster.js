// Cells as pixels: colors, a hatch over negative values or a minus in them, a cross over NaN, a grid over infinite values.
import { lightness } from "./colors.js";
import { cellOffset, placeAt, tileOffset } from "./tiles.js";

const HATCH = 7; // pixels between the lines over negative cells
const SMALL = 5; // pixels below which a cell has no cross of its own

// Return the red, green, blue and alpha of every pixel; `ratio` is the number of device pixels per pixel.
export function rasterOf(values, layout, placed, scale, ratio = 1) {
  const width = Math.max(1, Math.round(placed.width * ratio));
  const height = Math.max(1, Math.round(placed.height * ratio));
  const columns = Array.from({ length: width }, (_, x) => placeAt((x + 0.5) / ratio, placed.tileWidth, placed.gap, layout.tileColumns, layout.columns));
  const pixels = new Uint8ClampedArray(4 * width * height);
  const size = { width: placed.cellWidth * ratio, height: placed.cellHeight * ratio };
  for (let y = 0; y < height; y += 1) {
    const row = placeAt((y + 0.5) / ratio, placed.tileHeight, placed.gap, layout.tileRows, layout.rows);
    if (!row) continue;
    for (let x = 0; x < width; x += 1) {
      const column = columns[x];
      if (!column) continue;
      const start = tileOffset(layout, row.tile, column.tile);
      if (start < 0) continue;
      const value = values[start + cellOffset(layout, row.cell, column.cell)];
      const color = scale.colorOf(value);
      const isMarked = markOf(value, scale, x, y, column.part, row.part, size, ratio);
      paint(pixels, 4 * (y * width + x), isMarked ? marked(color, value, scale.hasMinus) : color);
    }
  }
  return { width, height, pixels };
}

function paint(pixels, at, [r, g, b]) {
  pixels[at] = r;
  pixels[at + 1] = g;
  pixels[at + 2] = b;
  pixels[at + 3] = 255;
}

// Marks contrast with their cell: lighter on dark, darker on light; faint on numbers, strong on what is not a number.
export function marked(color, value, isStrong = false) {
  const target = lightness(color) < 0.47 ? 255 : 0;
  const strength = Number.isFinite(value) && !isStrong ? 0.22 : 0.6;
  return color.map((x) => Math.round(x + strength * (target - x)));
}

function markOf(value, scale, x, y, u, v, size, ratio) {
  if (Number.isNaN(value)) return isOnCross(x, y, u, v, size, ratio);
  if (!Number.isFinite(value)) return x % Math.round(4 * ratio) < ratio || y % Math.round(4 * ratio) < ratio;
  if (scale.isBare) return false;
  if (scale.hasMinus && Math.min(size.width, size.height) >= SMALL * ratio) return value < 0 && Math.abs(u - 0.5) < 0.3 && Math.abs(v - 0.5) < (0.8 * ratio) / size.height;
  return scale.isSigned && value < 0 && (x + y) % Math.round(HATCH * ratio) < ratio;
}

function isOnCross(x, y, u, v, size, ratio) {
  const side = Math.min(size.width, size.height);
  if (side < SMALL * ratio) return (x + y) % Math.round(4 * ratio) < ratio || (x - y + 4096) % Math.round(4 * ratio) < ratio;
  const near = (0.8 * ratio) / side;
  return Math.abs(u - v) < near || Math.abs(u + v - 1) < near;
}
