// Walking along the edges with the arrow keys: up to the inputs, down to the users, sideways to what is beside.

// What is drawn for the inputs of a node or module, in order and once each.
export function inputsShown(graph, id, isOpen) {
  return shownOnce(graph, id, isOpen, graph.membersOf(id).flatMap((i) => graph.nodes[i].inputs));
}

export function usersShown(graph, id, isOpen) {
  return shownOnce(graph, id, isOpen, graph.membersOf(id).flatMap((i) => graph.users[i]));
}

function shownOnce(graph, id, isOpen, nodes) {
  const own = new Set(graph.membersOf(id));
  return [...new Set(nodes.filter((i) => !own.has(i)).map((i) => graph.shownFor(i, isOpen)))];
}

export class Walker {
  constructor(graph) {
    this.graph = graph;
    this.beside = [];
  }

  // The node or module to which a key leads; without a choice, the first box, or the result.
  to(action, chosen, scene, isOpen) {
    const { order } = scene;
    if (chosen === null) return action === "first" || action === "next" ? order[0] : this.graph.root;
    const at = order.indexOf(chosen);
    const ends = { first: order[0], last: order.at(-1), next: order[at + 1], previous: order[at - 1] };
    return action in ends ? ends[action] : this.step(action, chosen, scene, isOpen);
  }

  // Tab walks through the boxes while one is chosen; from the last one it leaves the graph.
  hasNext(action, chosen, { order }) {
    if (chosen === null) return false;
    const at = order.indexOf(chosen);
    return action === "next" ? at < order.length - 1 : at > 0;
  }

  // The node or module to which an arrow key leads; the same where it leads nowhere.
  step(way, at, scene, isOpen) {
    if (way === "left" || way === "right") return this.sideways(way === "left" ? -1 : 1, at, scene);
    const list = way === "up" ? inputsShown(this.graph, at, isOpen) : usersShown(this.graph, at, isOpen);
    if (!list.length) return at;
    this.beside = list;
    return way === "up" ? this.mainOf(list) : list[0];
  }

  // The input that was itself computed is the main one, else the first that is not a parameter or constant.
  mainOf(list) {
    const rank = (id) => (this.graph.isModule(id) ? 0 : { result: 0, detached: 0, input: 1, parameter: 2, constant: 3 }[this.graph.nodes[id].role]);
    return list.reduce((best, id) => (rank(id) < rank(best) ? id : best));
  }

  // Among those to which the last step up or down could have led; else among the boxes of the same height.
  sideways(way, at, scene) {
    const list = this.beside.includes(at) && this.beside.length > 1 ? this.beside : sameHeight(at, scene);
    const next = list.indexOf(at) + way;
    return list[Math.max(0, Math.min(list.length - 1, next))] ?? at;
  }
}

function sameHeight(at, scene) {
  const box = scene.boxes.get(at) ?? scene.frames.get(at);
  if (!box) return [at];
  const middle = box.y + box.height / 2;
  const found = [...scene.boxes].filter(([id, other]) => id === at || (!other.isLeaf && other.y <= middle && other.y + other.height >= middle));
  return found.sort(([, a], [, b]) => a.x - b.x).map(([id]) => id);
}
