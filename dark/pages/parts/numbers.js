// Numbers as text, statistics of arrays, and the symmetric logarithm.

// At least four significant digits: 0.00012 stays 0.00012, and 12345.6 becomes 12346.
export function numberText(x, digits = 5) {
  if (x === undefined || x === null) return "–";
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
  const size = Math.abs(x);
  const isPlain = size === 0 || (size >= 1e-4 && size < 1e6) || (Number.isInteger(x) && size < 1e9);
  const isWhole = Number.isInteger(x) && isPlain;
  const text = isWhole ? String(x) : isPlain ? String(Number(x.toPrecision(digits))) : shortExponent(x, digits);
  return text.replace(/-/g, "−");
}

function shortExponent(x, digits) {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${Number(exponent)}`;
}

export function shapeText(shape) {
  return shape.length === 0 ? "a single number" : shape.join(" × ");
}

const LETTER = 7.2; // pixels of a letter of 12.5 pixels, about

// A text in lines of at most a width in pixels, broken between its parts, which " · " and "  |  " separate.
export function brokenLines(text, width) {
  const most = Math.max(12, Math.floor(width / LETTER));
  const lines = [];
  for (const part of text.split(/(?<= · |  \|  )/)) {
    if (lines.length && (lines.at(-1) + part).trimEnd().length <= most) lines[lines.length - 1] += part;
    else lines.push(part);
  }
  return lines.map((line) => line.replace(/( ·|  \|)\s*$/, "").trim());
}

// Values between -threshold and threshold are nearly linear, larger ones logarithmic.
export function symlog(x, threshold) {
  return Math.asinh(x / threshold);
}

export function inverseSymlog(y, threshold) {
  return Math.sinh(y) * threshold;
}

// A power of ten, three to four decades below the largest magnitude: what is larger is drawn logarithmically.
export function linearBelow(low, high) {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  return Number.isFinite(largest) && largest > 0 ? 10 ** Math.floor(Math.log10(largest / 1000)) : 1;
}

// Zero and the powers of ten between two ends; where these are too few, five values between the ends.
export function symlogTicks(low, high, threshold) {
  const ticks = [0];
  for (let tick = threshold * 10; tick <= Math.max(Math.abs(low), Math.abs(high)) * 1.000001; tick *= 10) ticks.push(tick, -tick);
  const inside = ticks.filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
  if (inside.length > 2) return inside;
  const from = symlog(low, threshold), to = symlog(high, threshold);
  return [0, 1, 2, 3, 4].map((k) => Number(inverseSymlog(from + ((to - from) * k) / 4, threshold).toPrecision(2)));
}

// The extremes and the mean of the finite values, and how many values are not finite.
export function statisticsOf(values) {
  let low = Infinity, high = -Infinity, sum = 0, squares = 0, finite = 0, nan = 0, infinite = 0;
  for (const value of values) {
    if (Number.isFinite(value)) {
      finite += 1;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    } else if (Number.isNaN(value)) nan += 1;
    else infinite += 1;
  }
  const mean = finite ? sum / finite : NaN;
  for (const value of values) if (Number.isFinite(value)) squares += (value - mean) ** 2;
  return { low: finite ? low : NaN, high: finite ? high : NaN, mean, std: Math.sqrt(squares / finite), nan, infinite };
}

export function statisticsText({ low, high, mean, std, nan, infinite }) {
  if (Number.isNaN(low)) return `no finite value${nan ? `, ${nan} NaN` : ""}${infinite ? `, ${infinite} infinite` : ""}`;
  const parts = low === high ? [`all ${numberText(low)}`] : [`min ${numberText(low)}`, `max ${numberText(high)}`, `mean ${numberText(mean)}`, `std ${numberText(std)}`];
  if (nan) parts.push(`${nan} NaN`);
  if (infinite) parts.push(`${infinite} infinite`);
  return parts.join(" · ");
}
