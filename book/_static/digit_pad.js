// The pad of the first page: one draws a digit, and the network of module 05, whose weights are in the page, reads it.
// book/digit_pad.py trains it, on scans of the same kind as `scanned` makes of strokes.
const SIDE = 32, BLOCK = 4; // places of a scan, and of a pixel
const INK = 310; // places with ink, as in the scans of the training
const WIDEST = 28, THINNEST = 1.2, THICKEST = 5; // the width of a digit, and the radius of its line

// The distance of a place from a part of a stroke, from a to b.
function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

// The strokes in the middle of a scan, as high or as wide as it allows with a line of this radius.
function fitted(strokes, radius) {
  const points = strokes.flat();
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const scale = Math.min((SIDE - 2 * radius) / (bottom - top || 1e-9), (WIDEST - 2 * radius) / (right - left || 1e-9));
  const place = ([x, y]) => [SIDE / 2 + scale * (x - (left + right) / 2), SIDE / 2 + scale * (y - (top + bottom) / 2)];
  return strokes.map((stroke) => stroke.map(place));
}

// A scan of strokes, as rows of 0 and 1: the line is as thick as the amount of ink asks for.
function scanned(strokes) {
  let radius = 3, distances;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const parts = fitted(strokes, radius).flatMap((stroke) => stroke.map((point, k) => [stroke[Math.max(0, k - 1)], point]));
    distances = Array.from({ length: SIDE * SIDE }, (_, k) => {
      const place = [(k % SIDE) + 0.5, Math.floor(k / SIDE) + 0.5];
      return Math.min(...parts.map(([a, b]) => distance(place, a, b)));
    });
    radius = Math.max(THINNEST, Math.min(THICKEST, [...distances].sort((a, b) => a - b)[INK - 1]));
  }
  return Array.from({ length: SIDE }, (_, i) => distances.slice(i * SIDE, (i + 1) * SIDE).map((far) => +(far <= radius)));
}

// The 64 pixels of a scan, from 0 to 16: its ink in each block of 4 by 4 places.
function shrunk(scan) {
  const pixels = Array(64).fill(0);
  scan.forEach((row, i) => row.forEach((ink, j) => { pixels[8 * Math.floor(i / BLOCK) + Math.floor(j / BLOCK)] += ink; }));
  return pixels;
}

// The weights as they are in the page: integers, and a scale for each row.
function unpacked({ layers }) {
  return layers.map(({ weights, scale, bias }) => {
    const integers = Int8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
    const columns = integers.length / bias.length;
    return { bias, rows: bias.map((_, i) => Array.from(integers.subarray(i * columns, (i + 1) * columns), (n) => n * scale[i])) };
  });
}

// The forward pass: linear, ReLU, linear, softmax. Ten probabilities for the pixels.
function probabilities(network, pixels) {
  let x = pixels.map((ink) => ink / 16);
  network.forEach(({ rows, bias }, k) => {
    x = rows.map((row, i) => row.reduce((sum, weight, j) => sum + weight * x[j], bias[i]));
    if (k < network.length - 1) x = x.map((value) => Math.max(0, value));
  });
  const shifted = x.map((value) => Math.exp(value - Math.max(...x)));
  const total = shifted.reduce((sum, value) => sum + value, 0);
  return shifted.map((value) => value / total);
}

// What is on the pad: strokes, as points in a square of side 1, and the pen of the keyboard.
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const STEP = 0.05, LINE = 0.07; // of the keyboard's pen, and the width of the line that is shown
const EXAMPLE = [[ // a 3, until the reader draws
  [0.28, 0.22], [0.36, 0.14], [0.48, 0.1], [0.6, 0.13], [0.67, 0.22], [0.66, 0.33], [0.57, 0.42], [0.45, 0.46],
  [0.59, 0.49], [0.69, 0.57], [0.72, 0.68], [0.68, 0.8], [0.57, 0.88], [0.44, 0.89], [0.32, 0.84], [0.26, 0.75],
]];

function paint(canvas, strokes, pen) {
  const brush = canvas.getContext("2d");
  const side = canvas.width;
  brush.clearRect(0, 0, side, side);
  brush.strokeStyle = brush.fillStyle = getComputedStyle(canvas).color;
  brush.lineWidth = LINE * side;
  brush.lineCap = brush.lineJoin = "round";
  strokes.forEach((stroke) => {
    brush.beginPath();
    [stroke[0], ...stroke].forEach(([x, y], k) => brush[k ? "lineTo" : "moveTo"](x * side, y * side));
    brush.stroke();
  });
  if (!pen) return;
  brush.lineWidth = 3;
  brush.beginPath();
  brush.arc(pen.at[0] * side, pen.at[1] * side, (0.5 + pen.isDown) * LINE * side, 0, 2 * Math.PI);
  brush.stroke();
}

// The 64 pixels that the network gets.
function paintPixels(canvas, pixels) {
  const brush = canvas.getContext("2d");
  brush.clearRect(0, 0, 8, 8);
  brush.fillStyle = getComputedStyle(canvas).color;
  pixels.forEach((ink, k) => {
    brush.globalAlpha = ink / 16;
    brush.fillRect(k % 8, Math.floor(k / 8), 1, 1);
  });
}

function makeBars(place) {
  const list = element("ol", { class: "bars", start: 0, "aria-label": "the probability of each digit" }, place);
  return Array.from({ length: 10 }, (_, digit) => {
    const line = element("li", {}, list);
    element("b", {}, line).textContent = digit;
    const bar = element("span", { class: "bar", "aria-hidden": "true" }, line);
    return { line, bar, number: element("span", { class: "number" }, line) };
  });
}

function makePad(place, network) {
  let strokes = EXAMPLE, pen = null, drawn = null;
  const board = element("div", { class: "board" }, place);
  const canvas = element("canvas", {
    width: 480, height: 480, tabindex: 0, role: "application",
    "aria-label": "pad to draw a digit: arrows move the pen, the space bar lowers and lifts it, Delete clears",
  }, board);
  const bar = element("div", { class: "under" }, board);
  const clear = element("button", { type: "button" }, bar);
  clear.textContent = "Clear";
  const seen = element("canvas", { width: 8, height: 8, role: "img", "aria-label": "what the network gets: 8 by 8 pixels" }, bar);
  element("small", {}, bar).textContent = "what the network gets";
  const side = element("div", { class: "answer" }, place);
  const answer = element("p", { role: "status", "aria-live": "polite" }, side);
  const bars = makeBars(side);

  function show(isComplete) {
    paint(canvas, strokes, pen);
    const pixels = strokes.length ? shrunk(scanned(strokes)) : Array(64).fill(0);
    const shares = strokes.length ? probabilities(network, pixels) : Array(10).fill(0);
    const best = shares.indexOf(Math.max(...shares));
    paintPixels(seen, pixels);
    bars.forEach((each, digit) => {
      each.line.classList.toggle("best", strokes.length > 0 && digit === best);
      each.bar.style.setProperty("--share", shares[digit]);
      each.number.textContent = strokes.length ? `${(100 * shares[digit]).toFixed(1)} %` : "–";
    });
    if (!isComplete) return;
    if (!strokes.length) answer.textContent = "Draw a digit, with the mouse, a finger or the keys.";
    else answer.textContent = strokes === EXAMPLE ? `This is read as ${best}. Draw yours.` : `It is read as ${best}.`;
  }

  function reset() {
    [strokes, pen, drawn] = [[], pen && { at: [0.5, 0.5], isDown: false }, null];
    show(true);
  }

  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  canvas.onpointerdown = (event) => {
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    if (strokes === EXAMPLE) strokes = [];
    [drawn, pen] = [[placeOf(event)], null];
    strokes.push(drawn);
    show(false);
  };
  canvas.onpointermove = (event) => {
    if (!drawn || !canvas.hasPointerCapture(event.pointerId)) return;
    const point = placeOf(event);
    const [x, y] = drawn.at(-1);
    if (Math.hypot(point[0] - x, point[1] - y) < 0.012) return;
    drawn.push(point);
    paint(canvas, strokes);
  };
  canvas.onpointerup = canvas.onpointercancel = () => {
    if (drawn) show(true);
    drawn = null;
  };
  canvas.onkeydown = (event) => {
    if (event.key === "Delete" || event.key === "Backspace") reset();
    else if (event.key !== " " && !KEYS[event.key]) return;
    else move(KEYS[event.key]);
    event.preventDefault();
  };

  function move(way) {
    if (strokes === EXAMPLE) strokes = [];
    pen ??= { at: [0.5, 0.5], isDown: false };
    if (way) pen.at = pen.at.map((value, k) => Math.max(0, Math.min(1, value + STEP * way[k])));
    else pen.isDown = !pen.isDown;
    if (!way && pen.isDown) strokes.push([pen.at]);
    if (way && pen.isDown) strokes.at(-1).push(pen.at);
    show(!pen.isDown);
    if (pen.isDown) answer.textContent = "The pen is down; the space bar lifts it.";
  }

  canvas.onblur = () => { pen = null; paint(canvas, strokes); };
  clear.onclick = reset;
  new MutationObserver(() => show(false)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  show(true);
}

if (typeof document !== "undefined") {
  document.addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("digit-pad");
    if (place) makePad(place, unpacked(DIGIT_NETWORK));
  });
}

if (typeof module !== "undefined") module.exports = { probabilities, scanned, shrunk, unpacked };
