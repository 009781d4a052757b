// How a question reaches the run in a browser and in a file; `kernel.js` asks the kernel of a notebook.

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
