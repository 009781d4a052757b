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

// Ranks below the inputs; a leaf, and what only a leaf leads to, directly above what uses it. `first` are above all, `last`
// below all.
export function ranksOf(count, edges, first = new Set(), last = new Set()) {
  const { below, above } = neighbors(count, edges);
  const order = inOrder(count, below, above);
  const ranks = new Array(count).fill(0);
  for (const v of order) {
    ranks[v] = above[v].length ? Math.max(...above[v].map((u) => ranks[u])) + 1 : first.size && !first.has(v) ? 1 : 0;
  }
  for (const v of order.reverse()) {
    const isOfLeaf = above[v].length === 1 && !above[above[v][0]].length && !first.has(above[v][0]);
    if (below[v].length && !first.has(v) && (isOfLeaf || !above[v].length)) ranks[v] = below[v].reduce((least, w) => Math.min(least, ranks[w]), Infinity) - 1;
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
export function* orderRanks(given, links, count) {
  const { below, above } = neighbors(count, links);
  const place = new Int32Array(count), keys = new Float64Array(count);
  const number = (rows) => rows.forEach((row) => row.forEach((v, k) => { place[v] = k; }));
  number(given);
  let best = given, fewest = crossings(given, below, place);
  const rows = given.map((row) => [...row]);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (let k = 1; k < rows.length; k += 1) sortRow(rows[isDown ? k : rows.length - 1 - k], isDown ? above : below, place, keys);
    const found = crossings(rows, below, place);
    if (found < fewest) {
      best = rows.map((row) => [...row]);
      fewest = found;
    }
    yield;
  }
  return best;
}

function sortRow(row, near, place, keys) {
  if (row.length < 2) return;
  for (const v of row) {
    let sum = 0;
    for (const u of near[v]) sum += place[u];
    keys[v] = near[v].length ? sum / near[v].length : place[v];
  }
  row.sort((a, b) => keys[a] - keys[b]);
  for (let k = 0; k < row.length; k += 1) place[row[k]] = k;
}

// Count the crossings: the inversions of the lower ends, in the order of the upper ends, with a Fenwick tree.
function crossings(rows, below, place) {
  const tree = new Int32Array(rows.reduce((most, row) => Math.max(most, row.length), 0) + 1);
  let count = 0;
  for (let r = 1; r < rows.length; r += 1) {
    if (rows[r].length < 2 || rows[r - 1].length < 2) continue;
    const length = rows[r].length + 1;
    tree.fill(0, 0, length);
    let seen = 0;
    for (const u of rows[r - 1]) {
      for (const v of below[u]) {
        count += seen;
        for (let k = place[v] + 1; k > 0; k -= k & -k) count -= tree[k];
      }
      for (const v of below[u]) for (let k = place[v] + 1; k < length; k += k & -k) tree[k] += 1;
      seen += below[u].length;
    }
  }
  return count;
}
