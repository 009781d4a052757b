// Where the cells of an array of any dimension stand: pictures of two axes, in a grid of tiles.

// Lay out an array. The pictures have the last two axes, or with `firstAxes` the first two; `flipped` transposes them.
// Of the other axes, the last runs across and the rest down; with `turned` it runs down. `ratio` is that of the room.
export function tileLayout(shape, { firstAxes = false, flipped = false, turned = false, ratio = 4 / 3 } = {}) {
  const all = shape.map((size, axis) => ({ size, axis, stride: shape.slice(axis + 1).reduce((a, b) => a * b, 1) }));
  while (all.length < 2) all.unshift({ size: 1, axis: -1, stride: 0 });
  let picture = firstAxes ? all.slice(0, 2) : all.slice(-2);
  const others = firstAxes ? all.slice(2) : all.slice(0, -2);
  if (flipped) picture = [picture[1], picture[0]];
  const [rowAxis, columnAxis] = picture;
  const inner = others.at(-1)?.size ?? 1;
  const count = others.reduce((product, axis) => product * axis.size, 1);
  const isGrid = others.length >= 2 && inner > 1 && count / inner > 1;
  const isTurned = isGrid && turned;
  const tileColumns = isTurned ? count / inner : isGrid ? inner : wrapped(count, rowAxis.size, columnAxis.size, ratio);
  return {
    shape, rows: rowAxis.size, columns: columnAxis.size, rowAxis, columnAxis, others, count, isGrid, isTurned,
    tileRows: Math.ceil(count / Math.max(1, tileColumns)), tileColumns,
  };
}

// The layout of an array whose cells are largest in a room: a grid of tiles may be turned.
export function roomyLayout(shape, room, isReal, { firstAxes, flipped }) {
  const ratio = room.width / room.height;
  const [plain, turned] = [false, true].map((isTurned) => tileLayout(shape, { firstAxes, flipped, turned: isTurned, ratio }));
  const areaOf = (layout) => {
    const { cellWidth, cellHeight } = placement(layout, room.width, room.height, isReal);
    return cellWidth * cellHeight;
  };
  return isReal && areaOf(turned) > areaOf(plain) ? turned : plain;
}

// The number of columns that gives the whole about the ratio of width to height.
function wrapped(count, rows, columns, ratio) {
  if (count <= 1) return count;
  const best = Math.sqrt((count * Math.max(1, rows) * ratio) / Math.max(1, columns));
  return Math.max(1, Math.min(count, Math.round(best)));
}

// The offset of a tile's first element; -1 for a place of the grid that is empty.
export function tileOffset(layout, tileRow, tileColumn) {
  let rest = layout.isTurned ? tileColumn * layout.tileRows + tileRow : tileRow * layout.tileColumns + tileColumn;
  if (rest >= layout.count || tileColumn >= layout.tileColumns) return -1;
  let offset = 0;
  for (const axis of [...layout.others].reverse()) {
    offset += (rest % axis.size) * axis.stride;
    rest = Math.floor(rest / axis.size);
  }
  return offset;
}

export function cellOffset(layout, row, column) {
  return row * layout.rowAxis.stride + column * layout.columnAxis.stride;
}

// The index of an element from its offset, one number an axis.
export function indexOf(shape, offset) {
  const index = [];
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    index.unshift(offset % shape[axis]);
    offset = Math.floor(offset / shape[axis]);
  }
  return index;
}

// Sizes in pixels that fill a width and height: of a cell, of the gap between tiles, of the whole.
export function placement(layout, width, height, isReal) {
  const { rows, columns, tileRows, tileColumns } = layout;
  const gap = tileRows * tileColumns > 1 ? Math.max(1, Math.min(6, Math.floor(Math.min(width / tileColumns, height / tileRows) / 8))) : 0;
  let cellWidth = Math.max(1e-3, (width - gap * (tileColumns - 1)) / (columns * tileColumns || 1));
  let cellHeight = Math.max(1e-3, (height - gap * (tileRows - 1)) / (rows * tileRows || 1));
  if (isReal) cellWidth = cellHeight = Math.min(cellWidth, cellHeight);
  const tileWidth = cellWidth * columns;
  const tileHeight = cellHeight * rows;
  return {
    cellWidth, cellHeight, gap, tileWidth, tileHeight,
    width: tileWidth * tileColumns + gap * Math.max(0, tileColumns - 1),
    height: tileHeight * tileRows + gap * Math.max(0, tileRows - 1),
  };
}

// The offset of the element at a point, measured from the upper left corner; -1 between tiles.
export function offsetAt(layout, placed, x, y) {
  const column = placeAt(x, placed.tileWidth, placed.gap, layout.tileColumns, layout.columns);
  const row = placeAt(y, placed.tileHeight, placed.gap, layout.tileRows, layout.rows);
  if (!column || !row) return -1;
  const tile = tileOffset(layout, row.tile, column.tile);
  return tile < 0 ? -1 : tile + cellOffset(layout, row.cell, column.cell);
}

// Which tile and which cell of it a coordinate meets, and how far inside the cell; null between tiles.
export function placeAt(x, tileSize, gap, tiles, cells) {
  const tile = Math.floor(x / (tileSize + gap));
  const inside = x - tile * (tileSize + gap);
  if (x < 0 || tile >= tiles || inside >= tileSize || cells === 0) return null;
  const place = (inside / tileSize) * cells;
  const cell = Math.min(cells - 1, Math.floor(place));
  return { tile, cell, part: place - cell };
}

// The place of an element in the picture: its corner and the tile and cell numbers.
export function boxOf(layout, placed, tileRow, tileColumn, row, column) {
  return {
    x: tileColumn * (placed.tileWidth + placed.gap) + column * placed.cellWidth,
    y: tileRow * (placed.tileHeight + placed.gap) + row * placed.cellHeight,
    width: placed.cellWidth,
    height: placed.cellHeight,
  };
}

// Visit the cells in reading order, tile by tile.
export function forEachCell(layout, placed, visit) {
  for (let tileRow = 0; tileRow < layout.tileRows; tileRow += 1) {
    for (let tileColumn = 0; tileColumn < layout.tileColumns; tileColumn += 1) {
      const start = tileOffset(layout, tileRow, tileColumn);
      if (start < 0) continue;
      for (let row = 0; row < layout.rows; row += 1) {
        for (let column = 0; column < layout.columns; column += 1) {
          visit(start + cellOffset(layout, row, column), boxOf(layout, placed, tileRow, tileColumn, row, column));
        }
      }
    }
  }
}
