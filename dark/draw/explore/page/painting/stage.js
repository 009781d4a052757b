// The canvas: the visible part of the picture, painted at most once in each frame.
import { fitted, kept, partWay, showing, toPicture, zoomedAt } from "./camera.js";

const SLOW = 12; // milliseconds of painting above which a moving picture is mostly a copy of the last painting
const ANEW = 110, SHARE = 5; // milliseconds between two paintings of a slow moving picture: at least 110, and 5 times the cost of one
const GLIDE = 260; // milliseconds of a movement to a place

export class Stage {
  // `paint(context, camera, view)` paints; `sizeOf()` gives the size of the picture.
  constructor(canvas, { paint, sizeOf }) {
    Object.assign(this, { canvas, paint, sizeOf });
    this.context = canvas.getContext("2d", { alpha: false });
    this.copy = document.createElement("canvas");
    this.camera = { x: 0, y: 0, scale: 1 };
    this.view = { width: 1, height: 1 };
    this.cost = 0;
    this.painted = null;
    this.isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  resize(width, height) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.view = { width, height };
    for (const canvas of [this.canvas, this.copy]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    this.ratio = ratio;
    this.painted = null;
    this.later();
  }

  // Another camera, now: for what a hand moves.
  moveTo(camera) {
    cancelAnimationFrame(this.gliding);
    this.setCamera(camera);
  }

  setCamera(camera) {
    this.camera = kept(camera, this.sizeOf(), this.view);
    this.isMoving = true;
    this.later();
  }

  // Another camera, by and by: so that one sees where one goes.
  glideTo(camera) {
    cancelAnimationFrame(this.gliding);
    const target = kept(camera, this.sizeOf(), this.view), from = this.camera, begun = performance.now();
    if (this.isReduced) return this.setCamera(target);
    const step = (now) => {
      const part = Math.min(1, Math.max(0, now - begun) / GLIDE);
      this.setCamera(partWay(from, target, 1 - (1 - part) ** 3));
      if (part < 1) this.gliding = requestAnimationFrame(step);
      else this.target = null;
    };
    this.target = target;
    this.gliding = requestAnimationFrame(step);
    return undefined;
  }

  zoomBy(factor, px = this.view.width / 2, py = this.view.height / 2) {
    this.moveTo(zoomedAt(this.camera, factor, px, py));
  }

  fit(rect, options) {
    this.glideTo(fitted(rect, this.view, options));
  }

  show(rect) {
    const from = this.target ?? this.camera;
    const camera = showing(from, rect, this.view);
    if (camera !== from) this.glideTo(camera);
  }

  toPicture(px, py) {
    return toPicture(this.camera, px, py);
  }

  // Paint anew at the next frame; what is shown has changed.
  refresh() {
    this.painted = null;
    this.later();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  draw() {
    clearTimeout(this.anew);
    const begun = performance.now();
    if (this.isMoving && this.cost > SLOW && this.painted && begun - this.painted.at < Math.max(ANEW, SHARE * this.cost)) {
      this.drawCopy();
      this.anew = setTimeout(() => this.refresh(), ANEW);
      return;
    }
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.paint(this.context, this.camera, this.view);
    this.cost = performance.now() - begun;
    this.isMoving = false;
    if (this.cost <= SLOW) return;
    this.copy.getContext("2d").drawImage(this.canvas, 0, 0);
    this.painted = { camera: this.camera, at: performance.now() };
  }

  // The last painting, moved and scaled.
  drawCopy() {
    const { camera } = this.painted, by = this.camera.scale / camera.scale;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.fillStyle = this.paper;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const x = (camera.x - this.camera.x) * this.camera.scale * this.ratio, y = (camera.y - this.camera.y) * this.camera.scale * this.ratio;
    this.context.drawImage(this.copy, x, y, this.canvas.width * by, this.canvas.height * by);
  }
}
