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
    placeBeside(box, left, top, bounds);
  });
}

function rowOf({ line, value, raw, isNearest }) {
  const text = numberText(value) + (raw === null ? "" : ` (${numberText(raw)})`);
  return element("div", { class: isNearest ? "row nearest" : "row" }, swatch(line), element("span", {}, line.label), element("span", {}, text));
}

// Right of the pointer, or left of it where there is no room on the screen.
function placeBeside(box, left, top, bounds) {
  const { width, height } = box.getBoundingClientRect();
  const isRight = bounds.left + left + 14 + width < document.documentElement.clientWidth - 4;
  const x = isRight ? left + 14 : Math.max(4 - bounds.left, left - 14 - width);
  const y = Math.min(top + 10, document.documentElement.clientHeight - 4 - height - bounds.top);
  Object.assign(box.style, { left: `${x}px`, top: `${y}px` });
}
