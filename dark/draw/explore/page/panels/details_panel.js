// The side panel: all that is known of the chosen node or module, with its inputs and users to go on to.
import { element } from "../../../../pages/parts/dom.js";
import { numberText, statisticsText } from "../../../../pages/parts/numbers.js";
import { heatMapOf, histogramSvg } from "./array_view.js";
import { keysOfAction } from "../keys.js";
import { parametersAbove } from "../trace.js";
import { inputsShown, usersShown } from "../walk.js";
import { shapeOf } from "../words.js";

const MOST_LINKS = 30;
const MAP_HEIGHT = 150;

export class DetailsPanel {
  // `choose(id)` goes to another node; `act(action)` as a key; `trace(parameter)` highlights the ways from it.
  constructor(graph, { choose, act, trace }) {
    Object.assign(this, { graph, choose, act, trace });
    this.root = element("aside", { class: "details", "aria-label": "Details", hidden: true });
  }

  hide() {
    this.root.hidden = true;
  }

  show(id, { isOpen, theme, state, hasPass }) {
    this.root.hidden = false;
    this.hasPass = hasPass;
    const width = Math.max(180, this.root.clientWidth - 30);
    const parts = this.graph.isModule(id) ? this.moduleParts(id, isOpen) : this.nodeParts(id, theme, width, state);
    this.root.replaceChildren(this.head(id), ...parts.filter(Boolean), this.links("Inputs", inputsShown(this.graph, id, isOpen)), this.links("Used by", usersShown(this.graph, id, isOpen)), this.ways(id));
    this.root.scrollTop = 0;
  }

  head(id) {
    const { graph } = this;
    const kind = graph.isModule(id) ? "group" : graph.nodes[id].role;
    const around = graph.around(id).reverse().flatMap((f) => [this.link(graph.count + f, graph.modules[f].path.split(".").at(-1)), " › "]);
    return element("div", { class: "details-head" },
      element("button", { type: "button", class: "close", "aria-label": "close the details", onclick: () => this.act("closeDetails") }, "×"),
      around.length ? element("p", { class: "path" }, ...around.slice(0, -1)) : null,
      element("h2", {}, element("span", { class: `kind ${kind}`, "aria-hidden": "true" }), graph.titleOf(id)));
  }

  moduleParts(id, isOpen) {
    const f = id - this.graph.count, module = this.graph.modules[f];
    const texts = module.lines.filter(([role]) => role === "value").map(([, text]) => element("p", {}, text));
    const button = element("button", { type: "button", title: keysOfAction("toggle"), onclick: () => this.act("toggle") }, isOpen(f) ? "Close" : "Open");
    return [...texts, element("p", { class: "switches" }, button, " ", this.pathButton())];
  }

  pathButton() {
    return element("button", { type: "button", title: keysOfAction("path"), onclick: () => this.act("path") }, "Path back");
  }

  nodeParts(id, theme, width, state) {
    const { graph } = this;
    const node = graph.nodes[id];
    const rows = [["kind", node.role], ["operation", node.operation], ["name", node.name], ["mark", node.mark], ["array", node.results ? "" : shapeOf(node)], ...(node.results ?? []).map((text, k) => [`result ${k}`, text]), ...this.plainFields(id), ...Object.entries(node.extras ?? {})];
    const table = element("table", { class: "facts" }, element("tbody", {}, ...rows.filter(([, value]) => value).map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
    const arrays = [["value", "Value"], ["grad", "Gradient"]].map(([field, name]) => this.arrayPart(id, field, name, theme, width));
    const hasArray = arrays.some(Boolean);
    const buttons = element("p", { class: "switches" }, hasArray ? element("button", { type: "button", title: keysOfAction("enter"), onclick: () => this.act("enter") }, "Whole array") : null, " ", this.pathButton());
    const words = { none: "has not arrived yet", partial: "is not complete yet", complete: "is complete" }[state];
    return [words ? element("p", { class: "state" }, `In this step the gradient ${words}.`) : null, table, buttons, ...arrays];
  }

  // The fields that are numbers or strings.
  plainFields(id) {
    return [["value", "value"], ["grad", "gradient"]].flatMap(([field, name]) => {
      const found = this.graph.field(id, field);
      const isMissing = !found && field === "grad" && this.hasPass && ["parameter", "result"].includes(this.graph.nodes[id].role);
      if (!found || found.array) return isMissing ? [[name, "none"]] : [];
      return [[name, found.text ?? (found.number !== undefined ? numberText(found.number, 9) : statisticsText(found.statistics))]];
    });
  }

  arrayPart(id, field, name, theme, width) {
    const array = this.graph.array(id, field);
    if (!array) return null;
    const title = `${name.toLowerCase()} of ${this.graph.titleOf(id)}`;
    return element("section", {},
      element("h3", {}, name), element("p", { class: "note" }, statisticsText(array.statistics) + (array.thinned ? ` · ${array.thinned}` : "")),
      array.values.length ? heatMapOf(title, array, { width, height: MAP_HEIGHT, theme }) : element("p", {}, "It has no elements."),
      array.values.length > 6 ? histogramSvg(title, array, width, 54) : null);
  }

  links(title, ids) {
    if (!ids.length) return element("section", {}, element("h3", {}, title), element("p", { class: "note" }, "none"));
    const rows = ids.slice(0, MOST_LINKS).map((id) => element("li", {}, this.link(id, this.graph.titleOf(id)), " ", element("span", { class: "note" }, this.graph.isModule(id) ? "module" : shapeOf(this.graph.nodes[id]))));
    const more = ids.length > MOST_LINKS ? element("li", { class: "note" }, `and ${ids.length - MOST_LINKS} more`) : null;
    return element("section", {}, element("h3", {}, `${title} (${ids.length})`), element("ul", { class: "links" }, ...rows, more));
  }

  link(id, text) {
    return element("button", { type: "button", class: "link", onclick: () => this.choose(id) }, text);
  }

  // A list of the parameters from which it was computed: the ways from the chosen one are highlighted.
  ways(id) {
    const parameters = parametersAbove(this.graph, id);
    if (!parameters.length) return "";
    const list = element("select", { onchange: (event) => this.trace(event.target.value === "" ? null : Number(event.target.value)) },
      element("option", { value: "" }, `${parameters.length} ${parameters.length === 1 ? "parameter" : "parameters"} …`), ...parameters.map((i) => element("option", { value: i }, this.graph.titleOf(i))));
    return element("section", {}, element("h3", {}, "Ways from a parameter"), element("label", {}, "highlight the ways from ", list));
  }
}
