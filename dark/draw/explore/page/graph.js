// The graph of the page: nodes with their users, and modules, nested. Node i is the number i; module f is the number
// `count + f`, so that both can be chosen, found and drawn by one number.
import { arrayOf } from "./arrays.js";

export class Graph {
  constructor(data) {
    this.title = data.title;
    this.nodes = data.nodes;
    this.modules = data.modules;
    this.count = data.nodes.length;
    this.root = this.count - 1;
    this.hasGroups = Boolean(data.groups);
    this.leftOut = data.leftOut;
    this.legend = data.legend ?? {};
    this.captions = data.steps ?? [];
    this.isLoss = Boolean(data.isLoss); // a scalar that PyTorch computed, whose pass starts with 1
    this.arrays = data.arrays.map(arrayOf);
    this.users = usersOf(this.nodes);
    this.links = this.nodes.map(({ inputs }) => [...new Set(inputs)].filter((i) => this.nodes[i].holder === undefined));
    this.nest();
  }

  // Which module a node or module stands in, at which place, and which nodes are inside: those from `first` to `end`.
  nest() {
    this.frameOf = new Int32Array(this.count).fill(-1);
    this.above = new Int32Array(this.modules.length).fill(-1);
    this.place = new Int32Array(this.count + this.modules.length);
    this.number = new Int32Array(this.count);
    let next = 0;
    const visit = (f) => {
      const module = this.modules[f];
      module.first = next;
      module.items.forEach((item, k) => {
        if (item < 0) {
          this.above[-item] = f;
          this.place[this.count - item] = k;
          visit(-item);
        } else {
          this.frameOf[item] = f;
          this.place[item] = k;
          this.number[item] = next;
          next += 1;
        }
      });
      module.end = next;
    };
    visit(0);
    this.nodes.forEach((node, i) => {
      if (node.holder === undefined) return;
      this.frameOf[i] = this.frameOf[node.holder];
      this.number[i] = this.number[node.holder];
    });
    this.inOrder = Array.from({ length: this.count }, (_, i) => i).filter((i) => this.nodes[i].holder === undefined).sort((a, b) => this.number[a] - this.number[b]);
    this.modules.forEach((module, f) => {
      module.leaving = f ? this.insideOf(f).filter((u) => this.users[u].some((v) => !this.isIn(v, f))) : [];
    });
  }

  // The nodes of a module that are drawn by themselves.
  insideOf(f) {
    const module = this.modules[f];
    module.inside ??= this.inOrder.slice(module.first, module.end).sort((a, b) => a - b);
    return module.inside;
  }

  // The same for a node or module; a leaf stands in the box of what uses it.
  membersOf(id) {
    return this.isModule(id) ? this.insideOf(id - this.count).flatMap((i) => [...(this.nodes[i].leaves ?? []), i]) : [id];
  }

  isIn(i, f) {
    return this.number[i] >= this.modules[f].first && this.number[i] < this.modules[f].end;
  }

  isModule(id) {
    return id >= this.count;
  }

  // The modules around a node or module, the innermost first; without the whole picture.
  around(id) {
    const found = [];
    for (let f = this.isModule(id) ? this.above[id - this.count] : this.frameOf[id]; f > 0; f = this.above[f]) found.push(f);
    return found;
  }

  // What is drawn for a node or module: itself, or the outermost closed module around it.
  shownFor(id, isOpen) {
    const closed = this.around(id).filter((f) => !isOpen(f)).at(-1);
    return closed === undefined ? id : this.count + closed;
  }

  // The item of a module in which a node stands, as its place.
  itemPlace(f, i) {
    let at = this.frameOf[i];
    if (at === f) return this.place[this.nodes[i].holder ?? i];
    while (this.above[at] !== f) at = this.above[at];
    return this.place[this.count + at];
  }

  titleOf(id) {
    if (this.isModule(id)) return this.modules[id - this.count].title || this.title;
    const node = this.nodes[id];
    return node.name ? `${node.operation ? `${node.operation} ` : ""}${node.name}` : node.operation || node.role;
  }

  // With the module of a node that has no name: several may have its operation.
  fullTitleOf(id) {
    const { name, path } = this.isModule(id) ? { name: true } : this.nodes[id];
    return this.titleOf(id) + (!name && path ? ` in ${path}` : "");
  }

  // A word for a box that is too small for its texts.
  labelOf(id) {
    if (this.isModule(id)) return this.titleOf(id);
    const { operation, name, lines } = this.nodes[id];
    return operation || name?.split(".").at(-1) || (lines[0]?.[1] ?? "");
  }

  // Whether it is a node through which no gradient flows.
  isDetached(id) {
    return id !== null && !this.isModule(id) && this.nodes[id].role === "detached";
  }

  // The text of the edge to a node, such as which of several results it is.
  labelOfEdge(u, id) {
    return this.isModule(id) ? "" : this.nodes[id].edgeLabels?.[u] ?? "";
  }

  array(id, field) {
    const at = this.nodes[id][`${field}Array`];
    return at === undefined ? null : this.arrays[at];
  }

  // The number, string or statistics of a value or gradient; null if it is missing.
  field(id, field) {
    const node = this.nodes[id];
    const array = this.array(id, field);
    if (array) return { array, statistics: array.statistics };
    if (node[`${field}Statistics`]) return { statistics: numbersIn(node[`${field}Statistics`]) };
    const found = node[field];
    if (found === undefined) return null;
    const number = asNumber(found);
    return number === null ? { text: found } : { number };
  }
}

const NOT_FINITE_NUMBERS = new Set(["NaN", "Infinity", "-Infinity"]);

function asNumber(found) {
  if (typeof found === "number") return found;
  return NOT_FINITE_NUMBERS.has(found) ? Number(found) : null;
}

function numbersIn(statistics) {
  return Object.fromEntries(Object.entries(statistics).map(([name, value]) => [name, asNumber(value)]));
}

function usersOf(nodes) {
  const users = nodes.map(() => []);
  nodes.forEach(({ inputs }, v) => new Set(inputs).forEach((u) => users[u].push(v)));
  return users;
}
