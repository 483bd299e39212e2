/** JSON with the members of each object in the order of their names: equal values have the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const members = Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(members);
  });
}
