/** Number of filter bits per entry. By the end of the input, up to one entry in 16 is a false positive if the estimate is right. */
const bitsPerEntry = 16;
const fewestBits = 2 ** 17;
const maxBits = 2 ** 29;

/** Number of entries after which the length of the input is estimated. */
const sampleEntries = 4096;

/**
 * Finds the last occurrence of each key in an input that is read twice. Uses little memory. A filter of 16 bits per entry (maximum 64 MB)
 * detects keys that may have occurred before, and only these keys are stored. A false positive costs memory but never loses an entry,
 * because stored keys are compared exactly.
 */
export class LastOccurrences {
  readonly #expected: (seen: number) => number;
  #filter = new Uint32Array(fewestBits / 32);
  #mask = fewestBits - 1;
  readonly #last = new Map<string, number>();
  /** The first keys, kept until the filter is resized to its final size. */
  #sample: [key: string, index: number][] | undefined = [];

  /**
   * `expected` estimates the total number of entries, and is called after a few thousand entries with the number of entries seen so far.
   */
  constructor(expected: (seen: number) => number) {
    this.#expected = expected;
  }

  /** Records that the entry at `index` has this key. Indices ascend. */
  see(key: string, index: number): void {
    if (this.#sample !== undefined) {
      this.#sample.push([key, index]);
      if (this.#sample.length >= sampleEntries) this.#grow(this.#sample);
    }
    const bit = hash(key) & this.#mask;
    const word = bit >>> 5;
    const flag = 1 << (bit & 31);
    const before = this.#filter[word] ?? 0;
    if ((before & flag) === 0) this.#filter[word] = before | flag;
    else this.#last.set(key, index);
  }

  /** Returns whether no later entry has the same key. Valid only after all entries have been seen. */
  isLast(key: string, index: number): boolean {
    const last = this.#last.get(key);
    return last === undefined || last === index;
  }

  /** Resizes the filter and adds the keys seen so far, except the last one, which the caller adds. */
  #grow(sample: readonly [key: string, index: number][]): void {
    const wanted = Math.min(Math.max(this.#expected(sample.length) * bitsPerEntry, fewestBits), maxBits);
    const bits = 2 ** Math.ceil(Math.log2(wanted));
    this.#sample = undefined;
    this.#filter = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
    for (const [key, index] of sample.slice(0, -1)) this.see(key, index);
  }
}

/** Returns an FNV-1a hash over UTF-16 units. The bits are mixed again, so that low bits are distributed as evenly as high bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
