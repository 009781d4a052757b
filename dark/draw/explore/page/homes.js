// Where the explorer begins: in a file, or in a cell of a notebook.
import { Explorer } from "./explorer.js";
import { Graph } from "./graph.js";

// The whole page is the explorer, and its keys work wherever the focus is; the graph has it first, unless the page is
// inside another one.
export function startFile(worker) {
  const data = JSON.parse(document.getElementById("graph").textContent);
  const isPart = window.top !== window;
  const explorer = new Explorer(document.body, new Graph(data), data.colors, isPart, worker);
  if (!isPart) explorer.graphBox.focus({ preventScroll: true });
  document.addEventListener("keydown", (event) => {
    if (!explorer.root.contains(event.target)) explorer.onKey(event);
  });
  window.darkExplorer = explorer;
}

// The widget's `render`, with the script of its worker; it returns what ends the explorer. A notebook may render a cell
// before it is in the page, where it has neither a size nor colors.
export function renderWith(worker, { model, el }) {
  const data = JSON.parse(model.get("graph"));
  let explorer = null, waiting;
  const begin = () => {
    if (!el.isConnected) {
      waiting = requestAnimationFrame(begin);
      return;
    }
    explorer = new Explorer(el, new Graph(data), data.colors, true, worker);
    explorer.root.classList.add("in-cell");
  };
  begin();
  return () => {
    cancelAnimationFrame(waiting);
    explorer?.stop();
  };
}
