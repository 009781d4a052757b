// Smoothing: the exponential average of what is finite, corrected for its beginning, as `Statistic` does it.

// Return the averages; `weight` in [0, 1) is that of the past, and 0 changes nothing. What is not finite stays.
export function smoothed(values, weight) {
  if (!(weight > 0)) return values;
  let sum = 0, share = 0;
  return Float64Array.from(values, (value) => {
    if (!Number.isFinite(value)) return value;
    sum = weight * sum + (1 - weight) * value;
    share = weight * share + (1 - weight);
    return sum / share;
  });
}
