// Tiles: every element of an array of any dimension is in one place, and is found there.
import assert from "node:assert/strict";
import test from "node:test";

import { forEachCell, indexOf, offsetAt, placement, roomyLayout, tileLayout, tileOffset } from "../../dark/pages/parts/tiles.js";

const SHAPES = [[], [5], [3, 4], [7, 3, 4], [3, 3, 4, 6], [2, 3, 2, 3, 4], [1, 1, 5, 5], [2, 1, 2, 1, 3, 2]];
const ways = [{}, { firstAxes: true }, { flipped: true }, { firstAxes: true, flipped: true }];
const product = (shape) => shape.reduce((a, b) => a * b, 1);

test("every element has exactly one cell, and the point in its middle finds it", () => {
  for (const shape of SHAPES) {
    for (const way of ways) {
      const layout = tileLayout(shape, way);
      const placed = placement(layout, 900, 500, true);
      const seen = [];
      forEachCell(layout, placed, (offset, box) => {
        seen.push(offset);
        assert.equal(offsetAt(layout, placed, box.x + box.width / 2, box.y + box.height / 2), offset);
        assert.ok(box.x + box.width <= placed.width + 1e-6 && box.y + box.height <= placed.height + 1e-6);
      });
      assert.deepEqual(seen.sort((a, b) => a - b), [...Array(product(shape)).keys()]);
    }
  }
});

test("tiles of a kernel have the last two axes, or the first two", () => {
  const last = tileLayout([8, 3, 5, 4]);
  assert.deepEqual([last.rows, last.columns, last.tileRows, last.tileColumns], [5, 4, 8, 3]);
  const first = tileLayout([5, 4, 3, 8], { firstAxes: true });
  assert.deepEqual([first.rows, first.columns, first.tileRows, first.tileColumns], [5, 4, 3, 8]);
});

test("the tiles of three axes stand in a grid, and its empty places are empty", () => {
  const layout = tileLayout([7, 4, 4]);
  assert.ok(layout.tileRows > 1 && layout.tileColumns > 1);
  assert.equal(tileOffset(layout, layout.tileRows - 1, layout.tileColumns - 1) < 0, layout.tileRows * layout.tileColumns > 7);
});

test("real aspect makes square cells, else the room is filled", () => {
  const layout = tileLayout([10, 64]);
  const real = placement(layout, 800, 400, true), filled = placement(layout, 800, 400, false);
  assert.equal(real.cellWidth, real.cellHeight);
  assert.deepEqual([filled.width, filled.height], [800, 400]);
});

test("an index is found from its offset", () => {
  assert.deepEqual(indexOf([2, 3, 4], 23), [1, 2, 3]);
  assert.deepEqual(indexOf([], 0), []);
});

test("an array without elements has no cell", () => {
  let count = 0;
  const layout = tileLayout([0, 4]);
  forEachCell(layout, placement(layout, 100, 100, true), () => { count += 1; });
  assert.equal(count, 0);
});

test("a grid of tiles is turned where its cells are larger then, and every element is still in one place", () => {
  const shape = [16, 8, 3, 3];
  const room = { width: 900, height: 380 };
  const layout = roomyLayout(shape, room, true, {});
  assert.deepEqual([layout.tileRows, layout.tileColumns, layout.isTurned], [8, 16, true]);
  assert.equal(tileOffset(layout, 1, 2), 2 * 8 * 9 + 9);
  const offsets = new Set();
  for (let row = 0; row < 8; row += 1) for (let column = 0; column < 16; column += 1) offsets.add(tileOffset(layout, row, column));
  assert.equal(offsets.size, 128);
  assert.equal(roomyLayout(shape, { width: 300, height: 800 }, true, {}).isTurned, false);
});

test("tiles of one axis fill the room", () => {
  assert.equal(roomyLayout([8, 3, 3], { width: 1000, height: 250 }, true, {}).tileColumns, 6);
  assert.equal(roomyLayout([8, 3, 3], { width: 250, height: 1000 }, true, {}).tileColumns, 1);
});
