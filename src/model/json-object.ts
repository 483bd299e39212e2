/** Returns whether a parsed value is a JSON object, and not null or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats JSON with the members of each object sorted by name, so that equal values have equal strings. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (!isObject(inner)) return inner;
    const members = Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(members);
  });
}
