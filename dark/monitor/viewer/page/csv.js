// What is shown as comma-separated values.
import { indexOf } from "../../../pages/parts/tiles.js";

export function csvText(rows) {
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function field(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "number" ? plain(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function plain(value) {
  return Number.isNaN(value) ? "nan" : Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf";
}

// One row a step, one column a series: `columns` are { label, steps, values }.
export function scalarRows(columns) {
  const steps = [...new Set(columns.flatMap((column) => [...column.steps]))].sort((a, b) => a - b);
  const tables = columns.map((column) => new Map(Array.from(column.steps, (step, k) => [step, column.values[k]])));
  return [["step", ...columns.map((column) => column.label)], ...steps.map((step) => [step, ...tables.map((table) => table.get(step))])];
}

// A matrix of one run as it is; any other array as its index and its value, or one value a run.
export function tensorRows(tensors) {
  const [{ tensor }] = tensors;
  const { shape, values } = tensor;
  if (shape.length === 2 && tensors.length === 1) {
    return Array.from({ length: shape[0] }, (_, row) => [...values.slice(row * shape[1], (row + 1) * shape[1])]);
  }
  const head = [...shape.map((_, axis) => `axis ${axis}`), ...tensors.map(({ label }) => label)];
  return [head, ...Array.from(values, (_, k) => [...indexOf(shape, k), ...tensors.map((one) => one.tensor.values[k])])];
}

// Several arrays as one row an element: the series, the index with spaces between its numbers, and one value a run.
export function seriesRows(series) {
  const labels = series.map(({ tensors }) => tensors.map(({ label }) => label)).reduce((longest, some) => (some.length > longest.length ? some : longest), []);
  const rows = series.flatMap(({ name, tensors }) => Array.from(tensors[0].tensor.values, (_, k) => [name, indexOf(tensors[0].tensor.shape, k).join(" "), ...labels.map((_, run) => tensors[run]?.tensor.values[k])]));
  return [["series", "index", ...labels], ...rows];
}

export function histogramRows({ steps, counts, edges }) {
  const bins = edges.length - 1;
  const rows = [["step", "from", "to", "count"]];
  steps.forEach((step, k) => {
    for (let bin = 0; bin < bins; bin += 1) rows.push([step, edges[bin], edges[bin + 1], counts[k * bins + bin]]);
  });
  return rows;
}
