/** Maximum number of cached strings: several screens full. */
const most = 4096;

/** Adds a cache to a pure function of a string: successive frames contain nearly the same strings. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
