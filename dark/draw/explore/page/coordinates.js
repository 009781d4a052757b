// The horizontal positions of ordered vertices: near their neighbors, without overlap, the main path straight; as
// `layered/coordinates.py`.

const MAIN = 1e6; // the weight of a vertex of the main path, which stays where it is
const SWEEPS_OF_POSITIONS = 10;

// Positions as close as possible to the wanted ones, in order and with gaps: isotonic regression by pooling.
export function placeRow(wanted, weights, gaps) {
  const shifts = [0];
  gaps.forEach((gap, k) => shifts.push(shifts[k] + gap));
  const means = [], sums = [], counts = [];
  for (let k = 0; k < wanted.length; k += 1) {
    means.push(wanted[k] - shifts[k]);
    sums.push(weights[k]);
    counts.push(1);
    while (means.length > 1 && means.at(-2) > means.at(-1)) {
      const mean = means.pop(), weight = sums.pop(), count = counts.pop(), at = means.length - 1;
      const both = sums[at] + weight;
      means[at] = (means[at] * sums[at] + mean * weight) / both;
      sums[at] = both;
      counts[at] += count;
    }
  }
  const places = [];
  means.forEach((mean, at) => { for (let k = 0; k < counts[at]; k += 1) places.push(mean + shifts[places.length]); });
  return places;
}

// The center of each vertex; `links` are [upper, lower, distance of the upper end, distance of the lower end].
export function positionsOf(rows, widths, links, path, gap) {
  const up = widths.map(() => []), down = widths.map(() => []);
  for (const [u, v, fromU, fromV] of links) {
    const weight = !widths[u] && !widths[v] ? 8 : !widths[u] || !widths[v] ? 2 : 1;
    up[v].push([u, fromU - fromV, weight]);
    down[u].push([v, fromV - fromU, weight]);
  }
  const gaps = rows.map((row) => row.slice(1).map((b, k) => (widths[row[k]] + widths[b]) / 2 + (widths[row[k]] && widths[b] ? gap : gap * 0.6)));
  const fixed = mainPositions(path, links);
  const x = startPositions(rows, gaps, fixed, widths.length);
  for (let sweep = 0; sweep < SWEEPS_OF_POSITIONS; sweep += 1) {
    const isBoth = sweep >= SWEEPS_OF_POSITIONS - 2, isDown = sweep % 2 === 0;
    for (let k = 0; k < rows.length; k += 1) {
      const r = isDown ? k : rows.length - 1 - k;
      sweepRow(rows[r], gaps[r], x, fixed, (v) => (isBoth ? up[v].concat(down[v]) : isDown ? (up[v].length ? up[v] : down[v]) : (down[v].length ? down[v] : up[v])));
    }
  }
  return x;
}

function sweepRow(row, gaps, x, fixed, nearOf) {
  const wanted = [], weights = [];
  for (const v of row) {
    let weight = 0, sum = 0;
    for (const [, , w] of nearOf(v)) weight += w;
    for (const [u, offset, w] of nearOf(v)) sum += (x[u] + offset) * w;
    const isMain = fixed.has(v);
    wanted.push(isMain ? fixed.get(v) : weight ? sum / weight : x[v]);
    weights.push(isMain ? MAIN : weight || 0.1);
  }
  placeRow(wanted, weights, gaps).forEach((place, k) => { x[row[k]] = place; });
}

// Vertices side by side, around the one of the main path.
function startPositions(rows, gaps, fixed, count) {
  const x = new Array(count).fill(0);
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
