// A dialog with a title and a button that closes it, and the list of the keys.
import { element } from "./dom.js";
import { keyName } from "./key_table.js";

export function dialog(title, ...content) {
  const box = element("dialog", { "aria-label": title });
  const close = element("button", { type: "button", class: "close", "aria-label": "close", onclick: () => box.close() }, "×");
  box.append(element("div", { class: "dialog-head" }, element("h2", {}, title), close), ...content);
  box.addEventListener("close", () => box.remove());
  return box;
}

export function openDialog(root, box) {
  root.append(box);
  box.showModal();
}

// Made from the table of keys, so that it cannot differ from what the keys do; `hint` is a sentence below it.
export function keysDialog(table, hint) {
  const rows = table.map(({ keys, text }) => element("tr", {}, element("th", { scope: "row" }, ...keys.flatMap((key, k) => [k ? " or " : "", element("kbd", {}, keyName(key))])), element("td", {}, text)));
  return dialog("Keys", element("table", { class: "keys" }, element("tbody", {}, ...rows)), element("p", { class: "hint" }, hint));
}
