// Steps through a backward pass: shows frame k by changing texts and classes in the base picture.
function element(tag, attributes, parent) {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  parent.append(made);
  return made;
}

function show(picture, frame, maps) {
  picture.querySelectorAll(".dark-now").forEach((g) => g.classList.remove("dark-now"));
  picture.querySelectorAll(".dark-sends").forEach((g) => g.classList.remove("dark-sends"));
  frame.grads.forEach((text, i) => {
    if (text === null) return;
    const lines = `grad ${text}`.split("\n");
    const fields = [...picture.querySelectorAll(`[id="node-${i}"] > text`)].slice(-lines.length);
    fields.forEach((field, k) => { field.textContent = lines[k]; });
  });
  frame.maps.forEach((map, i) => {
    const place = picture.querySelector(`[id="node-${i}"] > .dark-gradient`);
    if (place) place.innerHTML = maps[map];
  });
  picture.querySelector(`[id="node-${frame.now}"]`).classList.add("dark-now");
  frame.edges.forEach((id) => picture.querySelector(`[id="${id}"]`).classList.add("dark-sends"));
}

function render({ model, el }) {
  const frames = model.get("frames");
  const last = frames.length - 1;
  // The attribute suppresses the shortcuts of JupyterLab for the arrow keys.
  const box = element("div", { class: "dark-stepper", tabindex: "0", "data-lm-suppress-shortcuts": "true" }, el);
  const bar = element("div", {}, box);
  const back = element("button", { type: "button", "aria-label": "previous step" }, bar);
  const slider = element("input", { type: "range", min: 0, max: last, "aria-label": "step of the backward pass" }, bar);
  const next = element("button", { type: "button", "aria-label": "next step" }, bar);
  const help = element("small", {}, bar);
  const caption = element("p", { "aria-live": "polite" }, box);
  const picture = element("div", {}, box);
  back.textContent = "◀";
  next.textContent = "▶";
  help.textContent = " or ← → after a click here";
  picture.innerHTML = model.get("svg");

  function go(step) {
    model.set("step", Math.max(0, Math.min(last, step)));
    model.save_changes();
  }
  function update() {
    const step = model.get("step");
    slider.value = step;
    slider.setAttribute("aria-valuetext", `step ${step + 1} of ${last + 1}`);
    caption.textContent = frames[step].caption;
    show(picture, frames[step], model.get("maps"));
  }
  back.onclick = () => go(model.get("step") - 1);
  next.onclick = () => go(model.get("step") + 1);
  slider.oninput = () => go(Number(slider.value));
  box.onkeydown = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(model.get("step") + way);
  };
  model.on("change:step", update);
  update();
  return () => model.off("change:step", update);
}

export default { render };
