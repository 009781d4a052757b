// The keys of the explorer. The help panel is made from this table.
import { actionIn, keysIn } from "../../../pages/parts/key_table.js";

export const KEYS = [
  { keys: ["ArrowUp"], action: "up", text: "to the input; further ones with ← →" },
  { keys: ["ArrowDown"], action: "down", text: "to what uses it" },
  { keys: ["ArrowLeft"], action: "left", text: "to the box beside it" },
  { keys: ["ArrowRight"], action: "right", text: "to the next box beside it" },
  { keys: ["Tab"], action: "next", text: "next box, in the order of computation (Esc, then Tab, leaves the graph)" },
  { keys: ["Shift-Tab"], action: "previous", text: "previous box" },
  { keys: ["Home"], action: "first", text: "first box" },
  { keys: ["End"], action: "last", text: "last box: the result" },
  { keys: ["Enter"], action: "enter", text: "open or close a module; the whole array of a node" },
  { keys: ["o"], action: "toggle", text: "open or close the module, or the one around a node" },
  { keys: ["O"], action: "openAll", text: "open all modules" },
  { keys: ["C"], action: "closeAll", text: "close all modules" },
  { keys: ["p"], action: "path", text: "follow the path back: all from which it was computed" },
  { keys: ["/"], action: "search", text: "search" },
  { keys: ["n"], action: "nextHit", text: "next result of the search" },
  { keys: ["N"], action: "previousHit", text: "previous result" },
  { keys: ["b"], action: "backward", text: "begin or end the backward pass, step by step" },
  { keys: ["l"], action: "nextStep", text: "next step of the backward pass" },
  { keys: ["h"], action: "previousStep", text: "previous step" },
  { keys: ["."], action: "play", text: "play, pause" },
  { keys: ["+", "="], action: "zoomIn", text: "zoom in" },
  { keys: ["-"], action: "zoomOut", text: "zoom out" },
  { keys: ["0"], action: "fit", text: "the whole graph" },
  { keys: ["z"], action: "center", text: "zoom to the chosen box" },
  { keys: ["w"], action: "panUp", text: "move the view up" },
  { keys: ["s"], action: "panDown", text: "move the view down" },
  { keys: ["a"], action: "panLeft", text: "move the view to the left" },
  { keys: ["d"], action: "panRight", text: "move the view to the right" },
  { keys: ["Esc"], action: "close", text: "stop a layout; end the search, the pass, the path, the choice: one at a time" },
  { keys: ["?"], action: "help", text: "this list" },
];

export const ON_GRAPH = new Set(["up", "down", "left", "right", "next", "previous", "first", "last", "enter"]);
export const PLAYING = new Set(["backward", "nextStep", "previousStep", "play"]);
const PAN = 90; // pixels
export const PANS = { panUp: [0, PAN], panDown: [0, -PAN], panLeft: [PAN, 0], panRight: [-PAN, 0] };
export const HINT = "Drag to move, the wheel or two fingers to zoom, a click to choose, a double click to open or close a module. The graph, the search, the details and the bar of the backward pass are reached with Tab.";
const NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

// The table with the signs that are on the keys.
export function shownKeys() {
  return KEYS.map((row) => ({ ...row, keys: row.keys.map((key) => NAMES[key] ?? key) }));
}

export function keysOfAction(action) {
  return keysIn(KEYS, action);
}

// The action of a keyboard event; those that walk only where the graph has the focus.
export function actionOfKey(event, isOnGraph) {
  const action = event.shiftKey && event.key === "Tab" ? "previous" : actionIn(KEYS, event);
  return ON_GRAPH.has(action) && !isOnGraph ? null : action;
}
