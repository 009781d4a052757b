// The switches of the scalars: the axis, logarithms, alignment, smoothing.
import { axesOf } from "../axes.js";
import { element } from "../../../../pages/parts/dom.js";
import { keysOf } from "../keys.js";

const PLOT_SWITCHES = [
  ["scalarLog", "log y", "logarithm of the scalars; symmetric where a value is not positive"],
  ["stepLog", "log x", "logarithm of the steps"],
  ["align", "align", "align runs by their first step"],
];
const MOST_WEIGHT = 0.995; // the weight of the past, of the strongest smoothing

// The slider is finer where the weight is near 1, since the average is over about 1 / (1 - weight) values.
export function weightAt(place) {
  return place <= 0 ? 0 : 1 - (1 - MOST_WEIGHT) ** place;
}

export function placeOfWeight(weight) {
  return Math.log(1 - weight) / Math.log(1 - MOST_WEIGHT);
}

export class ScalarsBar {
  constructor({ act, setPlot }) {
    this.axis = element("select", { "aria-label": "horizontal axis", title: `horizontal axis (${keysOf("axis")})`, onchange: () => setPlot({ axis: this.axis.value }) });
    this.switches = Object.fromEntries(PLOT_SWITCHES.map(([action, sign, text]) => [action, element("button", {
      type: "button", title: `${text} (${keysOf(action)})`, "aria-label": text, "aria-pressed": "false", onclick: () => act(action),
    }, sign)]));
    this.smoothing = element("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0, "aria-label": "smoothing", oninput: () => setPlot({ smoothing: weightAt(Number(this.smoothing.value)) }) });
    this.weight = element("output", {});
    this.root = element("div", { class: "bar", role: "toolbar", "aria-label": "Look of the scalars" }, element("label", {}, "x ", this.axis), ...Object.values(this.switches),
      element("label", { class: "smoothing", title: `exponential average, the raw line pale behind it (${keysOf("smoother")}, ${keysOf("rougher")})` }, "smoothing ", this.smoothing, this.weight));
  }

  show(runs, { axis, isStepLog, isAligned, smoothing }, isLog) {
    const axes = axesOf(runs);
    const names = axes.map(({ name }) => name).join();
    if (this.names !== names) {
      this.axis.replaceChildren(...axes.map(({ name, text }) => element("option", { value: name }, text)));
      this.names = names;
    }
    this.axis.value = axis;
    this.switches.align.hidden = runs.length < 2;
    for (const [action, isOn] of Object.entries({ scalarLog: isLog, stepLog: isStepLog, align: isAligned })) this.switches[action].setAttribute("aria-pressed", String(isOn));
    this.smoothing.value = smoothing ? placeOfWeight(smoothing) : 0;
    const text = smoothing ? `${Math.round(1000 * smoothing) / 1000}` : "off";
    this.weight.textContent = text;
    this.smoothing.setAttribute("aria-valuetext", smoothing ? `weight of the past ${text}` : "off");
  }
}
