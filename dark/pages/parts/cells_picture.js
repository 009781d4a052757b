// A heat map whose cells are read with the mouse or the arrow keys, and which can be saved.
import { element } from "./dom.js";
import { numberText } from "./numbers.js";
import { imageOf, paintScene } from "./paint.js";
import { cellsAltText, cellsScene, isTooSmallForNumbers } from "./scene.js";
import { sceneSvg } from "./svg.js";
import { indexOf, offsetAt } from "./tiles.js";

// A heat map with a mark that the mouse or the arrow keys move over its cells.
export class CellsPicture {
  constructor({ title, tensor, range, look, size, theme, onCell }) {
    this.scene = cellsScene({ title, tensor, range, size, look });
    this.theme = theme;
    this.tensor = tensor;
    this.onCell = onCell;
    this.at = { x: this.scene.placed.cellWidth / 2, y: this.scene.placed.cellHeight / 2 };
    this.canvas = element("canvas");
    this.mark = element("div", { class: "cell-mark", hidden: true });
    this.alt = cellsAltText(title, tensor, this.scene.scale);
    this.root = element("div", { class: "picture", tabindex: "0", role: "img", "aria-label": this.alt, "aria-roledescription": "heat map; the arrow keys read its cells" }, this.canvas, this.mark);
    paintScene(this.canvas, this.scene, theme, devicePixelRatio || 1);
    if (look.values && isTooSmallForNumbers(this.scene)) onCell("the cells are too small for numbers");
    this.canvas.addEventListener("mousemove", (event) => this.readAt(event.offsetX - this.scene.origin.x, event.offsetY - this.scene.origin.y));
    this.canvas.addEventListener("mouseleave", () => this.hide());
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.root.addEventListener("blur", () => this.hide());
  }

  readAt(x, y) {
    const offset = offsetAt(this.scene.layout, this.scene.placed, x, y);
    if (offset < 0) return this.hide();
    this.at = { x, y };
    const { placed, origin } = this.scene;
    const left = x - (((x % (placed.tileWidth + placed.gap)) % placed.cellWidth)), top = y - (((y % (placed.tileHeight + placed.gap)) % placed.cellHeight));
    Object.assign(this.mark.style, { left: `${origin.x + left}px`, top: `${origin.y + top}px`, width: `${placed.cellWidth}px`, height: `${placed.cellHeight}px` });
    this.mark.hidden = false;
    const index = indexOf(this.tensor.shape, offset).map((k, axis) => k * (this.tensor.strides?.[axis] ?? 1));
    return this.onCell(`[${index.join(", ")}] = ${numberText(this.tensor.values[offset], 7)}`);
  }

  hide() {
    this.mark.hidden = true;
    this.onCell("");
  }

  onKey(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const { placed, layout } = this.scene;
    let { x, y } = this.at;
    if (!this.mark.hidden) {
      x += way[0] * placed.cellWidth;
      y += way[1] * placed.cellHeight;
      if (offsetAt(layout, placed, x, y) < 0) [x, y] = [x + way[0] * placed.gap, y + way[1] * placed.gap];
    }
    if (offsetAt(layout, placed, x, y) >= 0) this.readAt(x, y);
  }

  svg() {
    return sceneSvg(this.scene, this.theme, () => imageOf(this.scene, 2).toDataURL());
  }

  remove() {}
}
