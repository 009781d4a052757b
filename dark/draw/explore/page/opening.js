// Opens and closes modules: a few boxes at once, many without a pause of the page, and thousands after a question.
import { dialog, openDialog } from "../../../pages/parts/dialog.js";
import { element } from "../../../pages/parts/dom.js";
import { flattened } from "./layout/frames.js";
import { Planner } from "./layout/planner.js";

const AT_ONCE = 600; // boxes that are laid out while the page waits
const MANY_BOXES = 2000; // further boxes that one is asked about

export class Opening {
  // `show(scene)` draws another scene; `say(text)` is for screen readers.
  constructor(graph, layouts, source, { root, show, say }) {
    Object.assign(this, { graph, layouts, root, show, say });
    this.planner = new Planner(graph, source);
    this.text = element("span", {});
    this.bar = element("div", { class: "busy", hidden: true, role: "status" }, this.text, " ", element("button", { type: "button", title: "Stop (Esc)", onclick: () => this.stop() }, "Stop"));
  }

  // Draw the modules that are open at first; in a large picture all are closed until it is laid out.
  first(then) {
    const open = [...this.layouts.open];
    this.layouts.openOnly([]);
    if (this.countOf(new Set(open)) > AT_ONCE) this.show(flattened(this.graph, this.layouts));
    return this.change(open.map((f) => [f, true]), then, { mayAsk: false });
  }

  // How many boxes are drawn while these modules are open.
  countOf(open) {
    const { modules } = this.graph;
    let count = 0;
    for (const waiting = [0]; waiting.length;) {
      for (const item of modules[waiting.pop()].items) {
        if (item < 0 && open.has(-item)) waiting.push(-item);
        else count += 1;
      }
    }
    return count;
  }

  // Open or close modules, [number, whether it is open]; then `then(isDone)` is called: at once in a small picture.
  change(changes, then, { mayAsk = true } = {}) {
    this.stop();
    this.turn = (this.turn ?? 0) + 1;
    const { layouts } = this, open = new Set(layouts.open);
    for (const [f, isOpen] of changes) {
      if (isOpen) open.add(f);
      else if (f) open.delete(f);
    }
    const count = this.countOf(open), more = count - this.countOf(layouts.open);
    if (!mayAsk || more <= MANY_BOXES) return this.begin(open, count, then);
    const planned = this.planner.plan(open); // while one reads the question
    return this.ask(count, more, (isWanted) => {
      if (isWanted) return this.begin(open, count, then, planned);
      this.planner.stop();
      return then(false);
    });
  }

  begin(open, count, then, planned = null) {
    const { graph, layouts, planner, turn } = this;
    if (count <= AT_ONCE) {
      layouts.openOnly(open);
      this.show(flattened(graph, layouts));
      return then(true);
    }
    this.text.textContent = `Laying out ${count.toLocaleString("en")} boxes …`;
    this.bar.hidden = false;
    return (planned ?? planner.plan(open)).then((scene) => {
      if (turn !== this.turn) return undefined;
      this.bar.hidden = true;
      if (!scene) return then(false);
      layouts.openOnly(open);
      this.show(scene);
      return then(true);
    });
  }

  ask(count, more, answer) {
    let isWanted = false;
    const button = (text, wanted, attributes = {}) => element("button", { type: "button", ...attributes, onclick: () => { isWanted = wanted; box.close(); } }, text);
    const box = dialog(`Open ${more.toLocaleString("en")} more boxes?`,
      element("p", {}, `The picture would have ${count.toLocaleString("en")} boxes. The page stays usable while they are laid out, and Esc stops it.`),
      element("p", { class: "switches" }, button("Open", true, { autofocus: true }), " ", button("Cancel", false)));
    box.addEventListener("close", () => answer(isWanted));
    openDialog(this.root, box);
  }

  // End a layout that is being made; returns whether there was one. What was drawn stays.
  stop() {
    const isStopped = this.planner.stop();
    if (isStopped) this.say("The layout was stopped.");
    return isStopped;
  }

  end() {
    this.planner.stop();
    this.planner.end();
  }
}
