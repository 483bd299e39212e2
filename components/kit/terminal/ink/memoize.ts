/** Maximum number of cached strings: several screens full. */
const maxEntries = 4096;

/** Adds a cache to a pure function of a string, because successive frames contain nearly the same strings. */
export function memoize<T>(make: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(text, made);
    return made;
  };
}
