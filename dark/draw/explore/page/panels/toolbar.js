// The bar at the top, and the buttons that zoom.
import { element } from "../../../../pages/parts/dom.js";
import { keysOfAction } from "../keys.js";

export function toolbar(graph, pass, act) {
  const button = (action, text, more = {}) => element("button", { type: "button", title: `${text} (${keysOfAction(action)})`, onclick: () => act(action), ...more }, text);
  const modules = graph.modules.length - 1;
  const parts = [counted(graph.count, "node"), modules ? counted(modules, graph.hasGroups ? "group" : "module") : ""].filter(Boolean);
  return element("div", { class: "top" },
    element("h1", {}, graph.title), element("p", { class: "counts" }, parts.join(" · ")),
    graph.leftOut.length ? element("p", { class: "warning left-out", title: graph.leftOut.join(" "), tabindex: "0" }, graph.leftOut.join(" ")) : null,
    element("span", { class: "space" }),
    modules ? button("closeAll", "Close all") : null, modules ? button("openAll", "Open all") : null,
    button("backward", "Backward pass", pass.isThere ? {} : { disabled: true, title: "no backward pass has been run" }), button("help", "Keys"));
}

function counted(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

export function zoomButtons(act) {
  const button = (action, sign, text) => element("button", { type: "button", "aria-label": text, title: `${text} (${keysOfAction(action)})`, onclick: () => act(action) }, sign);
  return element("div", { class: "zoom" }, button("zoomIn", "+", "zoom in"), button("zoomOut", "−", "zoom out"), button("fit", "⤢", "the whole graph"));
}
