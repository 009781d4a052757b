// What one looks for in values and gradients: 0, NaN, infinite and large ones.

const LARGE = 100; // times the median of the largest magnitudes of all gradients, or values

export const FINDINGS = [
  { what: "0", words: "0|zero", test: ({ largest, bad }) => largest === 0 && !bad },
  { what: "NaN", words: "nan", test: ({ nan }) => nan > 0 },
  { what: "infinite", words: "inf(?:inite|inity)?", test: ({ infinite }) => infinite > 0 },
  { what: "large", words: "large|big|exploding", test: ({ largest }, typical) => typical > 0 && largest > LARGE * typical },
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

// For each finding the nodes where it holds, as sets: { "0": …, NaN: …, infinite: …, large: … }.
export function findIn(graph, field) {
  const sizes = graph.nodes.map((_, i) => sizeOf(graph, i, field));
  const known = sizes.filter((size) => size && size.largest > 0).map((size) => size.largest).sort((a, b) => a - b);
  const typical = known[known.length >> 1] ?? 0;
  return Object.fromEntries(FINDINGS.map(({ what, test }) => [what, new Set(sizes.flatMap((size, i) => (size && test(size, typical) ? [i] : [])))]));
}
