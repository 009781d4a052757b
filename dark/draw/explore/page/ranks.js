// The rank of each vertex, counted from the top, and an order in each rank with few crossings; as `layered/ranks.py`.

const SWEEPS = 12;

// The vertices 0 to count - 1, each after those from which an edge leads to it.
function inOrder(count, below, above) {
  const missing = above.map((list) => list.length);
  const order = [];
  for (let v = 0; v < count; v += 1) if (missing[v] === 0) order.push(v);
  for (let k = 0; k < order.length; k += 1) {
    for (const v of below[order[k]]) {
      missing[v] -= 1;
      if (missing[v] === 0) order.push(v);
    }
  }
  return order;
}

function neighbors(count, edges) {
  const below = Array.from({ length: count }, () => []), above = Array.from({ length: count }, () => []);
  for (const [u, v] of edges) {
    below[u].push(v);
    above[v].push(u);
  }
  return { below, above };
}

// Ranks below the inputs; a vertex without inputs directly above what uses it. `first` are above all, `last` below all.
export function ranksOf(count, edges, first = new Set(), last = new Set()) {
  const { below, above } = neighbors(count, edges);
  const order = inOrder(count, below, above);
  const ranks = new Array(count).fill(0);
  for (const v of order) {
    ranks[v] = above[v].length ? Math.max(...above[v].map((u) => ranks[u])) + 1 : first.size && !first.has(v) ? 1 : 0;
  }
  for (const v of order.reverse()) {
    if (!above[v].length && below[v].length && !first.has(v)) ranks[v] = below[v].reduce((least, w) => Math.min(least, ranks[w]), Infinity) - 1;
  }
  if (last.size) {
    let lowest = last.size < count ? -Infinity : 0;
    for (let v = 0; v < count; v += 1) if (!last.has(v)) lowest = Math.max(lowest, ranks[v]);
    for (const v of last) ranks[v] = lowest + 1;
  }
  return ranks;
}

// The longest path from top to bottom; one between `first` and `last` if there is any.
export function mainPath(count, edges, first = new Set(), last = new Set()) {
  const { below, above } = neighbors(count, edges);
  const length = new Array(count).fill(0), before = new Array(count).fill(-1);
  for (const v of inOrder(count, below, above)) {
    length[v] = first.has(v) ? count : 1;
    for (const u of above[v]) {
      if (length[u] + 1 > length[v]) {
        length[v] = length[u] + 1;
        before[v] = u;
      }
    }
  }
  let end = -1;
  for (const v of last.size ? last : length.keys()) {
    if (end < 0 || length[v] > length[end] || (length[v] === length[end] && v > end)) end = v;
  }
  const path = [];
  for (; end >= 0; end = before[end]) path.push(end);
  return path.reverse();
}

// Order the vertices of each rank by the barycenters of their neighbors; `links` lead from one rank to the next.
export function orderRanks(given, links) {
  const above = new Map(), below = new Map();
  for (const [u, v] of links) {
    if (!above.has(v)) above.set(v, []);
    above.get(v).push(u);
    if (!below.has(u)) below.set(u, []);
    below.get(u).push(v);
  }
  let best = given, fewest = crossings(given, below);
  const rows = given.map((row) => [...row]);
  const place = new Map();
  rows.forEach((row) => row.forEach((v, k) => place.set(v, k)));
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (let k = 1; k < rows.length; k += 1) sortRow(rows, isDown ? k : rows.length - 1 - k, isDown ? above : below, place);
    const count = crossings(rows, below);
    if (count < fewest) {
      best = rows.map((row) => [...row]);
      fewest = count;
    }
  }
  return best;
}

function sortRow(rows, r, near, place) {
  const keys = new Map(rows[r].map((v) => [v, meanOf(near.get(v), place, place.get(v))]));
  rows[r].sort((a, b) => keys.get(a) - keys.get(b));
  rows[r].forEach((v, k) => place.set(v, k));
}

function meanOf(list, place, other) {
  return list ? list.reduce((sum, u) => sum + place.get(u), 0) / list.length : other;
}

// Count the crossings: the inversions of the lower ends, in the order of the upper ends, with a Fenwick tree.
function crossings(rows, below) {
  let count = 0;
  for (let r = 1; r < rows.length; r += 1) {
    const place = new Map(rows[r].map((v, k) => [v, k]));
    const tree = new Int32Array(rows[r].length + 1);
    let seen = 0;
    for (const u of rows[r - 1]) {
      const ends = (below.get(u) ?? []).map((v) => place.get(v));
      for (const end of ends) {
        count += seen;
        for (let k = end + 1; k > 0; k -= k & -k) count -= tree[k];
      }
      for (const end of ends) for (let k = end + 1; k < tree.length; k += k & -k) tree[k] += 1;
      seen += ends.length;
    }
  }
  return count;
}
