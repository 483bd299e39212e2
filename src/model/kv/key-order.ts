/**
 * Compares keys by their UTF-8 bytes, which is the order of listings. Negative if `a` comes first. JavaScript's `<` differs: it sorts
 * characters above U+FFFF (surrogates in UTF-16) before U+E000 to U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Returns the sort rank of a UTF-16 unit. Surrogates come after all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
