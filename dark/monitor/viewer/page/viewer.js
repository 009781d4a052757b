// The viewer: shows runs in its frame, and follows its state.
import { perform } from "./actions.js";
import { nearestIndex, union } from "./cursor.js";
import { themeOf } from "../../../pages/parts/dom.js";
import { follow, watchAnswers } from "./sources/following.js";
import { buildFrame } from "./panels/frame.js";
import { actionOf } from "./keys.js";
import { numberText } from "../../../pages/parts/numbers.js";
import { Run, statusText, titleText, warningText } from "./sources/runs.js";
import { askFile } from "./sources/sources.js";
import { initialState, seenTensors, stateFor, toggled } from "./state.js";

const LEAST_CHART = 150; // pixels

export class Viewer {
  // `ask` is the home's way to answer; `isLive` says whether a run may grow.
  constructor(place, ask, { isLive = false } = {}) {
    this.ask = ask;
    this.isLive = isLive;
    this.runs = [];
    this.timeline = new Float64Array();
    this.state = initialState();
    this.isStopped = false;
    Object.assign(this, buildFrame(this.calls(), {
      isShown: (name) => this.state.shown.has(name),
      isChosen: (name) => name === this.state.tensor,
      isKept: (name) => this.state.kept.has(name),
      tagOf: (name) => this.shapeTag(name),
    }));
    place.append(this.root);
    this.watchLook();
  }

  calls() {
    return {
      act: (action) => this.act(action),
      pick: (step) => this.moveTo(nearestIndex(this.timeline, step)),
      moveTo: (at) => this.moveTo(at),
      search: () => this.searchTrees(),
      toggleScalars: (names) => this.toggleScalars(names),
      chooseTensor: (name) => this.chooseTensor(name),
      keepTensors: (names) => this.keepTensors(names),
      onKey: (event) => this.onKey(event),
    };
  }

  // Draw again where the size or the colors of the page change.
  watchLook() {
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(this.root);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.later();
    this.scheme.addEventListener("change", this.onScheme);
  }

  // Open the runs that the home shows first, and begin to follow them.
  async start() {
    this.stopWatching = watchAnswers(this.ask, this.status);
    try {
      const { header } = await this.ask({ ask: "runs" });
      const [first, second] = header.shown;
      await this.open(new Run(this.ask, first), "replace");
      if (second) await this.open(new Run(this.ask, second), "compare");
    } catch (error) {
      this.report(error);
    }
    if (this.isLive) follow(this);
  }

  // Show another run, instead of all others or beside the first.
  async open(run, how) {
    await run.refresh();
    this.runs = how === "compare" && this.runs.length ? [this.runs[0], run] : [run];
    this.updateTimeline();
    this.state = { ...stateFor(this.state, this.runs[0]), at: Math.max(0, this.timeline.length - 1) };
    this.fillTrees();
    this.state.shown.forEach((name) => this.scalarTree.reveal(name));
    this.tensorTree.reveal(this.state.tensor);
    this.drawTrees();
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
    this.drawTrees();
    this.title.textContent = titleText(this.runs);
    this.showWarnings();
  }

  drawTrees() {
    this.scalarTree.draw();
    this.tensorTree.draw();
  }

  // What a file left out and what is damaged; an error takes its place until something is drawn again.
  showWarnings() {
    const text = warningText(this.runs);
    this.alert.hidden = text === "";
    if (this.alert.textContent !== text) this.alert.textContent = text;
  }

  shapeTag(name) {
    const series = this.runs.map((run) => run.about.tensors.find((one) => one.name === name)).find(Boolean);
    return series ? `${series.shape.length ? series.shape.join("×") : "0-d"}${series.kind ? ` ${series.kind}` : ""}` : "";
  }

  // The run has grown: a cursor on the last step stays on the last step.
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

  act(action) {
    return perform(this, action);
  }

  moveTo(at) {
    this.state = { ...this.state, at };
    return this.drawStep();
  }

  async toggleScalars(names) {
    this.state = { ...this.state, shown: toggled(this.state.shown, names) };
    this.scalarTree.draw();
    await this.loadScalars();
    await this.draw();
  }

  toggleScalar(name) {
    return this.toggleScalars([name]);
  }

  chooseTensor(name) {
    this.state = { ...this.state, tensor: name };
    this.showChoice();
    return this.draw();
  }

  // Keep tensors in sight beside the chosen one, or no longer.
  keepTensors(names) {
    this.state = { ...this.state, kept: toggled(this.state.kept, names) };
    this.tensorTree.draw();
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
    this.scalars.draw(this.theme, this.state.scalarLog);
    await this.drawStep();
  }

  async drawStep() {
    const { state, timeline, runs, theme } = this;
    const step = timeline[state.at] ?? 0;
    this.time.show(state.at, timeline, state.isPlaying);
    const words = this.scalars.setStep(step);
    const { clientWidth, clientHeight } = this.tensors.place;
    try {
      const size = { width: Math.max(240, clientWidth), height: Math.max(LEAST_CHART, clientHeight) };
      await this.tensors.show({ runs, names: seenTensors(state, this.tensorTree.names), step, look: state.look, theme, size });
      this.showWarnings();
      if (!state.isPlaying) this.status.textContent = statusText(numberText(step, 9), words);
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
    this.stopWatching?.();
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.onScheme);
    this.scalars.chart.remove();
    this.tensors.pictures.forEach((picture) => picture.remove());
    this.root.remove();
  }
}
