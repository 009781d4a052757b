// A sample of a line, as it is drawn: its color, its dashes, its marker.
import { svgElement } from "../../../../pages/parts/dom.js";
import { isFilled, markerPath } from "./markers.js";

export function swatch({ stroke, dash, marker = null }) {
  const picture = svgElement("svg", { class: "swatch", viewBox: "0 0 30 12", "aria-hidden": "true" });
  picture.append(svgElement("path", { d: "M0 6H30", stroke, "stroke-width": 2.4, "stroke-dasharray": (dash ?? []).join(" ") }));
  if (marker !== null) picture.append(svgElement("path", { d: markerPath(marker), transform: "translate(15 6)", stroke, "stroke-width": 1.4, fill: isFilled(marker) ? stroke : "var(--paper)" }));
  return picture;
}
