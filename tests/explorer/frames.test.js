// The layout: nothing overlaps, edges end at boxes, whichever modules are open; and what is where.
import assert from "node:assert/strict";
import test from "node:test";

import { flattened, Layouts } from "../../dark/draw/explore/page/layout/frames.js";
import { Visible } from "../../dark/draw/explore/page/layout/visible.js";
import { graphOf, module, node, twoModules } from "./graphs.js";

const overlap = (a, b) => a.x < b.x + b.width - 1e-6 && b.x < a.x + a.width - 1e-6 && a.y < b.y + b.height - 1e-6 && b.y < a.y + a.height - 1e-6;

function scenesOf(graph) {
  const count = graph.modules.length - 1;
  return Array.from({ length: 2 ** count }, (_, state) => {
    const layouts = new Layouts(graph);
    for (let f = 1; f <= count; f += 1) layouts.set(f, Boolean(state & (1 << (f - 1))));
    return { layouts, scene: flattened(graph, layouts) };
  });
}

test("boxes do not overlap, and stand in their frames, whichever modules are open", () => {
  const graph = twoModules();
  for (const { scene } of scenesOf(graph)) {
    const boxes = [...scene.boxes].filter(([, box]) => !box.isLeaf);
    boxes.forEach(([, a], k) => boxes.slice(k + 1).forEach(([, b]) => assert.ok(!overlap(a, b))));
    for (const [id, frame] of scene.frames) {
      for (const i of graph.insideOf(id - graph.count)) {
        const box = scene.boxes.get(i);
        if (box) assert.ok(box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width && box.y + box.height <= frame.y + frame.height);
      }
    }
    assert.ok(boxes.every(([, box]) => box.x >= 0 && box.x + box.width <= scene.size[0] && box.y + box.height <= scene.size[1]));
  }
});

test("every edge ends at the box that uses it, or at a frame", () => {
  for (const { scene } of scenesOf(twoModules())) {
    for (const { target, points } of scene.edges) {
      if (target === null) continue;
      const box = scene.boxes.get(target), [x, y] = points.at(-1);
      assert.ok(Math.abs(y - box.y) < 1e-9 && x >= box.x && x <= box.x + box.width);
    }
  }
});

test("edges through frames join without a gap", () => {
  const [{ scene }] = scenesOf(twoModules()).slice(-1);
  const ends = new Set(scene.edges.map(({ u, points }) => `${u} ${points.at(-1).map(Math.round)}`));
  const [inner] = scene.edges.filter(({ u, target }) => u === 3 && target === 4);
  assert.ok(ends.has(`3 ${inner.points[0].map(Math.round)}`));
});

test("the layout of a module is kept while others open and close", () => {
  const graph = twoModules(), layouts = new Layouts(graph);
  const first = layouts.of(1);
  layouts.of(0);
  layouts.set(2, false);
  assert.equal(layouts.of(1), first);
  layouts.set(1, false);
  layouts.set(1, true);
  assert.notEqual(layouts.of(1), first);
  assert.deepEqual(layouts.of(1).size, first.size);
});

test("a closed module is a box with one edge for each place from which it is reached", () => {
  const graph = twoModules(), layouts = new Layouts(graph);
  layouts.set(1, false);
  layouts.set(2, false);
  const scene = flattened(graph, layouts);
  assert.deepEqual([...scene.boxes.keys()], [0, graph.count + 1, graph.count + 2]);
  assert.deepEqual(scene.edges.map(({ u, target, pairs }) => [u, target, pairs]), [[0, 7, [0, 2]], [3, 8, [3, 4]], [0, 8, [0, 4]]]);
});

test("the reading order has leaves before what uses them, and modules before what is in them", () => {
  const scene = flattened(twoModules(), new Layouts(twoModules()));
  assert.deepEqual(scene.order, [0, 7, 1, 2, 3, 8, 4, 5]);
});

test("what is in a part of the picture, and at a point", () => {
  const graph = twoModules(), scene = flattened(graph, new Layouts(graph)), visible = new Visible(scene);
  const leaf = scene.boxes.get(1), relu = scene.boxes.get(3), frame = scene.frames.get(7);
  assert.equal(visible.at(leaf.x + 3, leaf.y + 3), 1);
  assert.equal(visible.at(relu.x + 3, relu.y + 3), 3);
  assert.equal(visible.at(frame.x + 2, frame.y + 2), 7);
  assert.equal(visible.at(-5, -5), null);
  const part = { left: relu.x, right: relu.x + 1, top: relu.y, bottom: relu.y + 1 };
  assert.deepEqual(visible.boxesIn(part), [3]);
  assert.ok(visible.edgesIn(part).length < scene.edges.length);
});

test("a node alone, and a chain of thousands", () => {
  const single = graphOf([node("", [])]);
  assert.equal(flattened(single, new Layouts(single)).boxes.size, 1);
  const chain = graphOf(Array.from({ length: 2000 }, (_, k) => node(k ? "exp" : "", k ? [k - 1] : [])), [module("", Array.from({ length: 2000 }, (_, k) => k))]);
  const scene = flattened(chain, new Layouts(chain));
  assert.equal(scene.edges.length, 1999);
  assert.ok(new Set([...scene.boxes.values()].map(({ x }) => x)).size === 1);
});
