// What one looks for in values and gradients: 0, NaN, infinite ones; ones that are large for their depth, the number of
// edges to the result; and gradients that vanish or explode on the way from the result.

export const LIMITS = { large: 100, vanishing: 1e6 }; // times what is typical at the depth; times less or more than at the result
const WINDOW = 9; // numbers of similar depth at either side; the larger of their medians is typical

export const FINDINGS = [
  { what: "0", says: "is 0", words: "0|zero", test: ({ largest, bad }) => largest === 0 && !bad },
  { what: "NaN", says: "is NaN", words: "nan", test: ({ nan }) => nan > 0 },
  { what: "infinite", says: "is infinite", words: "inf(?:inite|inity)?", test: ({ infinite }) => infinite > 0 },
  { what: "large", says: "is large", words: "large|big", test: ({ largest }, { here }, limits) => here > 0 && largest > limits.large * here },
  { what: "vanishing", says: "vanishes", words: "vanish(?:es|ing)?", test: ({ largest, bad }, { first }, limits) => largest > 0 && !bad && largest < first / limits.vanishing },
  { what: "exploding", says: "explodes", words: "explod(?:es|ing)|explode", test: ({ largest }, { first }, limits) => first > 0 && largest > limits.vanishing * first },
];

// The largest magnitude of a value or gradient, and how much of it is not finite; null if it is not known.
export function sizeOf(graph, id, field) {
  const found = graph.field(id, field);
  if (!found || found.text !== undefined) return null;
  if (found.number !== undefined) {
    const x = found.number;
    return { largest: Number.isFinite(x) ? Math.abs(x) : 0, nan: Number(Number.isNaN(x)), infinite: Number(Math.abs(x) === Infinity), bad: !Number.isFinite(x) };
  }
  const { low, high, nan = 0, infinite = 0 } = found.statistics;
  const largest = Number.isFinite(low) ? Math.max(Math.abs(low), Math.abs(high)) : 0;
  return { largest, nan, infinite, bad: nan > 0 || infinite > 0 };
}

// The least number of edges from each node to the result; Infinity where there is no way.
export function depthsOf(graph) {
  const depths = new Array(graph.count).fill(Infinity);
  depths[graph.root] = 0;
  for (let waiting = [graph.root]; waiting.length;) {
    const next = [];
    for (const v of waiting) {
      for (const u of graph.nodes[v].inputs) {
        if (depths[u] !== Infinity) continue;
        depths[u] = depths[v] + 1;
        next.push(u);
      }
    }
    waiting = next;
  }
  return depths;
}

// What is typical: { first, here }, near the result and at the depth of a node, by the node. `sizes` are as of `sizeOf`.
function typicalOf(sizes, depths) {
  const order = sizes.flatMap((size, i) => (size && size.largest > 0 ? [i] : [])).sort((a, b) => depths[a] - depths[b] || b - a);
  const sorted = order.map((i) => sizes[i].largest);
  const median = (from, to) => {
    const part = sorted.slice(Math.max(0, from), to).sort((a, b) => a - b);
    return part[part.length >> 1] ?? 0;
  };
  const first = median(0, WINDOW), here = new Map();
  order.forEach((i, k) => here.set(i, Math.max(median(k - WINDOW, k), median(k + 1, k + 1 + WINDOW))));
  return (i) => ({ first, here: here.get(i) ?? 0 });
}

// For each finding the nodes where it holds, as sets: { "0": …, NaN: …, infinite: …, large: …, … }.
export function findIn(graph, sizes, limits = LIMITS) {
  const typical = typicalOf(sizes, depthsOf(graph));
  return Object.fromEntries(FINDINGS.map(({ what, test }) => [what, new Set(sizes.flatMap((size, i) => (size && test(size, typical(i), limits) ? [i] : [])))]));
}
