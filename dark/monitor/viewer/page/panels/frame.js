// The frame of the viewer: the bar at the top, the trees at the side, and the panels of scalars, time and tensors.
import { element } from "../../../../pages/parts/dom.js";
import { keysOf } from "../keys.js";
import { FindingsPanel } from "./findings_panel.js";
import { ScalarsPanel } from "./scalars_panel.js";
import { TensorPanel } from "./tensor_panel.js";
import { TimePanel } from "./time_panel.js";
import { TreePanel } from "./tree_panel.js";

const HEAD_BUTTONS = [["open", "Open"], ["about", "About"], ["save", "Save"], ["help", "Keys"]];

// Build all parts. `calls` are what they call: act, pick, moveTo, search, toggleScalars, chooseTensor, keepTensors,
// openFinding, showSeries, setPlot, pickOn, onKey; `shows` says what is chosen, kept and shown, and the tag of a tensor.
export function buildFrame(calls, shows) {
  const title = element("h1", {});
  const status = element("p", { class: "status", role: "status" });
  const alert = element("p", { class: "alert", role: "alert", hidden: true });
  const search = element("input", { type: "search", placeholder: `Search (${keysOf("search")})`, "aria-label": "search scalars and tensors", oninput: calls.search });
  const scalarTree = new TreePanel({ label: "Scalars", check: calls.toggleScalars, isChecked: shows.isShown, openAtFirst: 16 });
  const tensorTree = new TreePanel({
    label: "Tensors", note: "I: of the network · II: computed from one sample", choose: calls.chooseTensor, isChosen: shows.isChosen, check: calls.keepTensors, isChecked: shows.isKept, tagOf: shows.tagOf, openAtFirst: 80,
  });
  const findings = new FindingsPanel({ open: calls.openFinding, show: calls.showSeries });
  const scalars = new ScalarsPanel({ act: calls.act, setPlot: calls.setPlot, onPick: calls.pickOn });
  const time = new TimePanel({ act: calls.act, onPosition: calls.moveTo });
  const tensors = new TensorPanel({ act: calls.act, onPick: calls.pick });
  const buttons = HEAD_BUTTONS.map(([action, text]) => element("button", { type: "button", title: `${text} (${keysOf(action)})`, onclick: () => calls.act(action) }, text));
  const root = element(
    "div", { class: "dark-page dark-viewer", tabindex: "-1", "data-lm-suppress-shortcuts": "true", role: "region", "aria-label": "Viewer of a training run", onkeydown: calls.onKey },
    element("div", { class: "top" }, title, status, ...buttons), alert,
    element("div", { class: "side", role: "region", "aria-label": "Series" }, search, scalarTree.root, tensorTree.root),
    element("div", { class: "body" }, findings.root, scalars.root, time.root, tensors.root),
  );
  return { root, title, status, alert, search, scalarTree, tensorTree, findings, scalars, time, tensors };
}
