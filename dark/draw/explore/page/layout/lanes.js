// Lanes beside a level, in which its long edges run, and ranks that are not too wide; as `layered/lanes.py`.

const MOST_BENDS = 2000; // bend points of a level, besides one for each vertex, without lanes
const SPANS = [Infinity, 24, 12, 6, 3]; // ranks of the longest edge outside lanes
const LANE = 8, BUNDLE = 240; // points between two lanes, and the width of all at one side
const WIDEST = 5000; // points of a rank

// Ranks none of which is much wider than the widest; before that, what is used further below sinks to just above its users.
// `first` and `last` are of size 0.
export function narrowed(ranks, widths, gap, edges, first, last) {
  const steps = widths.map((width, v) => (first.has(v) || last.has(v) ? 0 : width + gap));
  const widthOf = (row) => row.reduce((sum, v) => sum + steps[v], 0);
  const rows = rowsOf(ranks);
  if (rows.every((row) => widthOf(row) <= WIDEST)) return ranks;
  const found = [...ranks];
  let rank = 0;
  for (const row of rowsOf(sunk(ranks, rows, edges, first, last))) {
    const whole = widthOf(row), most = whole / Math.max(1, Math.ceil(whole / WIDEST));
    let wide = 0;
    for (const v of row) {
      if (wide && wide + steps[v] / 2 > most) {
        rank += 1;
        wide = 0;
      }
      found[v] = rank;
      wide += steps[v];
    }
    rank += Number(row.length > 0);
  }
  return found;
}

function rowsOf(ranks) {
  const rows = Array.from({ length: ranks.reduce((most, rank) => Math.max(most, rank), -1) + 1 }, () => []);
  ranks.forEach((rank, v) => rows[rank].push(v));
  return rows;
}

function sunk(ranks, rows, edges, first, last) {
  const below = ranks.map(() => []), found = [...ranks];
  for (const [u, v] of edges) if (!last.has(v)) below[u].push(v);
  for (const row of [...rows].reverse()) {
    for (const v of row) if (below[v].length && !first.has(v)) found[v] = below[v].reduce((most, w) => Math.min(most, found[w]), Infinity) - 1;
  }
  return found;
}

// The side, -1 or 1, and the lane, 0 next to the boxes, of each edge that runs in a lane, by its number; edges that begin
// at one place share a lane, and those of the main path have none. `isNarrowed` says that ranks were too wide for one row.
export function lanesOf(edges, ranks, isOfMain, isNarrowed) {
  const trunks = new Map();
  for (const k of longEdges(edges, ranks, isOfMain, isNarrowed ? SPANS.slice(-1) : SPANS)) {
    const start = startOf(edges[k]);
    if (!trunks.has(start)) trunks.set(start, []);
    trunks.get(start).push(k);
  }
  const last = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  const sides = new Map([[-1, []], [1, []]]);
  for (const group of trunks.values()) {
    const start = ranks[edges[group[0]].source], end = group.reduce((most, k) => Math.max(most, ranks[edges[k].target]), 0);
    if (start + end <= last) sides.get(-1).push({ start, end, group });
    else sides.get(1).push({ start: last - end, end: last - start, group });
  }
  const found = new Map();
  for (const [side, spans] of sides) {
    const lanes = packedLanes(spans);
    spans.forEach(({ group }, n) => group.forEach((k) => found.set(k, [side, lanes[n]])));
  }
  return found;
}

function startOf({ source, fromSource }) {
  return `${source} ${fromSource}`;
}

function longEdges(edges, ranks, isOfMain, limits) {
  const spans = edges.map((edge) => (isOfMain(edge) ? 0 : ranks[edge.target] - ranks[edge.source]));
  let most = 0;
  for (const longest of limits) {
    most = longest;
    const trunks = new Map();
    edges.forEach((edge, k) => {
      const start = startOf(edge);
      if (spans[k] > 0 && spans[k] <= longest) trunks.set(start, Math.max(spans[k] - 1, trunks.get(start) ?? 0));
    });
    const bends = [...trunks.values()].reduce((sum, count) => sum + count, 0);
    if (bends <= MOST_BENDS + ranks.length) break;
  }
  return spans.flatMap((span, k) => (span > most ? [k] : []));
}

// The lane of each span, the least that is free: those that end first are next to the boxes.
function packedLanes(spans) {
  const ends = new Map(), free = [], lanes = new Array(spans.length).fill(0);
  let count = 0, at = 0;
  const order = spans.map((_, k) => k).sort((a, b) => spans[a].start - spans[b].start || spans[a].end - spans[b].end);
  for (const k of order) {
    const { start, end } = spans[k];
    for (; at <= start; at += 1) for (const lane of ends.get(at) ?? []) insertInOrder(free, lane);
    if (free.length) lanes[k] = free.shift();
    else {
      lanes[k] = count;
      count += 1;
    }
    if (!ends.has(end)) ends.set(end, []);
    ends.get(end).push(lanes[k]);
  }
  return lanes;
}

function insertInOrder(list, number) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= number) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, number);
}

// The position of the lane of each edge, beside boxes between `left` and `right`.
export function placesOfLanes(lanes, left, right) {
  const count = (side) => [...lanes.values()].reduce((most, [s, lane]) => (s === side ? Math.max(most, lane + 1) : most), 1);
  const edge = { "-1": left, 1: right }, gaps = { "-1": Math.min(LANE, BUNDLE / count(-1)), 1: Math.min(LANE, BUNDLE / count(1)) };
  return new Map([...lanes].map(([k, [side, lane]]) => [k, edge[side] + side * (LANE + lane * gaps[side])]));
}
