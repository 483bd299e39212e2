/** The value below which this share of the values lies. */
export function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The median. */
export function median(values) {
  return percentile(values, 0.5);
}
