// The explorer: puts the parts together, and does what keys, buttons and the mouse ask for.
import { openDialog, keysDialog } from "../../../pages/parts/dialog.js";
import { element } from "../../../pages/parts/dom.js";
import { arrayDialog, arraysOf } from "./panels/array_view.js";
import { BackwardPass } from "./backward.js";
import { firstCamera, pannedBy } from "./painting/camera.js";
import { DetailsPanel } from "./panels/details_panel.js";
import { Layouts } from "./layout/frames.js";
import { actionOfKey, HINT, ON_GRAPH, PANS, PLAYING, shownKeys } from "./keys.js";
import { Legend } from "./panels/legend.js";
import { gradientLine, marksOf } from "./painting/marks.js";
import { Minimap } from "./painting/minimap.js";
import { paintGraph } from "./painting/paint_graph.js";
import { Opening } from "./opening.js";
import { Player } from "./panels/player.js";
import { Pointer } from "./pointer.js";
import { SearchPanel } from "./panels/search_panel.js";
import { Stage } from "./painting/stage.js";
import { themeAndColors, watchColors } from "./painting/theme.js";
import { toolbar, zoomButtons } from "./panels/toolbar.js";
import { Highlight } from "./trace.js";
import { Visible } from "./layout/visible.js";
import { Walker } from "./walk.js";
import { sentenceOf } from "./words.js";

const ZOOM = 1.35; // of one key

export class Explorer {
  // `isPart` says whether it is a part of a page, which the wheel scrolls until one has clicked into the graph; `worker`
  // is the script of the worker that lays out large graphs.
  constructor(place, graph, colors, isPart, worker) {
    Object.assign(this, { graph, colorThemes: colors, isPart });
    this.layouts = new Layouts(graph);
    this.pass = new BackwardPass(graph);
    this.walker = new Walker(graph);
    this.chosen = null;
    this.highlight = new Highlight(graph, (text) => { this.live.textContent = text; this.stage.refresh(); });
    this.build(place, worker);
    this.updateTheme();
    this.opening.first(() => this.stage.moveTo(firstCamera(this.scene.size, this.stage.view)));
    this.watch();
  }

  build(place, worker) {
    const { graph } = this;
    const act = (action) => this.act(action);
    this.search = new SearchPanel(graph, { show: (id) => this.goTo(id), changed: () => this.stage?.refresh(), leave: () => this.graphBox.focus() });
    this.details = new DetailsPanel(graph, { choose: (id) => this.goTo(id), act, trace: (parameter) => this.highlight.trace(parameter, this.chosen) });
    this.legend = new Legend(graph);
    this.player = new Player(this.pass, () => this.onStep());
    this.canvas = element("canvas", {});
    this.stage = new Stage(this.canvas, { paint: (context, camera, view) => this.paint(context, camera, view), sizeOf: () => this.scene.size });
    this.minimap = new Minimap(this.stage, () => this.scene.size);
    this.live = element("p", { class: "live", role: "status", "aria-live": "polite" });
    this.graphBox = element("div", { class: "graph", tabindex: "0", role: "application", "aria-roledescription": "graph", "aria-label": `${graph.title}, ${graph.count} nodes. The arrow keys walk along its edges; the question mark lists the keys.` }, this.canvas);
    this.root = element("div", { class: "dark-page dark-explorer", tabindex: "-1", "data-lm-suppress-shortcuts": "true", role: "region", "aria-label": "Explorer of a graph" },
      toolbar(graph, this.pass, act), element("div", { class: "middle" }, this.graphBox, this.search.root, this.minimap.canvas, this.legend.root, zoomButtons(act), this.details.root), this.player.root, this.live);
    this.opening = new Opening(graph, this.layouts, worker, { root: this.root, show: (scene) => this.setScene(scene), say: (text) => { this.live.textContent = text; } });
    this.graphBox.after(this.opening.bar);
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    place.append(this.root);
    new Pointer(this.stage, { choose: (x, y) => this.onClick(x, y), open: (x, y) => this.onDoubleClick(x, y), mayZoom: () => !this.isPart || this.root.contains(this.root.getRootNode().activeElement) });
  }

  watch() {
    this.observer = new ResizeObserver(() => this.onResize());
    this.observer.observe(this.graphBox);
    this.unwatch = watchColors(() => {
      this.updateTheme();
      this.updateChoice();
    });
  }

  onResize() {
    const { clientWidth, clientHeight } = this.graphBox;
    const { camera, view: { width } } = this.stage;
    this.stage.resize(Math.max(1, clientWidth), Math.max(1, clientHeight));
    if (width <= 1) return clientWidth > 1 && this.stage.moveTo(firstCamera(this.scene.size, this.stage.view));
    this.stage.moveTo({ ...camera, x: camera.x + (width - clientWidth) / 2 / camera.scale });
    return this.chosen !== null && this.boxOf(this.chosen) && this.stage.show(this.boxOf(this.chosen));
  }

  updateTheme() {
    const { theme, colors } = themeAndColors(this.root, this.colorThemes);
    Object.assign(this, { theme, colors });
    this.stage.paper = theme.paper;
    this.legend.paint(colors);
    if (this.scene) this.minimap.setScene(this.scene, colors);
    this.stage.refresh();
  }

  // Draw another scene, and keep the chosen node or module where it is on the screen.
  setScene(scene) {
    const before = this.anchor === null || !this.scene ? null : this.boxBefore;
    this.scene = scene;
    this.visible = new Visible(scene);
    const after = before && this.boxOf(this.anchor);
    this.minimap.setScene(scene, this.colors);
    if (after) {
      const { camera } = this.stage;
      this.stage.moveTo({ ...camera, x: camera.x + after.x + after.width / 2 - before.x - before.width / 2, y: camera.y + after.y - before.y });
    }
    this.stage.refresh();
  }

  // Open or close modules, and keep a node or module where it is on the screen; then do something.
  reopen(changes, anchor, then) {
    Object.assign(this, { anchor, boxBefore: anchor === null ? null : this.boxOf(anchor) });
    this.opening.change(changes, then);
  }

  boxOf(id) {
    const shown = this.graph.shownFor(id, this.layouts.isOpen);
    return this.scene.boxes.get(shown) ?? this.scene.frames.get(shown) ?? null;
  }

  paint(context, camera, view) {
    const { graph, visible, colors } = this;
    paintGraph(context, { graph, visible, camera, view, colors, marks: marksOf(this), gradientOf: (id, text) => gradientLine(this.pass, this.player, id, text) });
    this.minimap.draw(camera, view);
  }

  onKey(event) {
    if (this.root.querySelector("dialog[open]")) return;
    const action = actionOfKey(event, event.target === this.graphBox);
    if (!action || (event.key === "Tab" && !this.walker.hasNext(action, this.chosen, this.scene))) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(action);
  }

  act(action) {
    if (PLAYING.has(action)) return this.player.act(action);
    if (ON_GRAPH.has(action)) return this.walk(action);
    if (action in PANS) return this.stage.glideTo(pannedBy(this.stage.target ?? this.stage.camera, ...PANS[action]));
    const actions = {
      toggle: () => this.toggle(), openAll: () => this.openAll(true), closeAll: () => this.openAll(false), path: () => this.highlight.toggle(this.chosen),
      search: () => { this.search.field.focus(); this.search.field.select(); }, nextHit: () => this.search.step(1), previousHit: () => this.search.step(-1),
      zoomIn: () => this.stage.zoomBy(ZOOM), zoomOut: () => this.stage.zoomBy(1 / ZOOM), fit: () => this.stage.fit({ x: 0, y: 0, width: this.scene.size[0], height: this.scene.size[1] }),
      center: () => this.chosen !== null && this.stage.fit(this.boxOf(this.chosen), { most: 1.6 }), close: () => this.close(),
      closeDetails: () => this.choose(null), help: () => openDialog(this.root, keysDialog(shownKeys(), HINT)),
    };
    return actions[action]();
  }

  walk(action) {
    if (action === "enter") return this.enter();
    return this.goTo(this.walker.to(action, this.chosen, this.scene, this.layouts.isOpen), this.chosen !== null);
  }

  enter() {
    if (this.chosen === null) return;
    if (this.graph.isModule(this.chosen)) return this.toggle();
    const arrays = arraysOf(this.graph, this.chosen);
    if (arrays.length) openDialog(this.root, arrayDialog(this.graph.titleOf(this.chosen), arrays, this.theme, Math.min(860, this.root.clientWidth - 70)));
  }

  // Open or close the chosen module, or the one around the chosen node.
  toggle() {
    if (this.chosen === null) return;
    const { graph, layouts } = this;
    const f = graph.isModule(this.chosen) ? this.chosen - graph.count : graph.around(this.chosen)[0];
    if (f === undefined) return;
    this.reopen([[f, !layouts.isOpen(f)]], graph.count + f, () => this.choose(graph.count + f));
  }

  openAll(isOpen) {
    const anchor = this.chosen;
    this.reopen(this.graph.modules.map((_, f) => [f, isOpen]), anchor, (isDone) => {
      if (!isDone) return;
      if (anchor === null) return this.stage.moveTo(firstCamera(this.scene.size, this.stage.view));
      this.choose(this.graph.shownFor(anchor, this.layouts.isOpen));
      return this.stage.show(this.boxOf(this.chosen));
    });
  }

  // Open what hides a node or module, choose it, and move the view there: to what hides it if that stays closed. An arrow
  // key does not open anything.
  goTo(id, isStep = false) {
    const hiding = isStep ? [] : this.graph.around(id).filter((f) => !this.layouts.isOpen(f));
    if (!hiding.length) return this.arrive(id);
    return this.reopen(hiding.map((f) => [f, true]), this.chosen, (isDone) => this.arrive(isDone ? id : this.graph.shownFor(id, this.layouts.isOpen)));
  }

  arrive(id) {
    this.choose(id);
    const box = this.boxOf(id);
    if (box) this.stage.show(this.graph.isModule(id) && this.layouts.isOpen(id - this.graph.count) ? { ...box, height: 60 } : box);
  }

  choose(id) {
    this.chosen = id;
    this.updateChoice();
    this.stage.refresh();
    this.live.textContent = id === null ? "" : sentenceOf(this.graph, id, this.layouts.isOpen);
  }

  updateChoice() {
    const state = this.player.isOn && this.chosen !== null && !this.graph.isModule(this.chosen) ? this.pass.stateOf(this.chosen, this.player.step) : "";
    if (this.chosen === null) return this.details.hide();
    return this.details.show(this.chosen, { isOpen: this.layouts.isOpen, theme: this.theme, state, hasPass: this.pass.isThere });
  }

  onClick(px, py) {
    this.graphBox.focus({ preventScroll: true });
    const { x, y } = this.stage.toPicture(px, py);
    this.choose(this.visible.at(x, y));
  }

  onDoubleClick(px, py) {
    const { x, y } = this.stage.toPicture(px, py);
    const id = this.visible.at(x, y);
    if (id !== null) this.choose(id);
    this.enter();
  }

  get path() {
    return this.highlight.path;
  }

  onStep() {
    const { player, pass } = this;
    this.stage.refresh();
    if (!player.isOn) return;
    const box = this.boxOf(pass.nowAt(player.step));
    if (box) this.stage.show(box);
  }

  close() {
    if (this.opening.stop()) return undefined;
    if (this.search.isOn) {
      this.search.clear();
      return this.graphBox.focus();
    }
    if (this.root.getRootNode().activeElement === this.search.field) return this.graphBox.focus();
    if (this.player.isOn) return this.player.end();
    if (this.path) return this.highlight.trace(null, this.chosen);
    return this.choose(null);
  }

  stop() {
    this.player.stop();
    this.opening.end();
    this.observer.disconnect();
    this.unwatch();
    this.root.remove();
  }
}
