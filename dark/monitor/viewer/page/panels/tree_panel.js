// A tree of series that is operated with the arrow keys, Enter, space, and the mouse; several series can be checked.
import { element } from "../../../../pages/parts/dom.js";
import { branches, buildTree, searched, seriesBelow, visibleRows } from "../tree.js";


export class TreePanel {
  // `check(names)` is called for boxes, also for all below a branch; `choose(name)`, if given, for the rest of a row.
  // A tree of at most `openAtFirst` series is open as a whole.
  // `note` is a sentence below the title.
  constructor({ label, note = "", check, isChecked, choose = null, isChosen = () => false, tagOf = () => "", openAtFirst }) {
    Object.assign(this, { check, isChecked, choose, isChosen, tagOf, openAtFirst });
    this.names = [];
    this.query = "";
    this.closed = new Set();
    this.focused = null;
    this.title = element("h2", {}, label);
    this.count = element("span", { class: "count" });
    this.title.append(this.count);
    this.list = element("ul", { role: "tree", "aria-label": label, "aria-multiselectable": "true", onkeydown: (event) => this.onKey(event) });
    this.root = element("div", { class: "tree" }, this.title, note ? element("p", { class: "note" }, note) : null, this.list);
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  setNames(names) {
    if (names.length === this.names.length && names.every((name, k) => name === this.names[k])) return;
    const isFirst = this.names.length === 0;
    this.names = names;
    if (isFirst && names.length > this.openAtFirst) this.closed = new Set(branches(buildTree(names)));
    this.draw();
  }

  search(query) {
    this.query = query;
    this.draw();
  }

  found() {
    return searched(this.names, this.query);
  }

  // Open the branches above a series.
  reveal(name) {
    for (const path of this.closed) if (name?.startsWith(path)) this.closed.delete(path);
  }

  draw() {
    const found = this.found();
    const isOpen = (path) => this.query !== "" || !this.closed.has(path);
    this.rows = visibleRows(buildTree(found), isOpen);
    const hadFocus = this.list.contains(document.activeElement) || this.list.contains(this.list.getRootNode().activeElement);
    if (!this.rows.some((row) => row.node.path === this.focused)) this.focused = this.rows.find((row) => this.isChosen(row.node.name))?.node.path ?? this.rows[0]?.node.path ?? null;
    this.count.textContent = this.query ? ` ${found.length} of ${this.names.length}` : ` ${this.names.length}`;
    this.list.replaceChildren(...this.rows.map((row) => this.rowOf(row, isOpen)));
    if (hadFocus) this.list.querySelector("[tabindex='0']")?.focus();
  }

  rowOf({ node, level, position, siblings }, isOpen) {
    const hasChildren = node.children.length > 0;
    const isSeries = node.name !== null;
    const isChosen = isSeries && this.isChosen(node.name);
    const isChecked = isSeries && this.isChecked(node.name);
    const row = element("li", {
      role: "treeitem", "aria-level": level, "aria-posinset": position, "aria-setsize": siblings,
      "aria-expanded": hasChildren ? String(isOpen(node.path)) : null, ...this.marksOf(isSeries, isChosen, isChecked),
      tabindex: node.path === this.focused ? 0 : -1, class: isChosen ? "chosen" : null,
      style: `--level:${level - 1}`, title: node.name ?? node.path,
    }, sign("fold", hasChildren ? (isOpen(node.path) ? "▾" : "▸") : ""), ...(isSeries ? [this.boxOf(isChecked)] : []), element("span", { class: "label" }, node.label));
    const tag = isSeries ? this.tagOf(node.name) : "";
    if (tag) row.append(element("span", { class: "tag", title: "shape, and type: I is of the network, II was computed from a sample" }, tag));
    row.dataset.path = node.path;
    return row;
  }

  // In a tree without a chosen series, space checks a box; else it is free, and what is in sight counts as selected.
  marksOf(isSeries, isChosen, isChecked) {
    if (!isSeries) return {};
    return this.choose ? { "aria-selected": String(isChosen || isChecked) } : { "aria-checked": String(isChecked) };
  }

  boxOf(isChecked) {
    const box = sign(isChecked ? "box checked" : "box", "");
    if (this.choose) box.title = "keep in sight beside the chosen one (also Shift and click)";
    return box;
  }

  onClick(event) {
    const row = event.target.closest("li");
    if (!row) return;
    this.focused = row.dataset.path;
    const isBox = event.target.closest(".box") !== null;
    const isFold = event.target.closest("li[aria-expanded] > .fold") !== null;
    const isMany = event.shiftKey || event.ctrlKey || event.metaKey;
    const { node } = this.rows.find((one) => one.node.path === this.focused);
    if (isFold) this.toggle(node.path);
    else if (isBox) this.check([node.name]);
    else if (isMany) this.check(seriesBelow(node));
    else this.activate(node);
    this.draw();
    this.list.querySelector("[tabindex='0']")?.focus();
  }

  activate(node) {
    if (node.name === null) this.toggle(node.path);
    else if (this.choose) this.choose(node.name);
    else this.check([node.name]);
    this.draw();
  }

  toggle(path) {
    if (!this.closed.delete(path)) this.closed.add(path);
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.rows.findIndex(({ node }) => node.path === this.focused);
    const { node } = this.rows[at] ?? {};
    if (!node) return;
    const isOpen = node.children.length > 0 && !this.closed.has(node.path);
    const to = (k) => { this.focused = this.rows[Math.max(0, Math.min(this.rows.length - 1, k))].node.path; };
    const above = () => this.rows.slice(0, at).findLastIndex((row) => row.level < this.rows[at].level);
    if (event.key === "ArrowDown") to(at + 1);
    else if (event.key === "ArrowUp") to(at - 1);
    else if (event.key === "Home") to(0);
    else if (event.key === "End") to(this.rows.length - 1);
    else if (event.key === "ArrowRight" && node.children.length) isOpen ? to(at + 1) : this.toggle(node.path);
    else if (event.key === "ArrowLeft") isOpen ? this.toggle(node.path) : to(Math.max(0, above()));
    else if (event.key === "Enter" && event.shiftKey) this.check(seriesBelow(node));
    else if (event.key === "Enter" || (event.key === " " && !this.choose)) this.activate(node);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }
}

function sign(kind, letter) {
  return element("span", { class: `sign ${kind}`, "aria-hidden": "true" }, letter);
}
