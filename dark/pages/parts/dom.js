// Small helpers for elements, and the colors of the page for what is painted on canvas.

// Make an element: attributes that begin with "on" are listeners, null and false are left out, true is an empty string.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function svgElement(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

const PARTS = { paper: "--paper", ink: "--ink", soft: "--soft", line: "--line", grid: "--grid", accent: "--accent" };

// The colors of the page as it is now, light or dark.
export function themeOf(root) {
  const probe = element("span", { style: "display:none" });
  root.append(probe);
  const theme = Object.fromEntries(Object.entries(PARTS).map(([name, variable]) => {
    probe.style.color = `var(${variable})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
  const [r, g, b] = theme.paper.match(/[\d.]+/g).map(Number);
  return { ...theme, isDark: r + g + b < 384 };
}

export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function fileName(text, suffix) {
  return `${text.replace(/[^\w.=-]+/g, "_").replace(/^_+|_+$/g, "") || "dark"}.${suffix}`;
}
