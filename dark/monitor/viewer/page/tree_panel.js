// A tree of series that is operated with the arrow keys, Enter, space, and the mouse.
import { element } from "../../../pages/parts/dom.js";
import { branches, buildTree, searched, visibleRows } from "./tree.js";

const OPEN_AT_FIRST = 80; // a tree of fewer series is open as a whole

export class TreePanel {
  // `choose(name)` is called for a series; `isChosen` marks one; `isChecked`, if given, makes boxes of them.
  constructor({ label, choose, isChosen, isChecked = null, tagOf = () => "" }) {
    Object.assign(this, { choose, isChosen, isChecked, tagOf });
    this.names = [];
    this.query = "";
    this.closed = new Set();
    this.focused = null;
    this.title = element("h2", {}, label);
    this.count = element("span", { class: "count" });
    this.title.append(this.count);
    this.list = element("ul", { role: "tree", "aria-label": label, onkeydown: (event) => this.onKey(event) });
    this.root = element("div", { class: "tree" }, this.title, this.list);
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  setNames(names) {
    if (names.length === this.names.length && names.every((name, k) => name === this.names[k])) return;
    const isFirst = this.names.length === 0;
    this.names = names;
    if (isFirst && names.length > OPEN_AT_FIRST) this.closed = new Set(branches(buildTree(names)));
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
    const checked = isSeries && this.isChecked ? String(this.isChecked(node.name)) : null;
    const sign = checked !== null ? (checked === "true" ? "☑" : "☐") : hasChildren ? (isOpen(node.path) ? "▾" : "▸") : "";
    const row = element("li", {
      role: "treeitem", "aria-level": level, "aria-posinset": position, "aria-setsize": siblings,
      "aria-expanded": hasChildren ? String(isOpen(node.path)) : null,
      "aria-selected": this.isChecked ? null : String(isChosen), "aria-checked": checked,
      tabindex: node.path === this.focused ? 0 : -1, class: isChosen ? "chosen" : null,
      style: `--level:${level - 1}`, title: node.name ?? node.path,
    }, element("span", { class: "sign", "aria-hidden": "true" }, sign), element("span", { class: "label" }, node.label));
    const tag = isSeries ? this.tagOf(node.name) : "";
    if (tag) row.append(element("span", { class: "tag", title: "shape, and type: I is of the network, II was computed from a sample" }, tag));
    row.dataset.path = node.path;
    return row;
  }

  onClick(event) {
    const row = event.target.closest("li");
    if (!row) return;
    this.focused = row.dataset.path;
    this.activate(this.rows.find(({ node }) => node.path === this.focused).node);
    this.list.querySelector("[tabindex='0']")?.focus();
  }

  activate(node) {
    if (node.name !== null) this.choose(node.name);
    else this.toggle(node.path);
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
    else if (event.key === "Enter" || (event.key === " " && this.isChecked)) this.activate(node);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }
}
