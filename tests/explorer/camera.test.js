// The camera: what is under the pointer stays there, what is shown fits, and the picture is never lost.
import assert from "node:assert/strict";
import test from "node:test";

import { firstCamera, fitted, kept, partWay, showing, toPicture, zoomedAt } from "../../dark/draw/explore/page/painting/camera.js";

const VIEW = { width: 1000, height: 600 };
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("zooming keeps the point under the pointer", () => {
  const camera = { x: 10, y: -20, scale: 0.7 };
  const before = toPicture(camera, 321, 123), after = toPicture(zoomedAt(camera, 1.9, 321, 123), 321, 123);
  near(before.x, after.x);
  near(before.y, after.y);
});

test("a fitted rectangle is in the middle and inside the view", () => {
  const camera = fitted({ x: 100, y: 50, width: 4000, height: 300 }, VIEW);
  const middle = toPicture(camera, 500, 300);
  near(middle.x, 2100);
  near(middle.y, 200);
  assert.ok(4000 * camera.scale <= VIEW.width);
});

test("at first the whole picture is in view, or the top of one that could not be read", () => {
  const small = firstCamera([400, 300], VIEW);
  near(toPicture(small, 500, 310).x, 200);
  assert.ok(300 * small.scale < VIEW.height);
  const tall = firstCamera([400, 9000], VIEW);
  near(tall.scale, 1);
  assert.ok(tall.y < 0 && tall.y > -100);
  assert.ok(firstCamera([1e6, 1e6], VIEW).scale >= 0.5);
});

test("the picture stays in the view", () => {
  const camera = kept({ x: 1e6, y: -1e6, scale: 1 }, [300, 200], VIEW);
  assert.ok(camera.x < 300 && camera.y > -VIEW.height);
});

test("a box that is seen and readable does not move the camera, another one does", () => {
  const camera = { x: 0, y: 0, scale: 1 };
  assert.equal(showing(camera, { x: 100, y: 100, width: 80, height: 40 }, VIEW), camera);
  const moved = showing(camera, { x: 5000, y: 100, width: 80, height: 40 }, VIEW);
  near(toPicture(moved, 500, 300).x, 5040);
  const near50 = showing(camera, { x: 980, y: 100, width: 80, height: 40 }, VIEW);
  near(980 + 80 - near50.x, 950);
  near(near50.y, 0);
  assert.ok(showing({ ...camera, scale: 0.01 }, { x: 100, y: 100, width: 80, height: 40 }, VIEW).scale >= 0.5);
});

test("a movement begins and ends where it should", () => {
  const from = { x: 0, y: 0, scale: 0.5 }, to = { x: 300, y: 40, scale: 2 };
  for (const [part, camera] of [[0, from], [1, to]]) {
    const at = partWay(from, to, part);
    near(at.x, camera.x);
    near(at.y, camera.y);
    near(at.scale, camera.scale);
  }
  near(partWay({ ...from, scale: 2 }, to, 0.5).x, 150);
});
