// The colors of the page as it is now, light or dark: those of its style sheet, and those of the boxes.
import { element, themeOf } from "../../../../pages/parts/dom.js";

export function themeAndColors(root, colorThemes) {
  const { jpThemeLight } = document.body.dataset;
  if (jpThemeLight) root.dataset.theme = jpThemeLight === "true" ? "light" : "dark";
  const theme = themeOf(root);
  const probe = element("span", { style: "display:none;color:var(--focus)" });
  root.append(probe);
  const focus = getComputedStyle(probe).color;
  probe.remove();
  return { theme, colors: { ...colorThemes[theme.isDark ? "dark" : "light"], paper: theme.paper, accent: theme.accent, focus } };
}

// Call a function when the page or the system changes its colors; returns what ends that.
export function watchColors(changed) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const attributes = new MutationObserver(changed);
  scheme.addEventListener("change", changed);
  for (const watched of [document.documentElement, document.body]) {
    attributes.observe(watched, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class", "style"] });
  }
  return () => {
    scheme.removeEventListener("change", changed);
    attributes.disconnect();
  };
}
