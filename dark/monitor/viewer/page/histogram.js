// Histograms over time as colored cells: one column a step, the color is the share of the values.
import { ABSOLUTE_COLORS, colorText } from "../../../pages/parts/colors.js";

// Cells of a chart from { steps, counts, edges }; empty bins are left out. The square root makes rare values visible.
export function histogramCells({ steps, counts, edges }) {
  const bins = edges.length - 1;
  const cells = [];
  for (let k = 0; k < steps.length; k += 1) {
    const column = counts.subarray(k * bins, (k + 1) * bins);
    const most = Math.max(1, ...column);
    const { from, to } = columnOf(steps, k);
    column.forEach((count, bin) => {
      if (count === 0) return;
      const color = ABSOLUTE_COLORS[Math.round(255 * Math.sqrt(count / most))];
      cells.push({ from, to, low: edges[bin], high: edges[bin + 1], color: colorText(color), count });
    });
  }
  return cells;
}

// A column reaches half way to its neighbors.
function columnOf(steps, k) {
  const before = k > 0 ? (steps[k] - steps[k - 1]) / 2 : null;
  const after = k + 1 < steps.length ? (steps[k + 1] - steps[k]) / 2 : null;
  return { from: steps[k] - (before ?? after ?? 0.5), to: steps[k] + (after ?? before ?? 0.5) };
}
