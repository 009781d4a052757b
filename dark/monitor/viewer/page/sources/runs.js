// A run as the viewer sees it: it asks its home for series and tensors, and keeps what it has got.
import { indexAt } from "../cursor.js";

const KEPT_BYTES = 64e6;

// `ask(request)` answers with { header, arrays }; the three homes of the viewer each have their own.
export class Run {
  constructor(ask, name) {
    this.ask = ask;
    this.name = name;
    this.about = null;
    this.timeline = new Float64Array();
    this.scalars = new Map();
    this.steps = new Map();
    this.tensors = new Map();
    this.summaries = new Map();
    this.kept = 0;
  }

  // Ask what the run holds; return whether it has grown.
  async refresh() {
    const { header } = await this.ask({ ask: "describe", run: this.name });
    const isNew = this.about?.version !== header.version;
    if (this.about && this.about.generation !== header.generation) this.forget();
    this.about = header;
    if (isNew) {
      this.timeline = (await this.ask({ ask: "timeline", run: this.name })).arrays[0];
      this.summaries.clear();
    }
    return isNew;
  }

  // Records have been replaced: the run was resumed from an earlier step.
  forget() {
    for (const kept of [this.scalars, this.steps, this.tensors, this.summaries]) kept.clear();
    this.kept = 0;
  }

  tensorNames() {
    return this.about.tensors.map((series) => series.name);
  }

  scalarNames() {
    return this.about.scalars.map((series) => series.name);
  }

  has(name) {
    return this.about.tensors.some((series) => series.name === name);
  }

  // The steps and values of a scalar; only what has been appended since is asked for.
  async scalar(name) {
    const count = this.about.scalars.find((series) => series.name === name)?.count ?? 0;
    const known = this.scalars.get(name) ?? { steps: new Float64Array(), values: new Float64Array() };
    if (known.steps.length >= count) return known;
    const { header, arrays } = await this.ask({ ask: "scalar", run: this.name, name, from: known.steps.length });
    const grown = { steps: joined(known.steps, header.from, arrays[0]), values: joined(known.values, header.from, arrays[1]) };
    this.scalars.set(name, grown);
    return grown;
  }

  async stepsOf(name) {
    const count = this.about.tensors.find((series) => series.name === name)?.count ?? 0;
    const known = this.steps.get(name) ?? new Float64Array();
    if (known.length >= count) return known;
    const { header, arrays } = await this.ask({ ask: "steps", run: this.name, name, from: known.length });
    const grown = joined(known, header.from, arrays[0]);
    this.steps.set(name, grown);
    return grown;
  }

  // The tensor of a series at the last step at or before the given one; null if the series begins later.
  async tensorAt(name, step) {
    if (!this.has(name)) return null;
    const steps = await this.stepsOf(name);
    const index = indexAt(steps, step);
    if (index < 0) return null;
    const key = `${name} ${index}`;
    if (!this.tensors.has(key)) this.keep(key, await this.ask({ ask: "tensor", run: this.name, name, index }));
    return this.tensors.get(key);
  }

  keep(key, { header, arrays }) {
    const tensor = { ...header, values: arrays[0] };
    this.tensors.set(key, tensor);
    this.kept += tensor.values.byteLength;
    for (const [oldest, { values }] of this.tensors) {
      if (this.kept <= KEPT_BYTES || oldest === key) break;
      this.tensors.delete(oldest);
      this.kept -= values.byteLength;
    }
  }

  // The range of a series over all steps, and its histograms.
  async summary(name, log) {
    if (!this.has(name)) return null;
    const key = `${name} ${log}`;
    if (!this.summaries.has(key)) {
      const { header, arrays } = await this.ask({ ask: "summary", run: this.name, name, log });
      this.summaries.set(key, { ...header, steps: arrays[0], counts: arrays[1], edges: arrays[2] });
    }
    return this.summaries.get(key);
  }
}

// The names of the runs, and whether one is still being written.
export function titleText(runs) {
  const status = (run) => (run.about.status === "ended" ? "" : ` (${run.about.status})`);
  return runs.map((run, k) => (runs.length > 1 ? `${"AB"[k]} ` : "") + run.name + status(run)).join("  ·  ");
}

// What a file left out and what is damaged; of two runs, which one.
export function warningText(runs) {
  const sentences = (run) => [...run.about.leftOut, ...run.about.damage].join(" ");
  const [first, second] = runs.map(sentences);
  if (runs.length < 2 || first === second) return first ?? "";
  return runs.map((run, k) => [`${"AB"[k]}:`, sentences(run)]).filter(([, text]) => text).map((parts) => parts.join(" ")).join(" ");
}

const MOST_WORDS = 3;

// The step, and the first values at it.
export function statusText(step, words) {
  return `step ${step}${words.length ? `: ${words.slice(0, MOST_WORDS).join(", ")}` : ""}`;
}

function joined(known, from, appended) {
  const all = new Float64Array(from + appended.length);
  all.set(known.subarray(0, from));
  all.set(appended, from);
  return all;
}
