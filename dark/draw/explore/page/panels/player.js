// The bar of the backward pass: a slider, buttons, and what happens in the step that is shown.
import { element } from "../../../../pages/parts/dom.js";
import { paceOf } from "../backward.js";
import { keysOfAction } from "../keys.js";

const PAUSE = 160; // milliseconds of a step while playing a long pass
const LONG_PAUSE = 1100; // of a short one, whose sentences one reads
const SHORT = 40; // steps

export class Player {
  // `changed()` is called when another step is shown.
  constructor(pass, changed) {
    Object.assign(this, { pass, changed });
    this.step = null;
    this.isPlaying = false;
    const button = (action, sign, label) => element("button", { type: "button", "aria-label": label, title: `${label} (${keysOfAction(action)})`, onclick: () => this.act(action) }, sign);
    this.playButton = button("play", "▶", "play");
    this.slider = element("input", { type: "range", min: 0, max: Math.max(0, pass.count - 1), "aria-label": "step of the backward pass", oninput: () => this.moveTo(Number(this.slider.value)) });
    this.text = element("p", { class: "caption", "aria-live": "polite" });
    this.number = element("span", { class: "step" });
    this.root = element("div", { class: "player", hidden: true, role: "group", "aria-label": "Backward pass" },
      button("previousStep", "◀", "previous step"), this.playButton, button("nextStep", "▶▏", "next step"), this.slider, this.number, button("backward", "×", "end the backward pass"), this.text);
  }

  get isOn() {
    return this.step !== null;
  }

  act(action) {
    if (!this.pass.isThere) return;
    if (action === "backward") this.isOn ? this.end() : this.moveTo(0);
    else if (action === "nextStep") this.moveTo(this.isOn ? this.step + 1 : 0);
    else if (action === "previousStep") this.moveTo(this.isOn ? this.step - 1 : this.pass.count - 1);
    else if (action === "play") this.play();
  }

  moveTo(step) {
    this.step = Math.max(0, Math.min(this.pass.count - 1, step));
    this.root.hidden = false;
    this.slider.value = this.step;
    this.slider.setAttribute("aria-valuetext", `step ${this.step + 1} of ${this.pass.count}`);
    this.number.textContent = `${this.step + 1} / ${this.pass.count}`;
    this.text.textContent = this.pass.caption(this.step);
    this.changed();
  }

  end() {
    this.stop();
    this.step = null;
    this.root.hidden = true;
    this.changed();
  }

  play() {
    if (this.isPlaying) return this.stop();
    this.moveTo(!this.isOn || this.step >= this.pass.count - 1 ? 0 : this.step);
    this.isPlaying = true;
    this.showPlaying();
    const pause = this.pass.count <= SHORT ? LONG_PAUSE : PAUSE;
    this.timer = setInterval(() => {
      this.moveTo(this.step + paceOf(this.pass.count));
      if (this.step >= this.pass.count - 1) this.stop();
    }, pause);
    return undefined;
  }

  stop() {
    clearInterval(this.timer);
    this.isPlaying = false;
    this.showPlaying();
  }

  showPlaying() {
    this.playButton.textContent = this.isPlaying ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", this.isPlaying ? "pause" : "play");
  }
}
