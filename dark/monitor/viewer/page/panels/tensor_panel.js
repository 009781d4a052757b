// The tensors at the cursor: the chosen one, and those that are kept in sight beside it.
import { element } from "../../../../pages/parts/dom.js";
import { gridOf } from "../charts/grid.js";
import { keysOf } from "../keys.js";
import { TextPicture } from "../charts/pictures.js";
import { drawnGroup, loaded } from "./tensor_group.js";

const SWITCHES = [
  ["absolute", "|x|", "absolute values"], ["values", "numbers", "numbers in the cells"], ["unify", "one range", "one color range for all steps"],
  ["log", "symlog", "symmetric logarithm"], ["histogram", "histogram", "histograms over time"], ["aspect", "square cells", "real aspect ratio: square cells"],
  ["plain", "plain", "look for export: transposed, without title"], ["difference", "A − B", "difference of two runs"],
  ["separate", "own ranges", "a color range for each run, or one for all"],
];

export class TensorPanel {
  constructor({ act, onPick }) {
    this.onPick = onPick;
    this.switches = Object.fromEntries(SWITCHES.map(([action, sign, text]) => [action, element("button", {
      type: "button", title: `${text} (${keysOf(action)})`, "aria-label": text, "aria-pressed": "false", onclick: () => act(action),
    }, sign)]));
    this.axes = element("button", { type: "button", "aria-pressed": "false", title: "tiles of the first two axes instead of the last two", "aria-label": "tiles of the first two axes instead of the last two", onclick: () => act("firstAxes") }, "first axes");
    this.cell = element("output", { class: "cell", "aria-live": "polite" });
    this.bar = element("div", { class: "bar", role: "toolbar", "aria-label": "Look of the tensor" }, ...Object.values(this.switches), this.axes, this.cell);
    this.place = element("div", { class: "pictures" });
    this.root = element("section", { class: "tensor", "aria-label": "Tensor" }, this.bar, this.place);
    this.pictures = [];
    this.drawing = 0;
    this.isDeep = false;
  }

  // Fetch and draw; a newer call makes an older one void.
  async show({ runs, names, step, look, theme, size }) {
    this.drawing += 1;
    const mine = this.drawing;
    const isSingle = names.length === 1;
    const groups = await Promise.all(names.map((name) => loaded(runs, name, step, look).catch((error) => {
      if (isSingle) throw error;
      return { name, error };
    })));
    if (mine !== this.drawing) return;
    const shapes = groups.flatMap(({ found }) => (found ?? []).filter(Boolean).map(({ shape }) => shape));
    this.setSwitches(look, shapes.some((shape) => shape.length > 2), runs.length);
    const focused = [...this.place.querySelectorAll(".picture")].indexOf(this.place.getRootNode().activeElement);
    this.pictures.forEach((picture) => picture.remove());
    this.cell.textContent = "";
    this.draw(groups, { runs, step, look, theme, onCell: (text) => { this.cell.textContent = text; }, onPick: this.onPick }, size);
    if (focused >= 0) this.pictures[Math.min(focused, this.pictures.length - 1)]?.root.focus();
  }

  draw(groups, base, size) {
    const panels = base.runs.length === 2 && !base.look.histogram ? 2 + Number(base.look.difference) : base.runs.length;
    const { columns, width, height } = gridOf(groups.length, size, panels);
    const drawn = groups.map((group) => drawnGroup(group, { ...base, size: { width, height } }));
    this.shown = drawn.map(({ shown }) => shown);
    this.pictures = drawn.flatMap(({ pictures }) => pictures);
    if (!groups.length) this.pictures = [new TextPicture({ ...base, title: "No tensor", text: "This run has no tensors yet.", size })];
    const places = drawn.map(({ pictures }) => element("div", { class: "group" }, ...pictures.map((picture) => picture.root)));
    this.place.style.setProperty("--columns", columns);
    this.place.replaceChildren(...(places.length ? places : this.pictures.map((picture) => picture.root)));
  }

  setSwitches(look, isDeep, runCount) {
    this.isDeep = isDeep;
    for (const [action, button] of Object.entries(this.switches)) {
      button.setAttribute("aria-pressed", String(action === "aspect" ? look.aspect ?? isDeep : look[action]));
    }
    this.switches.difference.hidden = runCount !== 2;
    this.switches.separate.hidden = runCount < 2;
    this.axes.hidden = !isDeep;
    this.axes.setAttribute("aria-pressed", String(look.firstAxes));
  }
}
