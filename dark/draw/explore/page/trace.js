// Paths through the graph: what a node was computed from, and the ways between two nodes.

function reached(starts, next) {
  const found = new Set(starts), waiting = [...starts];
  while (waiting.length) {
    for (const i of next(waiting.pop())) {
      if (found.has(i)) continue;
      found.add(i);
      waiting.push(i);
    }
  }
  return found;
}

// A node or module, and all from which it was computed.
export function ancestorsOf(graph, id) {
  return reached(graph.membersOf(id), (i) => graph.nodes[i].inputs);
}

// A node or module, and all that was computed from it.
function descendantsOf(graph, id) {
  return reached(graph.membersOf(id), (i) => graph.users[i]);
}

// All nodes on the ways from one node or module to another, in the order of computation; empty if there is no way.
export function between(graph, from, to) {
  const below = descendantsOf(graph, from), above = ancestorsOf(graph, to);
  return new Set([...below].filter((i) => above.has(i)).sort((a, b) => a - b));
}

// The parameters from which a node or module was computed, in the order of computation.
export function parametersAbove(graph, id) {
  return [...ancestorsOf(graph, id)].filter((i) => graph.nodes[i].role === "parameter" && i !== id).sort((a, b) => a - b);
}

// The nodes that are highlighted, or null; `changed(text)` is called with what is highlighted now.
export class Highlight {
  constructor(graph, changed) {
    Object.assign(this, { graph, changed, path: null });
  }

  // All from which a node or module was computed; once more to end it.
  toggle(id) {
    this.path = this.path || id === null ? null : ancestorsOf(this.graph, id);
    this.changed(this.path ? `${this.graph.titleOf(id)} was computed from ${this.path.size - 1} nodes, which are highlighted.` : "No path is highlighted.");
  }

  // The ways from a parameter to a node or module; without a parameter, to end it.
  trace(parameter, id) {
    const { graph } = this;
    this.path = parameter === null ? null : between(graph, parameter, id);
    this.changed(this.path ? `The ways from ${graph.titleOf(parameter)} to ${graph.titleOf(id)} pass ${this.path.size - 2} other nodes, which are highlighted.` : "No path is highlighted.");
  }
}
