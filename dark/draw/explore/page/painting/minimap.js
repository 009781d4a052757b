// The whole graph in a corner, with the part that is seen; a click or a drag moves there.
import { element } from "../../../../pages/parts/dom.js";

const LARGEST = 150, SMALLEST = 26; // pixels of its longer and shorter side

export class Minimap {
  constructor(stage, sizeOf) {
    Object.assign(this, { stage, sizeOf });
    this.canvas = element("canvas", { class: "minimap", "aria-hidden": "true" });
    this.picture = document.createElement("canvas");
    this.canvas.addEventListener("pointerdown", (event) => this.move(event));
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) this.move(event); });
  }

  // Draw the boxes of another scene.
  setScene(scene, colors) {
    const [width, height] = scene.size;
    const scale = LARGEST / Math.max(width, height);
    this.x = Math.max(SMALLEST, width * scale) / width;
    this.y = Math.max(SMALLEST, height * scale) / height;
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = Math.round(width * this.x);
      canvas.height = Math.round(height * this.y);
    }
    const context = this.picture.getContext("2d");
    context.fillStyle = colors.frame[0];
    for (const box of scene.frames.values()) this.rect(context, box);
    context.fillStyle = colors.edge;
    for (const box of scene.boxes.values()) if (!box.isLeaf) this.rect(context, box);
    this.colors = colors;
  }

  rect(context, { x, y, width, height }) {
    context.fillRect(x * this.x, y * this.y, Math.max(0.7, width * this.x), Math.max(0.7, height * this.y));
  }

  draw(camera, view) {
    const wide = view.width / camera.scale, high = view.height / camera.scale;
    const [width, height] = this.sizeOf();
    this.canvas.hidden = wide >= width && high >= height;
    if (this.canvas.hidden) return;
    const context = this.canvas.getContext("2d");
    context.fillStyle = this.colors.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.picture, 0, 0);
    context.strokeStyle = this.colors.focus;
    context.lineWidth = 2;
    context.strokeRect(camera.x * this.x, camera.y * this.y, Math.max(3, wide * this.x), Math.max(3, high * this.y));
  }

  move(event) {
    const { camera, view } = this.stage;
    this.stage.moveTo({ ...camera, x: event.offsetX / this.x - view.width / camera.scale / 2, y: event.offsetY / this.y - view.height / camera.scale / 2 });
  }
}
