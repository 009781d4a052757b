// Histograms over time as colored cells: one column a step, the color is the share of the values.
import { colorText } from "../../../../pages/parts/colors.js";

// From rare to frequent: away from the color of the paper, so that the map reads in gray, too.
const LIGHT_SHARES = [[216, 228, 240], [107, 160, 205], [8, 48, 107]];
const DARK_SHARES = [[38, 56, 80], [84, 140, 196], [222, 238, 255]];

// Cells of a chart from { steps, counts, edges }; empty bins are left out. The square root makes rare values visible.
export function histogramCells({ steps, counts, edges }, isDark = false) {
  const bins = edges.length - 1;
  const cells = [];
  for (let k = 0; k < steps.length; k += 1) {
    const column = counts.subarray(k * bins, (k + 1) * bins);
    const most = Math.max(1, ...column);
    const { from, to } = columnOf(steps, k);
    column.forEach((count, bin) => {
      if (count === 0) return;
      const color = shareColor(Math.sqrt(count / most), isDark ? DARK_SHARES : LIGHT_SHARES);
      cells.push({ from, to, low: edges[bin], high: edges[bin + 1], color: colorText(color), count });
    });
  }
  return cells;
}

function shareColor(share, [rare, middle, frequent]) {
  const [from, to, part] = share < 0.5 ? [rare, middle, 2 * share] : [middle, frequent, 2 * share - 1];
  return from.map((x, k) => Math.round(x + part * (to[k] - x)));
}

// A column reaches half way to its neighbors.
function columnOf(steps, k) {
  const before = k > 0 ? (steps[k] - steps[k - 1]) / 2 : null;
  const after = k + 1 < steps.length ? (steps[k + 1] - steps[k]) / 2 : null;
  return { from: steps[k] - (before ?? after ?? 0.5), to: steps[k] + (after ?? before ?? 0.5) };
}
