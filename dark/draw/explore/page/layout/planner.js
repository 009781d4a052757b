// Layouts of large graphs, without a pause of the page: in a worker, or in slices of time where the page may have none.
import { flattenedSteps, Layouts } from "./frames.js";
import { unpackedScene } from "./packed.js";

const SLICE = 12; // milliseconds of work between two pauses

export class Planner {
  // `source` is the script of the worker; without it, the work is done in slices.
  constructor(graph, source) {
    Object.assign(this, { graph, source });
    this.worker = null;
    this.waiting = null;
  }

  // A promise of the scene in which these modules are open, and of null if it is stopped.
  plan(open) {
    this.stop();
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject, open };
      if (this.started()) this.worker.postMessage({ open: [...open] });
      else this.planInSlices();
    });
  }

  // Whether there is a worker now; a page may be forbidden to begin one, at once or by and by.
  started() {
    if (this.worker || !this.source) return Boolean(this.worker);
    try {
      const url = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
      this.worker = new Worker(url);
      this.worker.onmessage = ({ data }) => this.finish(unpackedScene(data));
      this.worker.onerror = (event) => this.refused(event);
      this.worker.postMessage({ graph: outlineOf(this.graph) });
      URL.revokeObjectURL(url);
    } catch {
      this.source = null;
    }
    return Boolean(this.worker);
  }

  refused(event) {
    event.preventDefault();
    this.end();
    this.source = null;
    if (this.waiting) this.planInSlices();
  }

  planInSlices() {
    this.layouts ??= new Layouts(this.graph);
    this.layouts.openOnly(this.waiting.open);
    const steps = flattenedSteps(this.graph, this.layouts);
    const work = () => {
      const begun = performance.now();
      for (let next = steps.next(); ; next = steps.next()) {
        if (next.done) return this.finish(next.value);
        if (performance.now() - begun > SLICE) break;
      }
      this.timer = setTimeout(work, 0);
      return undefined;
    };
    this.timer = setTimeout(work, 0);
  }

  finish(scene) {
    const { resolve } = this.waiting ?? {};
    this.waiting = null;
    resolve?.(scene);
  }

  // End what is being done; returns whether something was.
  stop() {
    if (!this.waiting) return false;
    clearTimeout(this.timer);
    this.end();
    this.finish(null);
    return true;
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }
}

// What of a graph its layout depends on, as data for `Graph`.
export function outlineOf(graph) {
  const nodes = graph.nodes.map(({ inputs, holder, leaves, size, ordered }) => ({ inputs, holder, leaves, size, ordered }));
  const modules = graph.modules.map(({ items, size, titleWidth, open }) => ({ items, size, titleWidth, open }));
  return { title: "", nodes, modules, arrays: [], leftOut: [] };
}
