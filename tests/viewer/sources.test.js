// How answers arrive, and what a run keeps of them.
import assert from "node:assert/strict";
import test from "node:test";

import { Run } from "../../dark/monitor/viewer/page/sources/runs.js";
import { askKernel } from "../../dark/monitor/viewer/page/sources/kernel.js";
import { askFile, keyOf, unpacked } from "../../dark/monitor/viewer/page/sources/sources.js";

const floats = (...values) => Float64Array.from(values);

// A run that grows: `count` records of the scalar "loss" and of the tensor "w".
function home(count) {
  const asked = [];
  const state = { count };
  const ask = async (request) => {
    asked.push(request);
    const steps = Float64Array.from({ length: state.count }, (_, k) => 10 * k);
    if (request.ask === "describe") return { header: { version: state.count, scalars: [{ name: "loss", count: state.count }], tensors: [{ name: "w", count: state.count, shape: [2] }] }, arrays: [] };
    if (request.ask === "timeline") return { header: {}, arrays: [steps] };
    if (request.ask === "scalar") return { header: { from: request.from }, arrays: [steps.slice(request.from), steps.slice(request.from)] };
    if (request.ask === "steps") return { header: { from: request.from }, arrays: [steps.slice(request.from)] };
    return { header: { step: 10 * request.index, shape: [2] }, arrays: [floats(request.index, -request.index)] };
  };
  return { ask, asked, state };
}

test("a run asks only for what has been appended", async () => {
  const { ask, asked, state } = home(2);
  const run = new Run(ask, "a");
  assert.equal(await run.refresh(), true);
  assert.equal(await run.refresh(), false);
  assert.equal((await run.scalar("loss")).values.length, 2);
  state.count = 5;
  await run.refresh();
  assert.deepEqual([...(await run.scalar("loss")).values], [0, 10, 20, 30, 40]);
  assert.deepEqual(asked.filter((request) => request.ask === "scalar").map((request) => request.from), [0, 2]);
});

test("a tensor is fetched once, at its last step at or before the cursor", async () => {
  const { ask, asked } = home(3);
  const run = new Run(ask, "a");
  await run.refresh();
  assert.equal(await run.tensorAt("w", -1), null);
  assert.equal(await run.tensorAt("gone", 5), null);
  assert.equal((await run.tensorAt("w", 15)).step, 10);
  await run.tensorAt("w", 19);
  assert.equal(asked.filter((request) => request.ask === "tensor").length, 1);
});

test("old tensors are given up before memory grows", async () => {
  const { ask } = home(40);
  const large = async (request) => (request.ask === "tensor" ? { header: { step: 0, shape: [500000] }, arrays: [new Float64Array(500000)] } : ask(request));
  const run = new Run(large, "a");
  await run.refresh();
  for (let step = 0; step < 400; step += 10) await run.tensorAt("w", step);
  assert.ok(run.kept <= 64e6 && run.tensors.size < 20);
});

test("bytes become a header and arrays", () => {
  const header = new TextEncoder().encode(JSON.stringify({ step: 3, arrays: [{ dtype: "float32", bytes: 8 }, { dtype: "float64", bytes: 8 }] }));
  const bytes = new Uint8Array(4 + header.length + 16);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  bytes.set(new Uint8Array(Float32Array.of(1.5, -2).buffer), 4 + header.length);
  bytes.set(new Uint8Array(floats(7).buffer), 12 + header.length);
  const found = unpacked(bytes.buffer);
  assert.deepEqual([found.header.step, [...found.arrays[0]], [...found.arrays[1]]], [3, [1.5, -2], [7]]);
});

test("a file answers from its elements, and says what it does not hold", async () => {
  const data = Buffer.from(floats(1, 2).buffer).toString("base64");
  const key = keyOf({ ask: "scalar", run: "a", name: "loss", from: 0 });
  const texts = { [key]: JSON.stringify({ header: { from: 0, arrays: [{ dtype: "float64" }] }, data: [data] }) };
  const ask = askFile({ getElementById: (id) => (texts[id] ? { textContent: texts[id] } : null) });
  assert.deepEqual([...(await ask({ ask: "scalar", run: "a", name: "loss", from: 0 })).arrays[0]], [1, 2]);
  await assert.rejects(ask({ ask: "tensor", run: "a", name: "w", index: 7 }), /does not hold/);
});

// A widget's model: `sent` are the messages to the kernel, `tell` delivers one from it.
function kernel(start = []) {
  const heard = [], sent = [];
  return {
    get: () => start, on: (_, listener) => heard.push(listener), off: (_, listener) => heard.splice(heard.indexOf(listener), 1), send: (message) => sent.push(message),
    sent, heard, tell: (message, buffers = []) => heard.forEach((listener) => listener(message, buffers)),
  };
}

test("a kernel's answer reaches its question, an error rejects it", async () => {
  const model = kernel();
  const ask = askKernel(model);
  const first = ask({ ask: "runs" }), second = ask({ ask: "describe", run: "x" });
  model.tell({ id: model.sent[1].id, error: "no run 'x'" });
  model.tell({ id: model.sent[0].id, runs: ["a"] });
  assert.deepEqual((await first).header.runs, ["a"]);
  await assert.rejects(second, /no run 'x'/);
  ask.stop();
  assert.equal(model.heard.length, 0);
});

test("what a busy kernel sends by itself answers a question that waits, and the next one", async () => {
  const model = kernel();
  const ask = askKernel(model);
  const request = { ask: "describe", run: "a" };
  const waiting = ask(request);
  model.tell({ answers: request, version: 2 });
  assert.equal((await waiting).header.version, 2);
  model.tell({ answers: request, version: 3 });
  assert.equal((await ask(request)).header.version, 3);
  assert.equal(model.sent.length, 1);
  const once = ask(request);
  assert.equal(model.sent.length, 2); // what was told is used once
  ask.stop();
  once.catch(() => {});
});

test("what was told before a newer description is asked again", async () => {
  const model = kernel();
  const ask = askKernel(model);
  const timeline = { ask: "timeline", run: "a" };
  model.tell({ answers: timeline, version: 3 });
  const description = ask({ ask: "describe", run: "a" });
  model.tell({ id: model.sent[0].id, version: 4 });
  await description;
  const steps = ask(timeline);
  model.tell({ id: model.sent[1].id, version: 4 });
  assert.equal((await steps).header.version, 4);
  ask.stop();
});

test("the first questions are answered before the kernel is", async () => {
  const model = kernel([{ answers: { ask: "runs" }, runs: ["a"], shown: ["a"] }]);
  const ask = askKernel(model);
  assert.deepEqual((await ask({ ask: "runs" })).header.shown, ["a"]);
  assert.equal(model.sent.length, 0);
});

test("a question that is not answered is asked again, and then no more", async () => {
  const clock = globalThis.setTimeout;
  const timers = [];
  globalThis.setTimeout = (action, pause) => timers.push({ action, pause });
  try {
    const model = kernel();
    const ask = askKernel(model);
    const waiting = ask({ ask: "describe", run: "a" });
    timers[0].action();
    timers[1].action();
    assert.deepEqual(model.sent.map(({ id }) => id), [1, 1, 1]);
    assert.deepEqual(timers.map(({ pause }) => pause), [2000, 4000, 8000]);
    assert.ok(ask.isWaiting());
    model.tell({ id: 1, version: 1 });
    await waiting;
    timers[2].action();
    assert.equal(model.sent.length, 3);
    assert.ok(!ask.isWaiting());
  } finally {
    globalThis.setTimeout = clock;
  }
});
