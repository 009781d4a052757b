// The cursor in time: a slider, buttons for its moves, play.
import { element, svgElement } from "../../../../pages/parts/dom.js";
import { keysOf } from "../keys.js";
import { numberText } from "../../../../pages/parts/numbers.js";

// Signs as paths in a box of 16 by 16: fonts do not all have them.
const LEFT = "M11 3L4 8l7 5z", RIGHT = "M5 3l7 5-7 5z";
const SIGNS = {
  firstStep: "M3 3h2v10H3zM13 3L6 8l7 5z", back: "M8 3L2 8l6 5zM14 3L8 8l6 5z", previousStep: LEFT, play: "M4 2l10 6-10 6z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z", nextStep: RIGHT, forward: "M2 3l6 5-6 5zM8 3l6 5-6 5z", lastStep: "M11 3h2v10h-2zM3 3l7 5-7 5z",
};
const BUTTONS = [
  ["firstStep", "first step"], ["back", "5 % back"], ["previousStep", "previous step"], ["play", "play"],
  ["nextStep", "next step"], ["forward", "5 % forward"], ["lastStep", "last step"],
];

function signOf(action) {
  const picture = svgElement("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" });
  picture.append(svgElement("path", { d: SIGNS[action], fill: "currentColor" }));
  return picture;
}

export class TimePanel {
  constructor({ act, onPosition }) {
    this.slider = element("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "cursor in time", oninput: () => onPosition(Number(this.slider.value)) });
    this.label = element("output", { class: "step" });
    this.buttons = Object.fromEntries(BUTTONS.map(([action, text]) => [action, element("button", {
      type: "button", "aria-label": text, title: `${text} (${keysOf(action)})`, onclick: () => act(action),
    }, signOf(action))]));
    this.root = element("div", { class: "time", role: "group", "aria-label": "Time" }, ...Object.values(this.buttons), this.slider, this.label);
  }

  show(at, timeline, isPlaying) {
    const count = timeline.length;
    const text = count ? `step ${numberText(timeline[at], 9)}` : "no steps yet";
    this.slider.max = Math.max(0, count - 1);
    this.slider.value = at;
    this.slider.disabled = count === 0;
    this.slider.setAttribute("aria-valuetext", `${text}, ${at + 1} of ${count}`);
    this.label.textContent = count ? `${text} · ${at + 1} of ${count}` : text;
    const { play } = this.buttons;
    play.setAttribute("aria-pressed", String(isPlaying));
    play.setAttribute("aria-label", isPlaying ? "pause" : "play");
    play.querySelector("path").setAttribute("d", SIGNS[isPlaying ? "pause" : "play"]);
  }
}
