// A run as the viewer sees it: it asks its home for series and tensors, and keeps what it has got.
import { indexAt } from "../cursor.js";
import { LETTERS } from "../series.js";

const KEPT_BYTES = 64e6;

// `ask(request)` answers with { header, arrays }; the three homes of the viewer each have their own.
export class Run {
  constructor(ask, name) {
    this.ask = ask;
    this.name = name;
    this.about = null;
    this.timeline = new Float64Array();
    this.moments = {}; // of the timeline, by the name of the axis: elapsed, wall, epoch
    this.offset = 0; // what is subtracted from its steps: the first one, if runs are aligned
    this.diagnosis = null;
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
      const [steps, elapsed, wall, epoch] = (await this.ask({ ask: "timeline", run: this.name })).arrays;
      this.timeline = steps;
      this.moments = { elapsed, wall, epoch }; // a file of an older version has none
      this.summaries.clear();
    }
    return isNew;
  }

  // The findings of the doctor; asked again when the run has grown.
  async findings() {
    const { version } = this.about;
    if (this.diagnosis?.version !== version) {
      const { header } = await this.ask({ ask: "findings", run: this.name });
      this.diagnosis = { ...header, version };
    }
    return this.diagnosis;
  }

  // The steps of the timeline, as they are counted if runs are aligned.
  alignedTimeline() {
    return this.offset ? this.timeline.map((step) => step - this.offset) : this.timeline;
  }

  // Where a step of this run lies on an axis; NaN where its time or its epoch is not known.
  positionOf(step, axis) {
    if (axis === "step") return step;
    const at = indexAt(this.timeline, step);
    return at < 0 ? NaN : this.moments[axis]?.[at] ?? NaN;
  }

  // The first position of the run on an axis.
  firstOn(axis) {
    if (axis === "step") return this.timeline[0] ?? 0;
    return this.moments[axis]?.find(Number.isFinite) ?? 0;
  }

  // The step at a position of an axis, or next to it.
  stepAt(x, axis) {
    if (axis === "step") return x;
    const places = this.moments[axis] ?? [];
    let best = -1;
    for (let k = 0; k < places.length; k += 1) {
      if (Number.isFinite(places[k]) && (best < 0 || Math.abs(places[k] - x) < Math.abs(places[best] - x))) best = k;
    }
    return best < 0 ? this.timeline[0] : this.timeline[best];
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

  // The tensor of a series at the last step at or before that of the cursor; null if the series begins later.
  async tensorAt(name, step) {
    if (!this.has(name)) return null;
    const steps = await this.stepsOf(name);
    const index = indexAt(steps, step + this.offset);
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
  return runs.map((run, k) => (runs.length > 1 ? `${LETTERS[k]} ` : "") + run.name + status(run)).join("  ·  ");
}

// What a file left out and what is damaged; of several runs, which one.
export function warningText(runs) {
  const sentences = (run) => [...run.about.leftOut, ...run.about.damage].join(" ");
  if (runs.length < 2) return runs.map(sentences).join("");
  const whose = new Map();
  runs.forEach((run, k) => whose.set(sentences(run), [...(whose.get(sentences(run)) ?? []), LETTERS[k]]));
  return [...whose].filter(([text]) => text).map(([text, letters]) => `${letters.join(", ")}: ${text}`).join(" ");
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
