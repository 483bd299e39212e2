/** The value below which this share of the others are. */
export function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The one in the middle. */
export function median(values) {
  return percentile(values, 0.5);
}
