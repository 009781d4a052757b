// The kernel of a notebook, which is asked by messages. One that runs a cell may answer late, or only when it is asked
// again; what is new it sends by itself: that answers the next question of that kind, or one that waits.
import { arrayOf, keyOf } from "./sources.js";

const ASK_AGAIN = 2000; // milliseconds, then twice as many, and so on
const LONGEST_PAUSE = 60_000;

// Return the function that asks the kernel, with `isWaiting` and `stop`.
export function askKernel(model) {
  const kernel = new Kernel(model);
  return Object.assign((request) => kernel.ask(request), { isWaiting: () => kernel.waiting.size > 0, stop: () => kernel.stop() });
}

class Kernel {
  constructor(model) {
    this.model = model;
    this.waiting = new Map(); // questions by their numbers
    this.told = new Map((model.get("start") ?? []).map((header) => [keyOf(header.answers), { header, arrays: [] }]));
    this.last = 0;
    this.receive = (header, buffers) => this.onMessage(header, buffers);
    model.on("msg:custom", this.receive);
  }

  ask(request) {
    const key = keyOf(request), known = this.told.get(key);
    if (known) {
      this.told.delete(key);
      return Promise.resolve(known);
    }
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { request, resolve, reject });
      this.send(id, ASK_AGAIN);
    });
  }

  send(id, pause) {
    const question = this.waiting.get(id);
    if (!question) return;
    this.model.send({ ...question.request, id });
    question.timer = setTimeout(() => this.send(id, Math.min(LONGEST_PAUSE, 2 * pause)), pause);
  }

  onMessage(header, buffers) {
    const arrays = (header.arrays ?? []).map(({ dtype }, k) => arrayOf(dtype, buffers[k].buffer, buffers[k].byteOffset, buffers[k].byteLength));
    const request = header.answers ?? this.waiting.get(header.id)?.request;
    if (request?.ask === "describe") this.forget(request.run);
    if (header.answers === undefined) return this.settle(header.id, { header, arrays });
    const key = keyOf(header.answers);
    const waits = [...this.waiting].filter(([, question]) => keyOf(question.request) === key);
    if (waits.length === 0) this.told.set(key, { header, arrays });
    return waits.forEach(([id]) => this.settle(id, { header, arrays }));
  }

  settle(id, { header, arrays }) {
    const question = this.waiting.get(id);
    if (!question) return;
    this.waiting.delete(id);
    clearTimeout(question.timer);
    if (header.error) question.reject(new Error(header.error));
    else question.resolve({ header, arrays });
  }

  // What was told of a run before its newest description may be older than that.
  forget(run) {
    [...this.told.keys()].filter((key) => JSON.parse(key)[1] === run).forEach((key) => this.told.delete(key));
  }

  stop() {
    this.model.off("msg:custom", this.receive);
    this.waiting.forEach((question) => clearTimeout(question.timer));
    this.waiting.clear();
  }
}
