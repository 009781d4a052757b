// A pad of pixels: mouse and keys change the trait `pixels`; the kernel answers with `readings`.
const SIDE = 240; // of the pad, in CSS pixels
const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function element(tag, attributes, parent, text = "") {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.textContent = text;
  parent.append(made);
  return made;
}

// The pixels moved by whole pixels; what comes in is white.
function moved(pixels, down, right) {
  return pixels.map((row, i) => row.map((_, j) => (pixels[i - down] || [])[j - right] || 0));
}

// The pixels with ink (or without, if erasing) around a place in units of pixels, soft at the edge of the pen.
function inked(pixels, y, x, erasing) {
  return pixels.map((row, i) => row.map((ink, j) => {
    const wet = Math.max(0, Math.min(1, 1.3 - Math.hypot(i + 0.5 - y, j + 0.5 - x)));
    return erasing ? Math.min(ink, 1 - wet) : Math.max(ink, wet);
  }));
}

function withPixel(pixels, i, j, ink) {
  return pixels.map((row, k) => row.map((old, l) => (k === i && l === j ? ink : old)));
}

function draw(canvas, pixels, cursor) {
  const pen = canvas.getContext("2d");
  const side = canvas.width / pixels[0].length;
  pixels.forEach((row, i) => row.forEach((ink, j) => {
    const tone = Math.round(255 * (1 - ink));
    pen.fillStyle = `rgb(${tone},${tone},${tone})`;
    pen.fillRect(j * side, i * side, side, side);
    pen.strokeStyle = "#d0d0d0";
    pen.lineWidth = 1;
    pen.strokeRect(j * side, i * side, side, side);
  }));
  if (!cursor) return;
  [["#ffffff", 5], ["#0b4f8a", 3]].forEach(([color, width]) => {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.strokeRect(cursor[1] * side + 2, cursor[0] * side + 2, side - 4, side - 4);
  });
}

function showReadings(place, readings) {
  place.replaceChildren();
  readings.forEach(({ name, text, bars }) => {
    const part = element("div", { style: "margin-bottom:0.6em" }, place);
    if (name) element("b", {}, part, name);
    if (!bars.length) element("div", {}, part, text);
    bars.forEach(([label, share]) => {
      const line = element("div", { style: "display:flex;align-items:center;gap:0.5em" }, part);
      element("span", { style: "width:5.5em" }, line, `${label} (${Math.round(100 * share)} %)`);
      const width = `width:${Math.max(1, 160 * share)}px;height:0.7em;background:currentColor;opacity:0.6`;
      element("span", { style: width, "aria-hidden": "true" }, line);
    });
  });
}

function render({ model, el }) {
  const box = element("div", { class: "dark-sketch" }, el);
  element("b", {}, box, model.get("title"));
  const both = element("div", { style: "display:flex;flex-wrap:wrap;gap:1.5em;margin:0.4em 0" }, box);
  const rows = model.get("pixels").length;
  const columns = model.get("pixels")[0].length;
  const side = Math.max(3, Math.floor(SIDE / Math.max(rows, columns)));
  const canvas = element("canvas", {
    width: side * columns, height: side * rows, tabindex: "0", role: "application",
    "aria-label": "pad: arrows move the drawing, shift and arrows the cursor, space draws, delete erases",
    // The attribute suppresses the shortcuts of JupyterLab for the keys.
    "data-lm-suppress-shortcuts": "true", style: "touch-action:none;cursor:crosshair;border:1px solid #52606d",
  }, both);
  const answers = element("div", { "aria-live": "polite", style: "min-width:15em" }, both);
  const bar = element("div", { style: "display:flex;gap:0.5em" }, box);
  const clear = element("button", { type: "button" }, bar, "clear");
  const erase = element("button", { type: "button", "aria-pressed": "false" }, bar, "erase");
  const again = element("button", { type: "button" }, bar, "start again");
  const help = "draw with the mouse; arrows move the drawing; Shift + arrows move the cursor, Space draws, Delete erases";
  element("small", { style: "display:block" }, box, help);

  let cursor = [0, 0];
  let isFocused = false;
  let isDown = false;
  const redraw = () => draw(canvas, model.get("pixels"), isFocused && !isDown ? cursor : null);
  const tell = () => showReadings(answers, model.get("readings"));
  function set(pixels) {
    model.set("pixels", pixels);
    model.save_changes();
    redraw();
  }
  function paint(event) {
    const place = canvas.getBoundingClientRect();
    const y = ((event.clientY - place.top) / place.height) * rows;
    const x = ((event.clientX - place.left) / place.width) * columns;
    set(inked(model.get("pixels"), y, x, erase.getAttribute("aria-pressed") === "true"));
  }
  canvas.onpointerdown = (event) => {
    isDown = true;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
    paint(event);
    event.preventDefault();
  };
  canvas.onpointermove = (event) => { if (isDown) paint(event); };
  canvas.onpointerup = canvas.onpointercancel = () => { isDown = false; redraw(); };
  canvas.onfocus = () => { isFocused = true; redraw(); };
  canvas.onblur = () => { isFocused = false; redraw(); };
  canvas.onkeydown = (event) => {
    const way = KEYS[event.key];
    const ink = { " ": 1, Enter: 1, Delete: 0, Backspace: 0 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!way && ink === undefined)) return;
    if (event.key === "Enter" && event.shiftKey) return; // runs the cell
    event.preventDefault();
    event.stopPropagation();
    if (way && event.shiftKey) {
      cursor = [Math.max(0, Math.min(rows - 1, cursor[0] + way[0])), Math.max(0, Math.min(columns - 1, cursor[1] + way[1]))];
      redraw();
    } else if (way) {
      set(moved(model.get("pixels"), ...way));
    } else {
      set(withPixel(model.get("pixels"), ...cursor, ink));
    }
  };
  clear.onclick = () => set(model.get("pixels").map((row) => row.map(() => 0)));
  again.onclick = () => set(model.get("start"));
  erase.onclick = () => erase.setAttribute("aria-pressed", String(erase.getAttribute("aria-pressed") !== "true"));
  model.on("change:pixels", redraw);
  model.on("change:readings", tell);
  redraw();
  tell();
  return () => {
    model.off("change:pixels", redraw);
    model.off("change:readings", tell);
  };
}

export default { render };
