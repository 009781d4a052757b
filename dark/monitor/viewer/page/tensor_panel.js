// The chosen tensor at the cursor: its pictures, one a run, and the difference of two runs.
import { element } from "../../../pages/parts/dom.js";
import { differenceOf, prepared, rangeOf, viewOf } from "./look.js";
import { keysOf } from "./keys.js";
import { numberText } from "../../../pages/parts/numbers.js";
import { CellsPicture } from "../../../pages/parts/cells_picture.js";
import { HistogramPicture, LinePicture, TextPicture } from "./pictures.js";

const SWITCHES = [
  ["absolute", "|x|", "absolute values"], ["values", "123", "numbers in the cells"], ["unify", "⇔ range", "one color range for all steps"],
  ["log", "symlog", "symmetric logarithm"], ["histogram", "histogram", "histograms over time"], ["aspect", "square cells", "real aspect ratio: square cells"],
  ["plain", "plain", "look for export: transposed, without title"], ["difference", "A − B", "difference of two runs"],
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
  async show({ runs, name, step, look, theme, size }) {
    this.drawing += 1;
    const mine = this.drawing;
    const loaded = name === null ? [] : await Promise.all(runs.map((run) => run.tensorAt(name, step)));
    const needsSummary = name !== null && (look.unify || look.histogram);
    const summaries = needsSummary ? await Promise.all(runs.map((run) => run.summary(name, look.log))) : [];
    if (mine !== this.drawing) return;
    this.setSwitches(look, loaded.find(Boolean)?.shape ?? [], runs.length > 1);
    const focus = this.place.contains(this.place.getRootNode().activeElement);
    this.pictures.forEach((picture) => picture.remove());
    this.cell.textContent = "";
    this.shown = { name, step, runs, view: null, tensors: [], summaries };
    this.pictures = this.picturesOf({ runs, name, step, look, theme, size, loaded, summaries });
    this.place.replaceChildren(...this.pictures.map((picture) => picture.root));
    if (focus) this.pictures[0]?.root.focus();
  }

  setSwitches(look, shape, isPair) {
    this.isDeep = shape.length > 2;
    for (const [action, button] of Object.entries(this.switches)) {
      button.setAttribute("aria-pressed", String(action === "aspect" ? look.aspect ?? this.isDeep : look[action]));
    }
    this.switches.difference.hidden = !isPair;
    this.axes.hidden = !this.isDeep;
    this.axes.setAttribute("aria-pressed", String(look.firstAxes));
  }

  picturesOf({ runs, name, step, look, theme, size, loaded, summaries }) {
    const base = { look, theme, onCell: (text) => { this.cell.textContent = text; } };
    if (name === null) return [new TextPicture({ ...base, title: "No tensor", text: "This run has no tensors yet.", size })];
    const labels = runs.length > 1 ? runs.map((run, k) => "AB"[k]) : [null];
    const tensors = loaded.map((tensor, k) => ({ tensor: tensor && prepared(tensor, look), label: labels[k] }));
    const present = tensors.filter(({ tensor }) => tensor);
    if (!present.length) return [new TextPicture({ ...base, title: name, text: `${name} begins after step ${numberText(step, 9)}.`, size })];
    const view = viewOf(present[0].tensor.shape, look);
    this.shown = { ...this.shown, view, tensors: present };
    const difference = this.differenceOf(present, look);
    const panels = view === "line" ? 1 : present.length + (difference && view !== "histogram" ? 1 : 0);
    const each = { width: Math.floor((size.width - 8 * (panels - 1)) / panels), height: size.height };
    const title = (label, tensor) => `${label ? `${label}: ` : ""}${name}${tensor ? ` at step ${numberText(tensor.step, 9)}` : ""}`;
    if (view === "histogram") {
      return summaries.map((summary, k) => summary && new HistogramPicture({ ...base, title: title(labels[k]), summary, step, size: each, onPick: this.onPick })).filter(Boolean);
    }
    const range = rangeOf(present.map(({ tensor }) => tensor), summaries, look);
    const all = difference ? [...present, difference] : present;
    if (view === "line") return [new LinePicture({ ...base, title: title(null, present[0].tensor), tensors: all, range: difference && !look.unify ? rangeOf(all.map(({ tensor }) => tensor), [], look) : range, size: each })];
    return all.map(({ tensor, label }) => {
      const one = { ...base, title: title(label, tensor), tensor, size: each };
      if (view === "number") return new TextPicture({ ...one, text: numberText(tensor.values[0], 9), isNumber: true, note: "a single number" });
      if (view === "empty") return new TextPicture({ ...one, text: `It has no elements: shape (${tensor.shape.join(", ")}).` });
      return new CellsPicture({ ...one, range: label === "A − B" ? rangeOf([tensor], [], { ...look, unify: false }) : range });
    });
  }

  differenceOf(present, look) {
    if (present.length < 2 || !look.difference) return null;
    const tensor = differenceOf(present[0].tensor, present[1].tensor);
    return tensor && { tensor, label: "A − B" };
  }

  altText() {
    return this.pictures.map((picture) => picture.alt).join(" ");
  }
}
