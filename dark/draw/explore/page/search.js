// Search by name, operation, module, shape, and by what gradients and values are; near misses where nothing is found.
import { FINDINGS, findIn, LIMITS, sizeOf } from "./findings.js";

const WORDS = FINDINGS.map(({ words }) => words).join("|");
const FINDING = new RegExp(`\\b(grad(?:ient)?|value)\\s*(?:is|:|=|==)?\\s*(${WORDS})(?![\\w.])`, "i");
const SHAPE = /\(\s*\)|\(\s*\w+(?:\s*,\s*\w+)+\s*,?\s*\)|\(\s*\w+\s*,\s*\)|\(\s*\d+\s*\)|\b\d+(?:\s*[x×]\s*\d+)+\b|\b\d+(?:,\s*\d+)+\b/;
const MOST_NEAR = 4;
const SLICE_OF_READING = 10; // milliseconds

// What is asked: { words, shapes, findings }.
export function parsed(query) {
  const found = { words: [], shapes: [], findings: [] };
  let rest = query.trim();
  for (let match = FINDING.exec(rest); match; match = FINDING.exec(rest)) {
    const { what } = FINDINGS.find(({ words }) => new RegExp(`^(?:${words})$`, "i").test(match[2]));
    found.findings.push({ field: match[1].toLowerCase() === "value" ? "value" : "grad", what });
    rest = rest.replace(match[0], " ");
  }
  for (let match = SHAPE.exec(rest); match; match = SHAPE.exec(rest)) {
    found.shapes.push({ sizes: (match[0].match(match[0].startsWith("(") ? /\w+/g : /\d+/g) ?? []).map(lengthOf), isWhole: match[0].startsWith("(") });
    rest = rest.replace(match[0], " ");
  }
  found.words = rest.toLowerCase().split(/\s+/).filter(Boolean);
  return found;
}

// A length of a shape: a number, or the name of one that varies, such as batch.
function lengthOf(text) {
  return /^\d+$/.test(text) ? Number(text) : text;
}

export class Search {
  constructor(graph) {
    this.graph = graph;
    this.texts = graph.nodes.map((node) => [node.name, node.operation, node.path, node.role, node.dtype, node.mark, ...(node.results ?? []), ...(node.shape ?? []).filter((size) => typeof size === "string")].filter(Boolean).join(" ").toLowerCase());
    this.titles = graph.modules.map((module, f) => (f ? module.title.toLowerCase() : null));
    this.sizes = { grad: [], value: [] };
    this.setLimits(LIMITS);
  }

  // From when on a gradient is large, vanishes or explodes.
  setLimits(limits) {
    this.limits = { ...this.limits, ...limits };
    this.found = {};
  }

  // The nodes with a finding, such as ("grad", "NaN").
  finding(field, what) {
    this.found[field] ??= findIn(this.graph, this.sizesOf(field), this.limits);
    return this.found[field][what];
  }

  // The sizes of all gradients, or values; those of the first nodes until a time is over, if one is given.
  sizesOf(field, until = Infinity) {
    const sizes = this.sizes[field];
    while (sizes.length < this.graph.count && performance.now() < until) sizes.push(sizeOf(this.graph, sizes.length, field));
    return sizes;
  }

  // Read all arrays in slices of time, then call `then()`.
  read(then) {
    const until = performance.now() + SLICE_OF_READING;
    const isDone = ["grad", "value"].every((field) => this.sizesOf(field, until).length === this.graph.count);
    if (isDone) then();
    else setTimeout(() => this.read(then), 0);
  }

  // The nodes and modules that match all that is asked, the best first.
  results(query) {
    const { words, shapes, findings } = parsed(query);
    if (!words.length && !shapes.length && !findings.length) return [];
    const tests = words.map(testOf);
    const nodes = this.graph.nodes.flatMap((node, i) => {
      const fits = tests.every((test) => test(this.texts[i])) && shapes.every((shape) => hasShape(node.shape, shape))
        && findings.every(({ field, what }) => this.finding(field, what).has(i));
      return fits ? [{ id: i, rank: rankOf(words, node) }] : [];
    });
    const isAboutNodes = shapes.length || findings.length;
    const modules = this.titles.flatMap((title, f) => (!isAboutNodes && title !== null && tests.every((test) => test(title))
      ? [{ id: this.graph.count + f, rank: words.includes(this.graph.modules[f].path.toLowerCase()) ? 0 : 2.5 }] : []));
    return [...modules, ...nodes].sort((a, b) => a.rank - b.rank).map(({ id }) => id);
  }

  // Names and operations that differ little from what is asked.
  nearMisses(query) {
    const word = query.trim().toLowerCase();
    if (!word) return [];
    const names = new Set([...this.graph.nodes.flatMap(({ name, operation }) => [name, operation]), ...this.graph.modules.slice(1).map(({ path }) => path)].filter(Boolean));
    const near = [...names].map((name) => ({ name, distance: distanceTo(word, name.toLowerCase()) }));
    return near.filter(({ distance }) => distance <= Math.max(1, word.length / 3)).sort((a, b) => a.distance - b.distance).slice(0, MOST_NEAR).map(({ name }) => name);
  }
}

// Whether a string contains a word; with "*" for any characters.
function testOf(word) {
  if (!word.includes("*")) return (text) => text.includes(word);
  const pattern = new RegExp(word.split("*").map((part) => part.replace(/[\\^$+?.()[\]{}|]/g, "\\$&")).join("\\S*"));
  return (text) => pattern.test(text);
}

// "(64, 3)" is the whole shape, "64x3" a part of it.
function hasShape(shape, { sizes, isWhole }) {
  if (!shape) return false;
  if (isWhole) return shape.length === sizes.length && sizes.every((size, k) => size === shape[k]);
  return shape.some((_, start) => sizes.every((size, k) => size === shape[start + k]));
}

function rankOf(words, { name = "", operation = "" }) {
  const texts = [name.toLowerCase(), operation.toLowerCase()];
  if (words.some((word) => texts.includes(word))) return 0;
  if (words.some((word) => texts.some((text) => text.startsWith(word)))) return 1;
  return words.some((word) => texts.some((text) => text.includes(word))) ? 2 : 3;
}

// The edits between a word and a name, or the nearest of the name's parts.
function distanceTo(word, name) {
  return Math.min(...[name, ...name.split(/[._/ ]/)].filter(Boolean).map((part) => editDistance(word, part)));
}

// Insertions, deletions, replacements and swaps of neighbors.
export function editDistance(a, b) {
  let older = [], last = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const replaced = last[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1);
      row.push(Math.min(replaced, last[k] + 1, row[k - 1] + 1));
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]) row[k] = Math.min(row[k], older[k - 2] + 1);
    }
    [older, last] = [last, row];
  }
  return last[b.length];
}
