// The viewer: puts the panels together, does what keys and buttons ask for, and follows a run that grows.
import { isMove, nearestIndex, playPace, union } from "./cursor.js";
import { openDialog } from "../../../pages/parts/dialog.js";
import { aboutDialog, helpDialog, openDialogBox, saveDialog } from "./dialogs.js";
import { element, themeOf } from "../../../pages/parts/dom.js";
import { actionOf, keysOf } from "./keys.js";
import { numberText } from "../../../pages/parts/numbers.js";
import { Run } from "./runs.js";
import { saveShown } from "./save.js";
import { ScalarsPanel } from "./scalars_panel.js";
import { askFile } from "./sources.js";
import { acted, initialState, stateFor } from "./state.js";
import { TensorPanel } from "./tensor_panel.js";
import { TimePanel } from "./time_panel.js";
import { TreePanel } from "./tree_panel.js";

const LOOK_AGAIN = 1000; // milliseconds between two looks at a run that may grow, at least
const LOOK_SHARE = 10; // times the duration of the last look
const LATE = 1500; // milliseconds after which a question is late
const FRAME = 100; // milliseconds of a picture while playing
const LEAST_CHART = 150; // pixels

export class Viewer {
  // `ask` is the home's way to answer; `isLive` says whether a run may grow.
  constructor(place, ask, { isLive = false } = {}) {
    this.ask = ask;
    this.isLive = isLive;
    this.runs = [];
    this.timeline = new Float64Array();
    this.state = initialState();
    this.build(place);
    this.isStopped = false;
  }

  build(place) {
    const act = (action) => this.act(action);
    const pick = (step) => this.moveTo(nearestIndex(this.timeline, step));
    this.title = element("h1", {});
    this.status = element("p", { class: "status", role: "status" });
    this.alert = element("p", { class: "alert", role: "alert", hidden: true });
    this.search = element("input", { type: "search", placeholder: `search (${keysOf("search")})`, "aria-label": "search scalars and tensors", oninput: () => this.searchTrees() });
    this.scalarTree = new TreePanel({ label: "Scalars", choose: (name) => this.toggleScalar(name), isChosen: () => false, isChecked: (name) => this.state.shown.has(name) });
    this.tensorTree = new TreePanel({ label: "Tensors", choose: (name) => this.chooseTensor(name), isChosen: (name) => name === this.state.tensor, tagOf: (name) => this.shapeTag(name) });
    this.scalars = new ScalarsPanel({ onPick: pick });
    this.time = new TimePanel({ act, onPosition: (at) => this.moveTo(at) });
    this.tensors = new TensorPanel({ act, onPick: pick });
    const button = (action, text) => element("button", { type: "button", title: `${text} (${keysOf(action)})`, onclick: () => act(action) }, text);
    const head = element("div", { class: "top" }, this.title, this.status, button("open", "Open"), button("about", "About"), button("save", "Save"), button("help", "Keys"));
    const side = element("div", { class: "side", role: "region", "aria-label": "Series" }, this.search, this.scalarTree.root, this.tensorTree.root);
    const body = element("div", { class: "body" }, this.scalars.root, this.time.root, this.tensors.root);
    this.root = element("div", { class: "dark-page dark-viewer", tabindex: "-1", "data-lm-suppress-shortcuts": "true", role: "region", "aria-label": "Viewer of a training run" }, head, this.alert, side, body);
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    place.append(this.root);
    this.watchSize();
  }

  watchSize() {
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(this.root);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.later();
    this.scheme.addEventListener("change", this.onScheme);
  }

  // Open the runs that the home shows first, and begin to follow them.
  async start() {
    this.watchAnswers();
    try {
      const { header } = await this.ask({ ask: "runs" });
      const [first, second] = header.shown;
      await this.open(new Run(this.ask, first), "replace");
      if (second) await this.open(new Run(this.ask, second), "compare");
    } catch (error) {
      this.report(error);
    }
    if (this.isLive) this.follow();
  }

  // Show another run, instead of all others or beside the first.
  async open(run, how) {
    await run.refresh();
    this.runs = how === "compare" && this.runs.length ? [this.runs[0], run] : [run];
    this.updateTimeline();
    const first = this.runs[0];
    this.state = { ...stateFor(this.state, first), at: Math.max(0, this.timeline.length - 1) };
    this.tensorTree.reveal(this.state.tensor);
    this.fillTrees();
    await this.loadScalars();
    await this.draw();
  }

  async openFile(file, how) {
    const page = new DOMParser().parseFromString(await file.text(), "text/html");
    const ask = askFile(page);
    const { header } = await ask({ ask: "runs" });
    await this.open(new Run(ask, header.shown[0]), how);
  }

  closePair() {
    return this.runs.length > 1 ? this.open(this.runs[0], "replace") : null;
  }

  updateTimeline() {
    this.timeline = union(this.runs[0].timeline, this.runs[1]?.timeline);
  }

  fillTrees() {
    const names = (list) => [...new Set(this.runs.flatMap(list))];
    this.scalarTree.setNames(names((run) => run.scalarNames()));
    this.tensorTree.setNames(names((run) => run.tensorNames()));
    this.scalarTree.draw();
    this.tensorTree.draw();
    const status = (run) => (run.about.status === "ended" ? "" : ` (${run.about.status})`);
    this.title.textContent = this.runs.map((run, k) => (this.runs.length > 1 ? `${"AB"[k]} ` : "") + run.name + status(run)).join("  ·  ");
    this.showWarnings();
  }

  // What a file left out and what is damaged; an error takes its place until something is drawn again.
  showWarnings() {
    const text = this.runs.flatMap((run) => [...run.about.leftOut, ...run.about.damage]).join(" ");
    this.alert.hidden = text === "";
    if (this.alert.textContent !== text) this.alert.textContent = text;
  }

  shapeTag(name) {
    const series = this.runs.map((run) => run.about.tensors.find((one) => one.name === name)).find(Boolean);
    return series ? `${series.shape.length ? series.shape.join("×") : "0-d"}${series.kind ? ` ${series.kind}` : ""}` : "";
  }

  // Say so while a home does not answer: a kernel that runs a cell may not.
  watchAnswers() {
    this.watch = setInterval(() => {
      const isLate = Boolean(this.ask.isWaiting?.());
      if (isLate && this.wasWaiting) this.status.textContent = "waiting for the kernel, which is busy …";
      this.wasWaiting = isLate;
    }, LATE);
  }

  // Look for new steps; a cursor on the last step stays on the last step.
  async follow() {
    let pause = LOOK_AGAIN;
    while (!this.isStopped) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.isStopped || document.hidden || !this.runs.length) continue;
      const begun = performance.now();
      try {
        const grown = await Promise.all(this.runs.map((run) => run.refresh()));
        if (grown.some(Boolean)) await this.grow();
        this.root.classList.remove("lost");
        pause = Math.max(LOOK_AGAIN, LOOK_SHARE * (performance.now() - begun));
      } catch {
        this.root.classList.add("lost");
        this.status.textContent = "The run is out of reach: is the server or the kernel still running?";
      }
    }
  }

  async grow() {
    const wasLast = this.state.at >= this.timeline.length - 1;
    const step = this.timeline[this.state.at];
    const isFirst = this.timeline.length === 0 || this.state.tensor === null || this.state.shown.size === 0;
    this.updateTimeline();
    if (isFirst) this.state = stateFor(this.state, this.runs[0]);
    this.state = { ...this.state, at: wasLast ? Math.max(0, this.timeline.length - 1) : nearestIndex(this.timeline, step) };
    this.fillTrees();
    await this.loadScalars();
    await this.draw();
  }

  async act(action) {
    const dialogs = { help: () => helpDialog(), about: () => aboutDialog(this.runs), save: () => saveDialog((what, format) => saveShown(this, what, format).catch((error) => this.report(error))) };
    if (action in dialogs) return openDialog(this.root, dialogs[action]());
    if (action === "open") return this.openBox();
    if (action === "search") return this.search.focus();
    if (action === "close") return this.close();
    if (action.startsWith("zoom")) return this.zoom(action);
    const names = this.tensorTree.found();
    this.state = acted(this.state, action, { count: this.timeline.length, names, isDeep: this.tensors.isDeep });
    if (action === "play") return this.play();
    if (isMove(action)) return this.drawStep();
    if (/Tensor|Group/.test(action)) this.showChoice();
    return this.draw();
  }

  async openBox() {
    const { header } = await this.ask({ ask: "runs" });
    openDialog(this.root, openDialogBox({
      known: header.runs,
      hasPair: this.runs.length > 1,
      open: (name, how) => this.open(new Run(this.ask, name), how).catch((error) => this.report(error)),
      openFile: (file, how) => this.openFile(file, how).catch((error) => this.report(error)),
      closePair: () => this.closePair(),
    }));
  }

  close() {
    if (this.state.isPlaying) return this.act("play");
    if (this.search.value) {
      this.search.value = "";
      this.searchTrees();
      return this.root.focus();
    }
    if (this.search === this.search.getRootNode().activeElement) return this.root.focus();
    return this.closePair();
  }

  zoom(action) {
    const factor = { zoomIn: 0.5, zoomOut: 2, zoomAll: Infinity }[action];
    this.scalars.chart.zoomBy(factor, this.timeline[this.state.at] ?? 0);
  }

  async play() {
    this.time.show(this.state.at, this.timeline, this.state.isPlaying);
    if (!this.state.isPlaying) return;
    if (this.state.at >= this.timeline.length - 1) this.state = { ...this.state, at: 0 };
    while (this.state.isPlaying && !this.isStopped) {
      const begun = performance.now();
      await this.drawStep();
      await new Promise((resolve) => setTimeout(resolve, Math.max(10, FRAME - (performance.now() - begun))));
      if (this.state.at >= this.timeline.length - 1) this.state = { ...this.state, isPlaying: false };
      else if (this.state.isPlaying) this.state = { ...this.state, at: Math.min(this.timeline.length - 1, this.state.at + playPace(this.timeline.length)) };
    }
    this.time.show(this.state.at, this.timeline, false);
  }

  moveTo(at) {
    this.state = { ...this.state, at };
    return this.drawStep();
  }

  async toggleScalar(name) {
    const shown = new Set(this.state.shown);
    if (!shown.delete(name)) shown.add(name);
    this.state = { ...this.state, shown };
    await this.loadScalars();
    await this.draw();
  }

  chooseTensor(name) {
    this.state = { ...this.state, tensor: name };
    this.showChoice();
    return this.draw();
  }

  // Mark the chosen tensor in the tree, and scroll to it.
  showChoice() {
    this.tensorTree.reveal(this.state.tensor);
    this.tensorTree.focused = null;
    this.tensorTree.draw();
    this.root.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  searchTrees() {
    this.scalarTree.search(this.search.value);
    this.tensorTree.search(this.search.value);
  }

  async loadScalars() {
    await this.scalars.load(this.runs, this.state.shown);
  }

  // Draw at the next frame, once however often it is asked for.
  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  async draw() {
    if (!this.runs.length || this.isStopped) return;
    this.theme = themeOf(this.root);
    const { clientWidth, clientHeight } = this.scalars.place.hidden ? this.scalars.root : this.scalars.place;
    this.scalars.draw(this.theme, this.state.scalarLog, { width: Math.max(200, clientWidth), height: Math.max(LEAST_CHART, clientHeight) });
    await this.drawStep();
  }

  async drawStep() {
    const { state, timeline, runs } = this;
    const step = timeline[state.at] ?? 0;
    this.time.show(state.at, timeline, state.isPlaying);
    const words = this.scalars.setStep(step);
    const { clientWidth, clientHeight } = this.tensors.place;
    try {
      const size = { width: Math.max(240, clientWidth), height: Math.max(LEAST_CHART, clientHeight) };
      await this.tensors.show({ runs, name: state.tensor, step, look: state.look, theme: this.theme, size });
      this.showWarnings();
      if (!state.isPlaying) this.status.textContent = `step ${numberText(step, 9)}${words.length ? `: ${words.slice(0, 3).join(", ")}` : ""}`;
    } catch (error) {
      this.report(error);
    }
  }

  report(error) {
    this.alert.hidden = false;
    this.alert.textContent = error.message;
  }

  onKey(event) {
    if (this.root.querySelector("dialog[open]")) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(action);
  }

  stop() {
    this.isStopped = true;
    clearInterval(this.watch);
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.onScheme);
    this.scalars.chart.remove();
    this.tensors.pictures.forEach((picture) => picture.remove());
    this.root.remove();
  }
}
