// The legend: a sample of each kind of box in the graph, and words; as below the pictures.
import { element } from "../../../../pages/parts/dom.js";
import { paintShape } from "../painting/paint_boxes.js";

const WIDE = 22, HIGH = 14, SPACE = 4, RATIO = 2; // of a sample, around it, and pixels for each point

export class Legend {
  constructor(graph) {
    const roles = new Set(graph.nodes.map(({ role }) => role));
    if (graph.modules.length > 1) ["group", "frame"].forEach((kind) => roles.add(kind));
    const failed = graph.nodes.find(({ mark }) => mark);
    this.kinds = Object.entries(graph.legend).filter(([kind]) => roles.has(kind));
    if (failed) this.kinds.push(["wrong", failed.lines?.[0]?.[1] ?? failed.mark]);
    this.samples = this.kinds.map(() => element("canvas", { width: (WIDE + 2 * SPACE) * RATIO, height: (HIGH + 2 * SPACE) * RATIO }));
    this.root = element("p", { class: "legend" }, ...this.kinds.map(([, words], k) => element("span", {}, this.samples[k], words)));
  }

  paint(colors) {
    this.kinds.forEach(([kind], k) => {
      const context = this.samples[k].getContext("2d");
      context.setTransform(RATIO, 0, 0, RATIO, 0, 0);
      context.clearRect(0, 0, WIDE + 2 * SPACE, HIGH + 2 * SPACE);
      paintShape(context, kind === "wrong" ? "result" : kind, { x: SPACE, y: SPACE, width: WIDE, height: HIGH }, colors, 1, kind);
    });
  }
}
