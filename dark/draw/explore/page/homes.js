// Where the explorer begins: in a file, or in a cell of a notebook.
import { Explorer } from "./explorer.js";
import { Graph } from "./graph.js";

const LAYOUT_WORKER = ""; // `explorer_page.py` puts the script of the worker here, since the page is one file

// The whole page is the explorer, and its keys work wherever the focus is; the graph has it first, unless the page is
// inside another one.
export function startFile() {
  const data = JSON.parse(document.getElementById("graph").textContent);
  const isPart = window.top !== window;
  const explorer = new Explorer(document.body, new Graph(data), data.colors, isPart, LAYOUT_WORKER);
  if (!isPart) explorer.graphBox.focus({ preventScroll: true });
  document.addEventListener("keydown", (event) => {
    if (!explorer.root.contains(event.target)) explorer.onKey(event);
  });
  window.darkExplorer = explorer;
}

// The widget's `render`; it returns what ends the explorer. A notebook may render a cell before it is in the page, where
// it has neither a size nor colors.
export function render({ model, el }) {
  const data = JSON.parse(model.get("graph"));
  let explorer = null, waiting;
  const begin = () => {
    if (!el.isConnected) {
      waiting = requestAnimationFrame(begin);
      return;
    }
    explorer = new Explorer(el, new Graph(data), data.colors, true, LAYOUT_WORKER);
    explorer.root.classList.add("in-cell");
  };
  begin();
  return () => {
    cancelAnimationFrame(waiting);
    explorer?.stop();
  };
}
