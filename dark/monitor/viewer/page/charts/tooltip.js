// The values at the pointer: a box beside it with a row for each line, the nearest one in bold.
import { element } from "../../../../pages/parts/dom.js";
import { nearestIndex } from "../cursor.js";
import { numberText } from "../../../../pages/parts/numbers.js";
import { swatch } from "./swatch.js";

const MOST_ROWS = 16;

// The values of lines at a position: each with its distance in pixels from `y`, sorted from high to low.
export function valuesAt(lines, x, toY, y) {
  const rows = lines.filter(({ isRaw, steps }) => !isRaw && steps.length).map((line) => {
    const at = nearestIndex(line.steps, x);
    const value = line.values[at];
    return { line, x: line.steps[at], value, raw: line.unsmoothed?.[at] ?? null, distance: Number.isFinite(value) ? Math.abs(toY(value) - y) : Infinity };
  });
  const least = Math.min(...rows.map(({ distance }) => distance));
  return rows.map((row) => ({ ...row, isNearest: row.distance === least && rows.length > 1 })).sort((a, b) => (Number.isFinite(b.value) ? b.value : -Infinity) - (Number.isFinite(a.value) ? a.value : -Infinity));
}

// Show the values while the pointer is over a chart; they are read out by the table at the cursor, not from here.
export function addTooltip(chart, xText) {
  const { plot } = chart;
  const { over } = plot;
  const box = element("div", { class: "tooltip", hidden: true, "aria-hidden": "true" });
  over.append(box);
  over.addEventListener("mouseleave", () => { box.hidden = true; });
  over.addEventListener("mousemove", (event) => {
    const bounds = over.getBoundingClientRect();
    const left = event.clientX - bounds.left, top = event.clientY - bounds.top;
    const rows = valuesAt(chart.lines, plot.posToVal(left, "x"), (value) => plot.valToPos(value, "y"), top);
    if (rows.length === 0) return;
    const nearest = rows.find(({ isNearest }) => isNearest) ?? rows[0];
    const seen = rows.length > MOST_ROWS ? rows.filter((row, k) => k < MOST_ROWS - 1 || row === nearest) : rows;
    box.replaceChildren(element("strong", {}, xText(nearest.x)), ...seen.map(rowOf), ...(seen.length < rows.length ? [element("div", {}, `and ${rows.length - seen.length} more`)] : []));
    box.hidden = false;
    placeBeside(box, event.clientX, event.clientY);
  });
}

function rowOf({ line, value, raw, isNearest }) {
  const text = numberText(value) + (raw === null ? "" : ` (${numberText(raw)})`);
  return element("div", { class: isNearest ? "row nearest" : "row" }, swatch(line), element("span", {}, line.label), element("span", {}, text));
}

// Right of the pointer, or left of it where there is no room on the screen. The box is fixed, so that no chart cuts it;
// its origin may be that of a cell of the notebook, and is measured.
function placeBeside(box, left, top) {
  Object.assign(box.style, { left: "0px", top: "0px" });
  const origin = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = left + 14 + origin.width < clientWidth - 4 ? left + 14 : Math.max(4, left - 14 - origin.width);
  const y = Math.max(4, Math.min(top + 10, clientHeight - 4 - origin.height));
  Object.assign(box.style, { left: `${x - origin.left}px`, top: `${y - origin.top}px` });
}
