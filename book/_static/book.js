// What the pages of the book do by themselves: copy code, step through a backward pass, and follow a changed parameter.
function element(tag, attributes, parent) {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  parent.append(made);
  return made;
}

function addCopyButton(code) {
  const button = element("button", { class: "copy", type: "button", "aria-label": "copy the code" }, code.parentElement);
  button.textContent = "copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  };
}

// The film strip of a backward pass: one picture at a time, by buttons, slider or arrow keys.
function makeStepper(strip) {
  const figures = [...strip.querySelectorAll("figure")];
  strip.classList.add("stepper");
  strip.tabIndex = 0;
  const bar = document.createElement("div");
  strip.prepend(bar);
  const back = element("button", { type: "button", "aria-label": "previous step" }, bar);
  const slider = element("input", { type: "range", min: 0, max: figures.length - 1, "aria-label": "step" }, bar);
  const next = element("button", { type: "button", "aria-label": "next step" }, bar);
  const help = element("small", {}, bar);
  [back.textContent, next.textContent, help.textContent] = ["◀", "▶", "or ← →"];
  figures.forEach((figure) => figure.querySelector("figcaption").setAttribute("aria-live", "polite"));
  function go(step) {
    slider.value = Math.max(0, Math.min(figures.length - 1, step));
    figures.forEach((figure, k) => figure.classList.toggle("now", k === Number(slider.value)));
    slider.setAttribute("aria-valuetext", `step ${Number(slider.value) + 1} of ${figures.length}`);
  }
  back.onclick = () => go(Number(slider.value) - 1);
  next.onclick = () => go(Number(slider.value) + 1);
  slider.oninput = () => go(Number(slider.value));
  strip.onkeydown = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    go(Number(slider.value) + way);
  };
  go(0);
}

// Each operation with its value, and the derivative for each input.
const RULES = {
  "+": [(a, b) => a + b, [() => 1, () => 1]],
  "-": [(a, b) => a - b, [() => 1, () => -1]],
  "*": [(a, b) => a * b, [(a, b) => b, (a, b) => a]],
  "/": [(a, b) => a / b, [(a, b) => 1 / b, (a, b) => -a / (b * b)]],
  "**": [(a, b) => a ** b, [(a, b) => (b === 0 ? 0 : b * a ** (b - 1)), (a, b) => a ** b * Math.log(a)]],
  neg: [(a) => -a, [() => -1]],
  exp: [Math.exp, [Math.exp]],
  log: [Math.log, [(a) => 1 / a]],
  tanh: [Math.tanh, [(a) => 1 - Math.tanh(a) ** 2]],
  relu: [(a) => Math.max(a, 0), [(a) => (a > 0 ? 1 : 0)]],
  sin: [Math.sin, [Math.cos]],
  cos: [Math.cos, [(a) => -Math.sin(a)]],
  sigmoid: [(a) => 1 / (1 + Math.exp(-a)), [(a) => Math.exp(-Math.abs(a)) / (1 + Math.exp(-Math.abs(a))) ** 2]],
};

// Values in topological order, then gradients in reverse: the algorithm of module 01.
function compute(nodes) {
  nodes.forEach((node) => {
    node.grad = 0;
    if (node.operation) node.value = RULES[node.operation][0](...node.inputs.map((i) => nodes[i].value));
  });
  nodes.at(-1).grad = 1;
  nodes.toReversed().filter((node) => node.operation).forEach((node) => {
    const values = node.inputs.map((i) => nodes[i].value);
    node.inputs.forEach((i, k) => {
      if (nodes[i].kind !== "constant") nodes[i].grad += node.grad * RULES[node.operation][1][k](...values);
    });
  });
}

const short = (number) => String(Number(number.toPrecision(4)));

function makeLive(figure) {
  const nodes = JSON.parse(figure.dataset.graph);
  const groups = nodes.map((_, i) => figure.querySelector(`[id="node-${i}"]`));
  function update() {
    compute(nodes);
    nodes.forEach((node, i) => {
      if (node.kind === "constant") return;
      const fields = [...groups[i].querySelectorAll(":scope > text")];
      fields[0].textContent = (node.name ? `${node.name} = ` : "") + short(node.value);
      fields.at(-1).textContent = `grad ${short(node.grad)}`;
      if (node.kind === "parameter") groups[i].setAttribute("aria-valuenow", short(node.value));
    });
  }
  nodes.forEach((node, i) => {
    if (node.kind !== "parameter") return;
    const group = groups[i];
    group.querySelector("title").textContent = "drag sideways";
    const attributes = { role: "slider", tabindex: 0, "aria-label": `value of ${node.name ?? "a parameter"}` };
    Object.entries(attributes).forEach(([name, value]) => group.setAttribute(name, value));
    const change = (steps) => { node.value = Number((node.value + steps * 0.1).toFixed(6)); update(); };
    group.onkeydown = (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      change(steps);
    };
    group.onpointerdown = (event) => { event.preventDefault(); group.focus(); group.setPointerCapture(event.pointerId); };
    group.onpointermove = (event) => { if (group.hasPointerCapture(event.pointerId)) change(Math.round(event.movementX)); };
  });
  update();
}

function start() {
  document.querySelectorAll(".bd-article .highlight > pre").forEach(addCopyButton);
  document.querySelectorAll(".cell_output [role=group]").forEach((strip) => {
    if (strip.querySelectorAll("figure").length > 1) makeStepper(strip);
  });
  document.querySelectorAll(".live-graph").forEach(makeLive);
}

if (typeof document !== "undefined") document.addEventListener("DOMContentLoaded", start);
if (typeof module !== "undefined") module.exports = { RULES, compute };
