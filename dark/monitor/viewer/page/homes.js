// Where the viewer begins: in a file, on a page of the server, in a cell of a notebook.
import { askKernel } from "./sources/kernel.js";
import { askFile, askServer } from "./sources/sources.js";
import { Viewer } from "./viewer.js";

// The whole page is the viewer, and its keys work wherever the focus is.
function startPage(ask, options) {
  const viewer = new Viewer(document.body, ask, options);
  document.addEventListener("keydown", (event) => {
    if (!viewer.root.contains(event.target)) viewer.onKey(event);
  });
  window.darkViewer = viewer;
  viewer.start();
}

export function startFile() {
  startPage(askFile(document), { isLive: false });
}

export function startServed() {
  startPage(askServer(new URL(location.href).searchParams.get("token")), { isLive: true });
}

// The widget's `render`; it returns what ends the viewer.
export function render({ model, el }) {
  const ask = askKernel(model);
  const viewer = new Viewer(el, ask, { isLive: true });
  viewer.root.classList.add("in-cell");
  const { jpThemeLight } = document.body.dataset;
  if (jpThemeLight) viewer.root.dataset.theme = jpThemeLight === "true" ? "light" : "dark";
  viewer.start();
  return () => {
    viewer.stop();
    ask.stop();
  };
}
