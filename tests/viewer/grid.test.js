import assert from "node:assert/strict";
import test from "node:test";
import { gridOf } from "../../dark/monitor/viewer/page/charts/grid.js";

const ROOM = { width: 1000, height: 400 };

test("one tensor has the whole room", () => {
  assert.deepEqual(gridOf(1, ROOM), { columns: 1, ...ROOM });
});

test("tensors share the room so that they are large, and never wider than it", () => {
  assert.equal(gridOf(2, ROOM).columns, 2);
  assert.equal(gridOf(2, ROOM, 3).columns, 1);
  for (const count of [2, 3, 5, 12]) {
    for (const width of [300, 700, 1600]) {
      const grid = gridOf(count, { width, height: 400 });
      assert.ok(grid.columns * grid.width <= width && grid.columns <= count && grid.height >= 190);
    }
  }
});

test("on a phone they are below each other", () => {
  assert.equal(gridOf(4, { width: 370, height: 400 }).columns, 1);
});
