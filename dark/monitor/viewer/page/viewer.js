// The viewer: shows runs in its frame, and follows its state.
import { perform } from "./actions.js";
import { nearestIndex } from "./cursor.js";
import { themeOf } from "../../../pages/parts/dom.js";
import { openFinding, showSeries } from "./findings.js";
import { follow, watchAnswers } from "./sources/following.js";
import { buildFrame } from "./panels/frame.js";
import { actionOf } from "./keys.js";
import { grow, openAll, setPlot } from "./opening.js";
import { numberText } from "../../../pages/parts/numbers.js";
import { tagOf } from "./panels/tensor_group.js";
import { Run, statusText, titleText, warningText } from "./sources/runs.js";
import { askFile } from "./sources/sources.js";
import { initialState, seenTensors, toggled } from "./state.js";

const LEAST_CHART = 150; // pixels
const MOST_RUNS = 12;

export class Viewer {
  // `ask` is the home's way to answer; `isLive` says whether a run may grow.
  constructor(place, ask, { isLive = false } = {}) {
    this.ask = ask;
    this.isLive = isLive;
    this.runs = [];
    this.timeline = new Float64Array();
    this.state = initialState();
    this.isStopped = false;
    this.found = []; // findings of the doctor
    this.nextDiagnosis = 0;
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
      pickOn: (x) => this.pickOn(x),
      setPlot: (more) => this.setPlot(more),
      openFinding: (k) => this.openFinding(k),
      showSeries: (which, names, step) => showSeries(this, which, names, step),
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
      await this.openAll(header.shown.map((name) => new Run(this.ask, name)));
    } catch (error) {
      this.report(error);
    }
    if (this.isLive) follow(this);
  }

  // Show another run, instead of all others or beside them.
  async open(run, how) {
    if (how === "compare" && this.runs.length >= MOST_RUNS) throw new Error(`At most ${MOST_RUNS} runs are shown together. Close one (Esc).`);
    await this.openAll(how === "compare" ? [...this.runs, run] : [run]);
  }

  openAll(runs) {
    return openAll(this, runs);
  }

  async openFile(file, how) {
    const page = new DOMParser().parseFromString(await file.text(), "text/html");
    const ask = askFile(page);
    const { header } = await ask({ ask: "runs" });
    await this.open(new Run(ask, header.shown[0]), how);
  }

  closeLast() {
    return this.runs.length > 1 ? this.openAll(this.runs.slice(0, -1)) : null;
  }

  // Change the axis, the smoothing, or the alignment of the scalars.
  setPlot(more) {
    return setPlot(this, more);
  }

  // Move the cursor to a position on the axis of the scalars.
  pickOn(x) {
    const { axis, isAligned } = this.state.plot;
    const run = this.runs.find((one) => Number.isFinite(one.positionOf(one.timeline.at(-1), axis))) ?? this.runs[0];
    const step = run.stepAt(x + (isAligned ? run.firstOn(axis) : 0), axis) - run.offset;
    return this.moveTo(nearestIndex(this.timeline, step));
  }

  openFinding(k) {
    return openFinding(this, k);
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
    return tagOf(this.runs.map((run) => run.about.tensors.find((one) => one.name === name)).find(Boolean));
  }

  grow() {
    return grow(this);
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
    this.drawScalars();
    await this.drawStep();
  }

  drawScalars() {
    const { theme, state } = this;
    this.root.classList.toggle("without-tensors", this.tensorTree.names.length === 0);
    this.scalars.draw({ theme, plot: state.plot, isLog: state.scalarLog, findings: this.found, open: state.finding });
    this.scalars.setStep(this.timeline[state.at] ?? 0);
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
    this.scalars.remove();
    this.tensors.pictures.forEach((picture) => picture.remove());
    this.root.remove();
  }
}
