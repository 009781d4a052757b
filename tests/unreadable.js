// List the visible texts of a page whose contrast with what lies behind them is below a limit (WCAG 2.2).
(least) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = {};
  function rgba(color) {
    if (known[color]) return known[color];
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    known[color] = [...canvas.getImageData(0, 0, 1, 1).data];
    return known[color];
  }
  const over = ([r, g, b, a], below) => [r, g, b].map((v, i) => (v * a + below[i] * (255 - a)) / 255).concat(255);
  function luminance(color) {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = color.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function ancestors(element) {
    const found = [];
    for (; element; element = element.parentElement) found.push(getComputedStyle(element));
    return found;
  }
  const skipped = "svg, script, style, noscript, title, math, .copy";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest(skipped)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const styles = ancestors(element);
    const grounds = styles.map((style) => rgba(style.backgroundColor));
    const first = grounds.findIndex((color) => color[3] === 255);
    const layers = first < 0 ? [[255, 255, 255, 255], ...grounds.reverse()] : grounds.slice(0, first + 1).reverse();
    const ground = layers.reduce((below, top) => over(top, below));
    const opacity = styles.reduce((product, style) => product * Number(style.opacity), 1);
    const [r, g, b, a] = rgba(styles[0].color);
    const [ink, paper] = [luminance(over([r, g, b, a * opacity], ground)), luminance(ground)];
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < least) found.push(`${contrast.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} in ${element.className}`);
  }
  return found.slice(0, 10);
}
