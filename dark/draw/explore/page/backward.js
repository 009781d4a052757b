// The backward pass, step by step: in the order of the real pass, each node after all nodes that use it.

export class BackwardPass {
  constructor(graph) {
    this.graph = graph;
    this.takesPart = takingPart(graph);
    this.order = [];
    for (let i = graph.count - 1; i >= 0; i -= 1) if (this.takesPart[i] && this.receivers(i).length) this.order.push(i);
    this.stepOf = new Int32Array(graph.count).fill(-1);
    this.order.forEach((i, k) => { this.stepOf[i] = k + 1; });
  }

  // The start, and one step for each node that sends.
  get count() {
    return this.isThere ? this.order.length + 1 : 0;
  }

  get isThere() {
    return this.order.length > 0;
  }

  // The inputs to which a node sends gradients.
  receivers(i) {
    return [...new Set(this.graph.nodes[i].inputs)].filter((k) => this.takesPart[k]);
  }

  nowAt(step) {
    return step === 0 ? this.graph.root : this.order[step - 1];
  }

  // How many of its contributions a node has received after a step, and of how many: { arrived, of }.
  received(i, step) {
    if (i === this.graph.root) return { arrived: 1, of: 1 };
    const senders = this.graph.users[i].filter((v) => this.stepOf[v] > 0);
    return { arrived: senders.filter((v) => this.stepOf[v] <= step).length, of: senders.length };
  }

  // "complete", "partial", "none", or "" for a node that never receives a gradient.
  stateOf(i, step) {
    if (!this.takesPart[i]) return "";
    const { arrived, of } = this.received(i, step);
    return arrived === 0 ? "none" : arrived < of ? "partial" : "complete";
  }

  // The gradient that a node has after a step, as the text of its box; null where it is not known.
  textOf(i, step) {
    for (let k = Math.min(step, this.graph.captions.length - 1); k >= 0; k -= 1) {
      const text = this.graph.captions[k].grads[i];
      if (text !== undefined) return text;
    }
    return null;
  }

  caption(step) {
    const known = this.graph.captions[step];
    if (known) return known.caption;
    const { graph } = this, now = this.nowAt(step);
    if (step === 0) return `The pass starts at ${graph.fullTitleOf(now)}.`;
    const to = this.receivers(now).map((i) => {
      const { arrived, of } = this.received(i, step);
      return graph.fullTitleOf(i) + (of > 1 ? ` (${arrived} of ${of})` : "");
    });
    const list = to.length > 1 ? `${to.slice(0, -1).join(", ")} and ${to.at(-1)}` : to[0];
    return `The gradient of ${graph.fullTitleOf(now)} is complete. It sends a contribution to ${list}.`;
  }
}

// The nodes that receive a gradient: parameters that have one, all of a loss of PyTorch, and results computed from them.
function takingPart(graph) {
  const taking = new Uint8Array(graph.count);
  graph.nodes.forEach((node, i) => {
    const hasGradient = node.grad !== undefined || node.gradArray !== undefined || node.gradStatistics !== undefined || (graph.isLoss && node.role === "parameter");
    taking[i] = Number(hasGradient || (node.role === "result" && node.inputs.some((k) => taking[k])));
  });
  return taking;
}

// How many steps `play` moves at a time, so that a long pass takes about twenty seconds.
export function paceOf(count) {
  return Math.max(1, Math.round(count / 120));
}
