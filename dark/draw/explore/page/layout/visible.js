// What of a scene is in a part of it, and what is at a point.

export class Visible {
  constructor(scene) {
    this.scene = scene;
    this.ids = [...scene.boxes.keys()];
    this.rects = new Float64Array(4 * this.ids.length);
    this.ids.forEach((id, k) => {
      const { x, y, width, height } = scene.boxes.get(id);
      this.rects.set([x, y, x + width, y + height], 4 * k);
    });
    this.bounds = new Float64Array(4 * scene.edges.length);
    scene.edges.forEach(({ points }, k) => this.bounds.set(boundsOf(points), 4 * k));
  }

  boxesIn(part) {
    return this.ids.filter((_, k) => meets(this.rects, 4 * k, part));
  }

  edgesIn(part) {
    return this.scene.edges.filter((_, k) => meets(this.bounds, 4 * k, part));
  }

  framesIn(part) {
    return [...this.scene.frames].filter(([, { x, y, width, height }]) => x < part.right && x + width > part.left && y < part.bottom && y + height > part.top);
  }

  // The box at a point, the leaf in it, else the title of the innermost frame; null outside all of them.
  at(x, y) {
    const part = { left: x, right: x, top: y, bottom: y };
    const boxes = this.boxesIn(part);
    const leaf = boxes.find((id) => this.scene.boxes.get(id).isLeaf);
    if (leaf !== undefined || boxes.length) return leaf ?? boxes[0];
    return this.framesIn(part).at(-1)?.[0] ?? null;
  }
}

function boundsOf(points) {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [left, top, right, bottom];
}

function meets(rects, k, { left, top, right, bottom }) {
  return rects[k] <= right && rects[k + 2] >= left && rects[k + 1] <= bottom && rects[k + 3] >= top;
}
