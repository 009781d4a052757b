// Walking along edges, and paths: back from a node, and between a parameter and a node.
import assert from "node:assert/strict";
import test from "node:test";

import { flattened, Layouts } from "../../dark/draw/explore/page/layout/frames.js";
import { ancestorsOf, between, parametersAbove } from "../../dark/draw/explore/page/trace.js";
import { inputsShown, usersShown, Walker } from "../../dark/draw/explore/page/walk.js";
import { sentenceOf } from "../../dark/draw/explore/page/words.js";
import { twoModules } from "./graphs.js";

test("inputs and users are what is drawn for them", () => {
  const graph = twoModules();
  const all = () => true, none = () => false;
  assert.deepEqual(inputsShown(graph, 4, all), [3, 0]);
  assert.deepEqual(inputsShown(graph, 4, none), [7, 0]);
  assert.deepEqual(inputsShown(graph, 8, none), [7, 0]);
  assert.deepEqual(usersShown(graph, 0, none), [7, 8]);
  assert.deepEqual(usersShown(graph, 1, all), [2]);
});

test("up leads to the input that was computed, then sideways to the others, and down to the users", () => {
  const graph = twoModules(), layouts = new Layouts(graph), scene = flattened(graph, layouts), walker = new Walker(graph);
  const go = (way, at) => walker.step(way, at, scene, layouts.isOpen);
  assert.equal(go("up", 4), 3);
  assert.equal(go("right", 3), 0);
  assert.equal(go("right", 0), 0);
  assert.equal(go("left", 0), 3);
  assert.equal(go("up", 3), 2);
  assert.equal(go("up", 2), 0);
  assert.equal(go("right", 0), 1);
  assert.equal(go("down", 1), 2);
  assert.equal(go("down", 5), 5);
  assert.equal(go("up", 0), 0);
});

test("every box is reached from the result with the arrow keys, or in order", () => {
  const graph = twoModules(), layouts = new Layouts(graph), scene = flattened(graph, layouts);
  const seen = new Set([graph.root]), waiting = [graph.root];
  while (waiting.length) {
    for (const id of inputsShown(graph, waiting.pop(), layouts.isOpen)) if (!seen.has(id)) { seen.add(id); waiting.push(id); }
  }
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(new Set(scene.order), new Set([...scene.boxes.keys(), ...scene.frames.keys()]));
});

test("the path back has all from which a node or module was computed", () => {
  const graph = twoModules();
  assert.deepEqual([...ancestorsOf(graph, 3)].sort(), [0, 1, 2, 3]);
  assert.deepEqual([...ancestorsOf(graph, 7)].sort(), [0, 1, 2, 3]);
  assert.deepEqual(parametersAbove(graph, 5), [1]);
});

test("the ways between a parameter and a node have no other nodes", () => {
  const graph = twoModules();
  assert.deepEqual([...between(graph, 1, 5)], [1, 2, 3, 4, 5]);
  assert.deepEqual([...between(graph, 0, 4)], [0, 2, 3, 4]);
  assert.deepEqual([...between(graph, 5, 0)], []);
});

test("what is said of a node has its name, operation, shape, value, gradient, inputs and users", () => {
  const graph = twoModules(), isOpen = () => true;
  Object.assign(graph.nodes[2], { name: "h", value: 0.5, grad: "not kept", dtype: "float64" });
  assert.equal(sentenceOf(graph, 2, isOpen), "h, result of linear, float64 (4, 8). Value: 0.5. Gradient: not kept. Inputs: x, a.w. Used by: relu.");
  assert.equal(sentenceOf(graph, 0, isOpen), "x, input, (4, 3). No gradient. No inputs. Used by: linear h, +.");
  assert.match(sentenceOf(graph, 7, () => false), /^Module a, closed, .*Inputs: x\. Used by: b\.$/);
});
