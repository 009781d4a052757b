// The title and the legend of a chart in a picture that is saved; on the page, they are elements.
import { isFilled, markerPath } from "./markers.js";
import { escaped, fixed } from "../../../../pages/parts/svg.js";

const BASE = 15; // pixels from the top to the base line of the text
const SAMPLE = 22; // pixels
const LEGEND_FONT = 'font-family="system-ui, sans-serif"';

// Where the entries of a legend stand behind the title, as many as there is room for; `widthOf(text)` is in pixels.
export function legendPlaces(entries, title, width, widthOf) {
  const places = [];
  let x = 8 + widthOf(title) * 1.12 + 14;
  for (const [sample, text] of entries) {
    const whole = (sample ? SAMPLE + 5 : 0) + widthOf(text) + 10;
    if (x + whole > width) break;
    places.push({ x, sample, text, textX: x + (sample ? SAMPLE + 5 : 0) });
    x += whole;
  }
  return places;
}

export function paintLegend(context, entries, title, width, theme) {
  context.font = "12.5px system-ui, sans-serif";
  context.textAlign = "left";
  for (const { x, sample, text, textX } of legendPlaces(entries, title, width, (word) => context.measureText(word).width)) {
    if (sample) paintSample(context, x, sample, theme);
    context.fillStyle = theme.soft;
    context.fillText(text, textX, BASE);
  }
  context.fillStyle = theme.ink;
  context.font = "600 13px system-ui, sans-serif";
  context.fillText(title, 8, BASE);
}

function paintSample(context, x, { stroke, marker }, theme) {
  context.strokeStyle = colorOf(stroke, theme);
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, BASE - 4);
  context.lineTo(x + SAMPLE, BASE - 4);
  context.stroke();
  if (marker === null) return;
  context.save();
  context.translate(x + SAMPLE / 2, BASE - 4);
  const path = new Path2D(markerPath(marker));
  context.fillStyle = isFilled(marker) ? context.strokeStyle : theme.paper;
  context.lineWidth = 1.4;
  context.fill(path);
  context.stroke(path);
  context.restore();
}

export function legendSvg(entries, title, width, theme) {
  const parts = legendPlaces(entries, title, width, (word) => 7 * word.length).map(({ x, sample, text, textX }) => (sample ? sampleSvg(x, sample, theme) : "")
    + `<text x="${fixed(textX)}" y="${BASE}" ${LEGEND_FONT} font-size="12.5" fill="${theme.soft}">${escaped(text)}</text>`);
  return `<text x="8" y="${BASE}" ${LEGEND_FONT} font-size="13" font-weight="600" fill="${theme.ink}">${escaped(title)}</text>${parts.join("")}`;
}

function sampleSvg(x, { stroke, marker }, theme) {
  const color = colorOf(stroke, theme);
  const line = `<path d="M${fixed(x)} ${BASE - 4}h${SAMPLE}" stroke="${color}" stroke-width="2"/>`;
  if (marker === null) return line;
  return line + `<path transform="translate(${fixed(x + SAMPLE / 2)} ${BASE - 4})" d="${markerPath(marker)}" stroke="${color}" stroke-width="1.4" fill="${isFilled(marker) ? color : theme.paper}"/>`;
}

// The markers of series have the color of the text where colors are runs.
function colorOf(stroke, theme) {
  return stroke === "currentColor" ? theme.soft : stroke;
}
