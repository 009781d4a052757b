// What is marked in the picture: the choice, results of the search, a path, and the step of the backward pass.

export function marksOf({ graph, layouts, search, player, pass, chosen, path }) {
  const shown = (id) => graph.shownFor(id, layouts.isOpen);
  const now = player.isOn ? pass.nowAt(player.step) : null;
  const sending = now === null ? null : { now, to: new Set(player.step ? pass.receivers(now) : []) };
  const hit = search.hits[search.at];
  return { chosen, path, hits: new Set(search.hits.map(shown)), hit: hit === undefined ? null : shown(hit), sending, shown };
}

// The line of the gradient in a box: as it is after the step that is shown; null while none has arrived.
export function gradientLine(pass, player, id, text) {
  if (!player.isOn || pass.graph.isModule(id)) return text;
  const state = pass.stateOf(id, player.step);
  if (state === "" || state === "complete") return text;
  if (state === "none") return null;
  const { arrived, of } = pass.received(id, player.step);
  return `${pass.textOf(id, player.step) ?? "…"} · ${arrived} of ${of}`;
}
