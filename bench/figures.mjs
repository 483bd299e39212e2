/** Returns the value at this percentile, which is given as a share from 0 to 1. */
export function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function median(values) {
  return percentile(values, 0.5);
}
