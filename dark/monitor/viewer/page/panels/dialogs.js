// The dialogs: keys, about the run, open or compare, save.
import { dialog, keysDialog } from "../../../../pages/parts/dialog.js";
import { element } from "../../../../pages/parts/dom.js";
import { KEYS } from "../keys.js";
import { numberText } from "../../../../pages/parts/numbers.js";

const HINT = "Tab moves between the parts; in a tree, the arrow keys and Enter; its boxes, Shift with Enter and Shift with a click show several series together, also all below a branch; on a picture, the arrow keys read cells. Negative cells are hatched, NaN is crossed out, infinite values are gridded. Lines of a chart differ in their markers, too; with several runs the color is the run, and its letter stands at the end of its lines. The numbers at the top of a chart are findings of the doctor. Type I tensors are of the network (weights, gradients, averages over examples), Type II were computed from one sample.";

export function helpDialog() {
  return keysDialog(KEYS, HINT);
}

export function aboutDialog(runs) {
  return dialog("About the run", ...runs.flatMap((run) => {
    const { configs, criteria, content, damage, leftOut } = run.about;
    return [
      element("h3", {}, run.name),
      ...leftOut.map((line) => element("p", { class: "warning" }, line)),
      ...damage.map((line) => element("p", { class: "warning" }, line)),
      table("Criteria", criteria), table("Configs", configs),
      content.length ? element("pre", { tabindex: "0" }, content.join("\n")) : null,
    ];
  }).filter(Boolean));
}

function table(title, values) {
  const rows = Object.entries(values).map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, valueText(value))));
  return rows.length ? element("table", {}, element("caption", {}, title), element("tbody", {}, ...rows)) : null;
}

function valueText(value) {
  return typeof value === "number" ? numberText(value, 8) : typeof value === "string" ? value : JSON.stringify(value);
}

// `known` are runs of this home; `open(name, how)` and `openFile(file, how)` with "replace" or "compare".
export function openDialogBox({ known, hasSeveral, open, openFile, closeLast }) {
  const box = dialog("Open another run");
  const done = (action) => async () => {
    box.close();
    await action();
  };
  const rows = known.map((name) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {},
    element("button", { type: "button", onclick: done(() => open(name, "replace")) }, "Open"), " ",
    element("button", { type: "button", onclick: done(() => open(name, "compare")) }, "Compare"))));
  const file = element("input", { type: "file", accept: ".html", "aria-label": "file written by dark notes export" });
  const use = (how) => done(() => file.files[0] && openFile(file.files[0], how));
  box.append(
    rows.length ? element("table", { class: "runs" }, element("tbody", {}, ...rows)) : element("p", {}, "There is no other run beside this one."),
    element("p", {}, "A file written by ", element("code", {}, "dark notes export"), ":"),
    element("p", {}, file, " ", element("button", { type: "button", onclick: use("replace") }, "Open file"), " ", element("button", { type: "button", onclick: use("compare") }, "Compare file")),
  );
  if (hasSeveral) box.append(element("p", {}, element("button", { type: "button", onclick: done(closeLast) }, "Close the last run")));
  return box;
}

export function saveDialog(save) {
  const box = dialog("Save what is shown");
  const row = (what, label) => element("p", {}, element("strong", {}, label), ...["png", "svg", "csv"].flatMap((format) => [" ", element("button", {
    type: "button", "aria-label": `${label} as ${format.toUpperCase()}`, onclick: () => { box.close(); save(what, format); },
  }, format.toUpperCase())]));
  box.append(row("tensor", "Tensor"), row("scalars", "Scalars"));
  return box;
}
