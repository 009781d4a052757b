// The three homes of the viewer: how a question reaches the run in the browser, in the notebook, in a file.

const TYPES = { float64: Float64Array, float32: Float32Array, int32: Int32Array, uint32: Uint32Array, uint8: Uint8Array };

export function arrayOf(dtype, buffer, offset = 0, byteLength = buffer.byteLength - offset) {
  return new TYPES[dtype](buffer.slice(offset, offset + byteLength));
}

// A message: the length of the header, the header as JSON, and the arrays, one after the other.
export function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const arrays = header.arrays.map(({ dtype, bytes }) => {
    offset += bytes;
    return arrayOf(dtype, buffer, offset - bytes, bytes);
  });
  return { header, arrays };
}

export function keyOf({ ask, run, name, index, log }) {
  return JSON.stringify([ask, run ?? null, name ?? null, index ?? null, log ?? null]);
}

// Ask the server of `dark notes view`.
export function askServer(token) {
  return async (request) => {
    const response = await fetch("ask", { method: "POST", headers: { "X-Token": token }, body: JSON.stringify(request) });
    if (!response.ok) throw new Error(await response.text());
    return unpacked(await response.arrayBuffer());
  };
}

const ASK_AGAIN = 2000; // milliseconds, then twice as many, and so on
const LONGEST_PAUSE = 60_000;

// Ask the kernel of a notebook. A kernel that runs a cell may answer late, or only when it is asked again; what is new
// it sends by itself: that answers the next question of that kind, or one that waits.
export function askKernel(model) {
  const waiting = new Map();
  const told = new Map((model.get("start") ?? []).map((header) => [keyOf(header.answers), { header, arrays: [] }]));
  let last = 0;
  const settle = (id, { header, arrays }) => {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    clearTimeout(one.timer);
    if (header.error) one.reject(new Error(header.error));
    else one.resolve({ header, arrays });
  };
  // What was told of a run before its newest description may be older than that.
  const forget = (run) => [...told.keys()].filter((key) => JSON.parse(key)[1] === run).forEach((key) => told.delete(key));
  const receive = (header, buffers) => {
    const arrays = (header.arrays ?? []).map(({ dtype }, k) => arrayOf(dtype, buffers[k].buffer, buffers[k].byteOffset, buffers[k].byteLength));
    const request = header.answers ?? waiting.get(header.id)?.request;
    if (request?.ask === "describe") forget(request.run);
    if (header.answers === undefined) return settle(header.id, { header, arrays });
    const key = keyOf(header.answers);
    const waits = [...waiting].filter(([, one]) => keyOf(one.request) === key);
    if (waits.length === 0) told.set(key, { header, arrays });
    waits.forEach(([id]) => settle(id, { header, arrays }));
  };
  const send = (id, pause) => {
    const one = waiting.get(id);
    if (!one) return;
    model.send({ ...one.request, id });
    one.timer = setTimeout(() => send(id, Math.min(LONGEST_PAUSE, 2 * pause)), pause);
  };
  model.on("msg:custom", receive);
  const ask = (request) => {
    const known = told.get(keyOf(request));
    if (known) {
      told.delete(keyOf(request));
      return Promise.resolve(known);
    }
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { request, resolve, reject });
      send(id, ASK_AGAIN);
    });
  };
  ask.isWaiting = () => waiting.size > 0;
  ask.stop = () => {
    model.off("msg:custom", receive);
    waiting.forEach((one) => clearTimeout(one.timer));
    waiting.clear();
  };
  return ask;
}

// Ask the file itself: answers are kept in it, each in an element of its own.
export function askFile(page) {
  return async (request) => {
    const element = page.getElementById(keyOf(request));
    if (!element) throw new Error("This file does not hold it; the panel “About the run” says what was left out.");
    const { header, data } = JSON.parse(element.textContent);
    if (header.error) throw new Error(header.error);
    return { header, arrays: header.arrays.map(({ dtype }, k) => arrayOf(dtype, bytesOf(data[k]))) };
  };
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}
