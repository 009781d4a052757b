// The strip of the doctor's findings, and what the open one says: what was seen, and what to try.
import { element } from "../../../../pages/parts/dom.js";
import { keysOf } from "../keys.js";
import { numberText } from "../../../../pages/parts/numbers.js";
import { LETTERS } from "../series.js";

export class FindingsPanel {
  // `open(k)` opens a finding by its place in the list, `show(which, names, step)` series of a run.
  constructor({ open, show }) {
    Object.assign(this, { open, showSeries: show });
    this.found = [];
    this.strip = element("div", { class: "strip" }, element("span", {}, "The doctor is looking at the run …"));
    this.detail = element("div", { class: "detail", hidden: true, tabindex: "0", role: "region", "aria-label": "The open finding" });
    this.root = element("section", { class: "findings", "aria-label": "Findings of the doctor" }, this.strip, this.detail);
  }

  // Show the diagnoses of runs, and the findings in them, which are numbered.
  show(runs, diagnoses, found, chosen) {
    Object.assign(this, { found, runs });
    this.chips = found.map((finding, k) => this.chipOf(finding, k, runs.length > 1));
    this.strip.replaceChildren(element("strong", {}, "Doctor"), ...this.chips, ...this.restOf(runs, diagnoses));
    this.choose(chosen);
  }

  chipOf(finding, k, isSeveral) {
    const [step] = finding.steps;
    const whose = isSeveral ? `${LETTERS[finding.which]} ` : "";
    return element("button", { type: "button", class: `chip ${finding.confidence}`, "aria-expanded": "false", title: `${finding.summary} (${keysOf("nextFinding")})`, onclick: () => this.open(k) },
      element("span", { class: "number-of" }, finding.number), `${whose}${finding.kind}`, element("small", {}, [step === undefined ? "" : `step ${numberText(step, 9)}`, finding.confidence].filter(Boolean).join(" · ")));
  }

  // Who is healthy, what could not be diagnosed, and a button for what was not looked at.
  restOf(runs, diagnoses) {
    const name = (k) => (runs.length > 1 ? `${LETTERS[k]}: ` : "");
    const healthy = diagnoses.flatMap((one, k) => (one.healthy ? [runs.length > 1 ? LETTERS[k] : ""] : []));
    const errors = diagnoses.flatMap((one, k) => (one.error ? [element("span", {}, `${name(k)}no diagnosis: ${one.error.split("\n")[0]}`)] : []));
    const said = diagnoses.flatMap((one, k) => [...(one.information ?? []), ...(one.missing ?? []).map((text) => `Not looked at: ${text}`)].map((text) => `${name(k)}${text}`));
    const more = said.length ? [element("button", { type: "button", class: "more", "aria-expanded": "false", onclick: (event) => this.toggleNotes(event.currentTarget, said) }, `${said.length} note${said.length > 1 ? "s" : ""}`)] : [];
    const well = healthy.length ? [element("span", {}, `no finding${healthy.join("") ? ` in ${healthy.join(", ")}` : ""}`)] : [];
    return [...well, ...errors, ...more];
  }

  toggleNotes(button, said) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    this.detail.hidden = isOpen;
    this.detail.replaceChildren(element("ul", {}, ...said.map((text) => element("li", {}, text))));
  }

  // Mark the open finding, and say all that is known of it; null closes it.
  choose(k) {
    this.chips?.forEach((chip, at) => chip.setAttribute("aria-expanded", String(at === k)));
    this.strip.querySelector(".more")?.setAttribute("aria-expanded", "false");
    const finding = this.found[k];
    this.detail.hidden = !finding;
    if (!finding) return this.detail.replaceChildren();
    const evidence = finding.evidence.map(({ series, step, text }) => element("li", {}, element("button", {
      type: "button", class: "series", onclick: () => this.showSeries(finding.which, [series], step),
    }, `${series}${step === null ? "" : ` at step ${numberText(step, 9)}`}`), ` ${text}`));
    const advice = finding.advice.map((text) => element("li", {}, text));
    return this.detail.replaceChildren(
      element("p", {}, element("span", { class: "number-of" }, finding.number), element("strong", {}, finding.summary), ` Confidence: ${finding.confidence}.`),
      element("div", { class: "columns" }, element("div", {}, element("h3", {}, "Seen"), element("ul", {}, ...evidence)), element("div", {}, element("h3", {}, "Try"), element("ul", {}, ...advice))),
    );
  }

  // The place of the next finding, round; null if there is none.
  next(k, way) {
    const count = this.found.length;
    if (!count) return null;
    return k === null ? (way > 0 ? 0 : count - 1) : (k + way + count) % count;
  }
}
