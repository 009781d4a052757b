// The search: a field, buttons for what one looks for most, and the list of results, which one steps through.
import { dialog, openDialog } from "../../../../pages/parts/dialog.js";
import { element } from "../../../../pages/parts/dom.js";
import { FINDINGS } from "../findings.js";
import { keysOfAction } from "../keys.js";
import { Search } from "../search.js";
import { shapeOf } from "../words.js";

const MOST_ROWS = 200;
const AT_ONCE_READ = 1000; // nodes whose arrays are read before the page is shown
const OF_GRADIENTS = ["0", "large", "vanishing", "exploding"]; // what values may be without a word

export class SearchPanel {
  // `show(id)` is called for the selected result, `changed()` when the list of results changes.
  constructor(graph, { show, changed, leave }) {
    Object.assign(this, { graph, show, changed, leave });
    this.search = new Search(graph);
    this.hits = [];
    this.at = -1;
    this.field = element("input", {
      type: "search", placeholder: `search (${keysOfAction("search")}): relu, 0.weight, 64x3, gradient is 0`, "aria-label": "search by name, operation, module, shape, or what the gradient is",
      role: "combobox", "aria-expanded": "false", "aria-controls": "dark-results", "aria-autocomplete": "list", oninput: () => this.update(), onkeydown: (event) => this.onKey(event),
    });
    this.count = element("p", { class: "found", "aria-live": "polite" });
    this.chips = element("div", { class: "chips" });
    this.list = element("ul", { id: "dark-results", role: "listbox", "aria-label": "results", onclick: (event) => this.onClick(event) });
    this.results = element("div", { class: "results", hidden: true }, this.count, this.list);
    this.root = element("div", { class: "search", role: "search" }, this.field, this.chips, this.results);
    if (graph.count <= AT_ONCE_READ) this.addChips();
    else setTimeout(() => this.search.read(() => this.addChips()), 0);
  }

  // A button for each finding that occurs among gradients and values, and the limits of those that have one.
  addChips() {
    this.chips.replaceChildren();
    for (const [field, word] of [["grad", "gradient"], ["value", "value"]]) {
      for (const { what, says } of FINDINGS) {
        const count = this.search.finding(field, what).size;
        if (!count || (field === "value" && OF_GRADIENTS.includes(what))) continue;
        const query = `${word} ${says}`;
        this.chips.append(element("button", { type: "button", class: what === "NaN" || what === "infinite" ? "chip bad" : "chip", onclick: () => this.ask(query) }, `${query} `, element("span", { class: "number" }, String(count))));
      }
    }
    if (this.search.sizesOf("grad").some((size) => size?.largest > 0)) this.chips.append(element("button", { type: "button", class: "chip", title: "from when on a gradient is large, vanishes or explodes", onclick: () => this.askLimits() }, "limits"));
  }

  // Two numbers: from when on a gradient is large, and vanishes or explodes.
  askLimits() {
    const field = (name, before, after) => element("label", {}, `${before} `, element("input", { type: "number", min: 1, step: "any", value: this.search.limits[name], onchange: (event) => this.setLimit(name, Number(event.target.value)) }), ` ${after}`);
    const box = dialog("Limits of the findings", element("p", {}, field("large", "A gradient is large from", "times the median of those of similar depth.")), element("p", {}, field("vanishing", "It vanishes or explodes from", "times less or more than the median near the result.")));
    openDialog(this.root.closest(".dark-explorer"), box);
  }

  setLimit(name, limit) {
    if (!(limit >= 1)) return;
    this.search.setLimits({ [name]: limit });
    this.addChips();
    this.update();
  }

  ask(query) {
    this.field.value = query;
    this.update();
    this.step(1);
  }

  clear() {
    this.field.value = "";
    this.update();
  }

  get isOn() {
    return this.field.value.trim() !== "";
  }

  update() {
    const query = this.field.value;
    this.hits = this.search.results(query);
    this.at = -1;
    this.results.hidden = query.trim() === "";
    this.field.setAttribute("aria-expanded", String(!this.results.hidden));
    this.count.replaceChildren(...this.words(query));
    this.list.replaceChildren(...this.hits.slice(0, MOST_ROWS).map((id, k) => this.row(id, k)));
    this.changed();
  }

  words(query) {
    if (this.hits.length) return [`${this.hits.length} ${this.hits.length === 1 ? "result" : "results"}${this.hits.length > MOST_ROWS ? `, the first ${MOST_ROWS} listed` : ""} · Enter or n: next, N: previous`];
    const near = this.search.nearMisses(query);
    if (!near.length) return ["Nothing was found."];
    return ["Nothing was found. Did you mean ", ...near.flatMap((name, k) => [k ? ", " : "", element("button", { type: "button", class: "link", onclick: () => this.ask(name) }, name)]), "?"];
  }

  row(id, k) {
    const { graph } = this;
    const isModule = graph.isModule(id);
    const node = isModule ? null : graph.nodes[id];
    const isNamed = node?.name && node.path && node.name.startsWith(node.path);
    const note = isModule ? "module" : [shapeOf(node), isNamed ? null : node.path].filter(Boolean).join(" · ");
    return element("li", { role: "option", id: `dark-result-${k}`, "aria-selected": "false", "data-place": k, title: [graph.titleOf(id), note].filter(Boolean).join(" · ") },
      element("span", { class: `kind ${isModule ? "group" : node.role}`, "aria-hidden": "true" }), element("span", { class: "label" }, graph.titleOf(id)), element("span", { class: "note" }, note));
  }

  // The next or previous result; after the last comes the first.
  step(way) {
    if (!this.hits.length) return;
    this.at = this.at < 0 ? (way > 0 ? 0 : this.hits.length - 1) : (this.at + way + this.hits.length) % this.hits.length;
    this.mark();
    this.show(this.hits[this.at]);
  }

  mark() {
    for (const row of this.list.children) row.setAttribute("aria-selected", String(Number(row.dataset.place) === this.at));
    const row = this.list.children[this.at];
    row?.scrollIntoView({ block: "nearest" });
    if (row) this.field.setAttribute("aria-activedescendant", row.id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  onKey(event) {
    const way = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(way);
  }

  onClick(event) {
    const row = event.target.closest("li");
    if (!row) return;
    this.at = Number(row.dataset.place);
    this.mark();
    this.show(this.hits[this.at]);
    this.leave();
  }
}
