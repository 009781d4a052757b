// Mouse, pen and fingers on the stage: drag to move, wheel or two fingers to zoom, a click or tap to choose.
import { pannedBy, zoomedAt } from "./painting/camera.js";

const STILL = 5; // pixels below which a press is a click
const DOUBLE = 350; // milliseconds between the presses of a double click

export class Pointer {
  // `choose(px, py)` and `open(px, py)` are called for clicks and double clicks; `mayZoom()` says whether the wheel is
  // for the picture, and not for the page around it.
  constructor(stage, { choose, open, mayZoom }) {
    Object.assign(this, { stage, choose, open, mayZoom });
    this.pressed = new Map();
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.pressed.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
  }

  onDown(event) {
    if (event.button > 0) return;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.pressed.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.start = { x: event.offsetX, y: event.offsetY };
    this.isClick = this.pressed.size === 1;
  }

  onMove(event) {
    const before = this.pressed.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    if (Math.hypot(now.x - this.start.x, now.y - this.start.y) > STILL) this.isClick = false;
    const other = [...this.pressed].find(([id]) => id !== event.pointerId)?.[1];
    this.pressed.set(event.pointerId, now);
    if (this.isClick) return;
    const { stage } = this;
    if (!other) return stage.moveTo(pannedBy(stage.camera, now.x - before.x, now.y - before.y));
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const moved = pannedBy(stage.camera, (now.x - before.x) / 2, (now.y - before.y) / 2);
    stage.moveTo(zoomedAt(moved, factor, middle.x, middle.y));
  }

  onUp(event) {
    const wasClick = this.isClick && this.pressed.size === 1;
    this.pressed.delete(event.pointerId);
    if (!wasClick) return;
    const isSecond = this.last && event.timeStamp - this.last.at < DOUBLE && distance(this.last, this.start) < 2 * STILL;
    this.last = isSecond ? null : { ...this.start, at: event.timeStamp };
    if (isSecond) this.open(this.start.x, this.start.y);
    else this.choose(this.start.x, this.start.y);
  }

  // The wheel zooms at the pointer; with Shift it moves sideways.
  onWheel(event) {
    if (!event.ctrlKey && !this.mayZoom()) return;
    event.preventDefault();
    const { stage } = this;
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? stage.view.height : 1;
    if (event.shiftKey || event.deltaX) stage.moveTo(pannedBy(stage.camera, -(event.deltaX || event.deltaY) * unit, event.shiftKey ? 0 : -event.deltaY * unit));
    else stage.zoomBy(Math.exp((-event.deltaY * unit) / (event.ctrlKey ? 120 : 480)), event.offsetX, event.offsetY);
  }
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
