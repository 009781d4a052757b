// What is painted: shapes and dashes by kind, the texts of edges, and the call that failed.
import assert from "node:assert/strict";
import test from "node:test";

import { paintShape } from "../../dark/draw/explore/page/painting/paint_boxes.js";
import { labelPlaces, paintEdges } from "../../dark/draw/explore/page/painting/paint_edges.js";
import { graphOf, node } from "./graphs.js";

const COLORS = Object.fromEntries(["parameter", "constant", "input", "result", "detached", "group", "frame", "wrong"].map((kind) => [kind, [`fill of ${kind}`, `border of ${kind}`]]));

// A context that notes the calls and settings.
function recorder() {
  const calls = [];
  return new Proxy({ calls }, {
    get: (target, name) => (name === "calls" ? calls : (...values) => calls.push([name, ...values])),
    set: (target, name, value) => { calls.push([name, value]); return true; },
  });
}

function callsOf(context, name) {
  return context.calls.filter(([called]) => called === name).map(([, ...values]) => values);
}

test("each kind has its shape and dashes, those of the pictures", () => {
  const shapeOf = (kind, look) => {
    const context = recorder();
    paintShape(context, kind, { x: 0, y: 0, width: 100, height: 40 }, COLORS, 1, look);
    return { dashes: callsOf(context, "setLineDash")[0][0], round: callsOf(context, "roundRect").map((values) => values[4]), lines: callsOf(context, "lineTo").length, width: callsOf(context, "lineWidth")[0][0], border: callsOf(context, "strokeStyle")[0][0] };
  };
  assert.deepEqual(shapeOf("parameter").round, [12]);
  assert.deepEqual([shapeOf("constant").dashes, shapeOf("constant").lines], [[5, 2], 6]);
  assert.deepEqual([shapeOf("group").dashes, shapeOf("group").lines], [[], 6]);
  assert.deepEqual([shapeOf("detached").dashes, shapeOf("result").dashes, shapeOf("input").dashes], [[5, 2], [], [1, 5]]);
  assert.deepEqual([shapeOf("result", "wrong").width, shapeOf("result", "wrong").border], [4.5, "border of wrong"]);
});

test("edges without a gradient are dashed, unless they are too small to be seen so", () => {
  const dashesAt = (scale) => {
    const context = recorder();
    paintEdges(context, [{ points: [[0, 0], [0, 50]], target: null }], scale, { left: -9, right: 9, top: -9, bottom: 99 }, { color: "gray", width: 1, dashes: [5, 2] });
    return callsOf(context, "setLineDash")[0][0];
  };
  assert.deepEqual([dashesAt(1), dashesAt(0.1)], [[5, 2], []]);
});

test("the texts of edges that end at one box stand beside each other", () => {
  const graph = graphOf([node("", []), node("", []), node("lstm", [0, 1], { edgeLabels: { 0: "input", 1: "hidden" } }), node("argmax", [2], { role: "detached" })]);
  const edges = [0, 1].map((u) => ({ u, target: 2, points: [[0, 0], [20 * u, 100]] }));
  const places = labelPlaces([...edges, { u: 2, target: null, points: [[0, 0], [0, 9]] }], (u, target) => graph.labelOfEdge(u, target));
  assert.deepEqual(places.map(({ text, x, isLeft }) => [text, x, isLeft]), [["input", -6, true], ["hidden", 26, false]]);
  assert.deepEqual([graph.isDetached(3), graph.isDetached(2), graph.isDetached(null), graph.isDetached(graph.count)], [true, false, false, false]);
});
