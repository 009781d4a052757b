// How several tensors share the room: the grid of rows and columns in which they are largest.

const GUTTER = 10; // pixels
const LEAST = { width: 260, height: 190 }; // pixels of one place; more than fit are scrolled to
const BEST = 1.5; // width over height of one picture

// Return the columns, and the size of each place in pixels, for `count` charts of `panels` pictures in a row, of which each has at
// least a size in pixels.
export function gridOf(count, { width, height }, panels = 1, least = LEAST) {
  if (count <= 1) return { columns: 1, width, height };
  const most = Math.max(1, Math.floor((width + GUTTER) / (least.width * panels + GUTTER)));
  const grids = Array.from({ length: Math.min(count, most) }, (_, k) => placesOf(count, k + 1, { width, height }, least));
  const areaOf = (place) => Math.min(place.width, BEST * panels * place.height) * Math.min(place.height, place.width / (BEST * panels));
  return grids.reduce((best, grid) => (areaOf(grid) >= areaOf(best) ? grid : best));
}

function placesOf(count, columns, { width, height }, least) {
  const rows = Math.ceil(count / columns);
  return {
    columns,
    width: Math.floor((width - GUTTER * (columns - 1)) / columns),
    height: Math.max(least.height, Math.floor((height - GUTTER * (rows - 1)) / rows)),
  };
}
