// The horizontal positions of ordered vertices: near their neighbors, without overlap, the main path straight; as
// `layered/coordinates.py`.

const MAIN = 1e6; // the weight of a vertex of the main path, which stays where it is
const SWEEPS_OF_POSITIONS = 10;
const THIN = 0.6, MOST_THIN = 40; // the gap between bend points, as a part of the gap, in a rank with at most so many of these

// Numbers of the row that is placed; made once, since there are tens of thousands of short rows.
let room = { wanted: new Float64Array(64), weights: new Float64Array(64), shifts: new Float64Array(64), means: new Float64Array(64), sums: new Float64Array(64), counts: new Int32Array(64) };

function roomFor(count) {
  if (count > room.wanted.length) room = Object.fromEntries(Object.entries(room).map(([name, list]) => [name, new list.constructor(2 * count)]));
  return room;
}

// Put a row at positions as close as possible to the wanted ones, in order and with gaps: isotonic regression by pooling.
function placeRow(row, gaps, x) {
  const { wanted, weights, shifts, means, sums, counts } = room;
  let pools = 0;
  shifts[0] = 0;
  for (let k = 0; k < row.length; k += 1) {
    if (k) shifts[k] = shifts[k - 1] + gaps[k - 1];
    means[pools] = wanted[k] - shifts[k];
    sums[pools] = weights[k];
    counts[pools] = 1;
    pools += 1;
    while (pools > 1 && means[pools - 2] > means[pools - 1]) {
      const at = pools - 2, both = sums[at] + sums[at + 1];
      means[at] = (means[at] * sums[at] + means[at + 1] * sums[at + 1]) / both;
      sums[at] = both;
      counts[at] += counts[at + 1];
      pools -= 1;
    }
  }
  let place = 0;
  for (let at = 0; at < pools; at += 1) {
    for (let k = 0; k < counts[at]; k += 1, place += 1) x[row[place]] = means[at] + shifts[place];
  }
}

// The center of each vertex; `links` are [upper, lower, distance of the upper end, distance of the lower end].
export function* positionsOf(rows, widths, links, path, gap) {
  const near = neighborsOf(widths, links);
  const gaps = rows.map((row) => gapsOf(row, widths, gap));
  const fixed = mainPositions(path, links);
  const x = startPositions(rows, gaps, fixed, widths.length);
  const main = new Float64Array(widths.length).fill(NaN);
  for (const [v, at] of fixed) main[v] = at;
  for (let sweep = 0; sweep < SWEEPS_OF_POSITIONS; sweep += 1) {
    const sides = sweep >= SWEEPS_OF_POSITIONS - 2 ? "both" : sweep % 2 === 0 ? "up" : "down";
    for (let k = 0; k < rows.length; k += 1) {
      const r = sweep % 2 === 0 ? k : rows.length - 1 - k;
      sweepRow(rows[r], gaps[r], x, main, near, sides);
    }
    yield;
  }
  return x;
}

// The distances between neighbors; hundreds of bend points beside each other are a narrow bundle.
function gapsOf(row, widths, gap) {
  const pairs = row.slice(1).map((b, k) => [widths[row[k]], widths[b]]);
  const count = pairs.reduce((sum, [a, b]) => sum + Number(!a && !b), 0);
  const bundled = gap * THIN * Math.min(1, MOST_THIN / Math.max(1, count));
  return pairs.map(([a, b]) => (a || b ? (a + b) / 2 + (a && b ? gap : gap * THIN) : bundled));
}

// For each vertex its neighbors above and below, as numbers in threes: vertex, distance of the ends, weight.
function neighborsOf(widths, links) {
  const up = widths.map(() => []), down = widths.map(() => []);
  for (const [u, v, fromU, fromV] of links) {
    const weight = !widths[u] && !widths[v] ? 8 : !widths[u] || !widths[v] ? 2 : 1;
    up[v].push(u, fromU - fromV, weight);
    down[u].push(v, fromV - fromU, weight);
  }
  return { up, down };
}

function sweepRow(row, gaps, x, main, { up, down }, sides) {
  if (row.length === 1 && !Number.isNaN(main[row[0]])) return;
  const { wanted, weights } = roomFor(row.length);
  for (let k = 0; k < row.length; k += 1) {
    const v = row[k];
    if (!Number.isNaN(main[v])) {
      wanted[k] = main[v];
      weights[k] = MAIN;
      continue;
    }
    const first = sides === "down" ? (down[v].length ? down[v] : up[v]) : sides === "both" || up[v].length ? up[v] : down[v];
    const second = sides === "both" ? down[v] : NONE;
    let weight = 0, sum = 0;
    for (let n = 2; n < first.length; n += 3) weight += first[n];
    for (let n = 2; n < second.length; n += 3) weight += second[n];
    for (let n = 0; n < first.length; n += 3) sum += (x[first[n]] + first[n + 1]) * first[n + 2];
    for (let n = 0; n < second.length; n += 3) sum += (x[second[n]] + second[n + 1]) * second[n + 2];
    wanted[k] = weight ? sum / weight : x[v];
    weights[k] = weight || 0.1;
  }
  placeRow(row, gaps, x);
}

const NONE = [];

// The vertices of each rank next to each other, around the one of the main path.
function startPositions(rows, gaps, fixed, count) {
  const x = new Float64Array(count);
  rows.forEach((row, r) => {
    const anchor = row.findIndex((v) => fixed.has(v));
    const before = anchor < 0 ? gaps[r].reduce((a, b) => a + b, 0) / 2 : gaps[r].slice(0, anchor).reduce((a, b) => a + b, 0);
    let at = anchor < 0 ? -before : fixed.get(row[anchor]) - before;
    row.forEach((v, k) => {
      at += k ? gaps[r][k - 1] : 0;
      x[v] = at;
    });
  });
  return x;
}

// The position of each vertex of the main path: where its edges are vertical.
function mainPositions(path, links) {
  const ends = new Map(), isMain = new Set(path);
  for (const [u, v, fromU, fromV] of links) if (isMain.has(u) && isMain.has(v)) ends.set(`${u} ${v}`, fromU - fromV);
  const fixed = new Map();
  let x = 0;
  path.forEach((v, k) => {
    if (k) x += ends.get(`${path[k - 1]} ${v}`);
    fixed.set(v, x);
  });
  return fixed;
}
