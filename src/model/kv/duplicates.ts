/** Bits of the filter for each entry: one entry of 32 is a false alarm at the end of an input as long as expected. */
const bitsPerEntry = 16;
const fewestBits = 2 ** 17;
const maxBits = 2 ** 29;

/** Entries after which the length of an input is judged. */
const sampleEntries = 4096;

/**
 * Finds the last occurrence of each key of an input that is read twice, in little memory: a filter of 16 bits per entry
 * (maximum 64 MB) says which keys may have been seen before, and only those are stored. A false alarm costs memory, never an
 * entry: stored keys are compared exactly.
 */
export class LastOccurrences {
  readonly #expected: (seen: number) => number;
  #filter = new Uint32Array(fewestBits / 32);
  #mask = fewestBits - 1;
  readonly #last = new Map<string, number>();
  /** The first keys, until the filter has its size. */
  #sample: [key: string, index: number][] | undefined = [];

  /** `expected` estimates the number of entries from the number seen so far: some thousand. */
  constructor(expected: (seen: number) => number) {
    this.#expected = expected;
  }

  /** Notes that the entry at `index` has this key. Indices ascend. */
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

  /** Whether no later entry has this key. Valid after all entries have been seen. */
  isLast(key: string, index: number): boolean {
    const last = this.#last.get(key);
    return last === undefined || last === index;
  }

  /** Gives the filter its size, and enters the keys seen so far, but for the last, which the caller enters. */
  #grow(sample: readonly [key: string, index: number][]): void {
    const wanted = Math.min(Math.max(this.#expected(sample.length) * bitsPerEntry, fewestBits), maxBits);
    const bits = 2 ** Math.ceil(Math.log2(wanted));
    this.#sample = undefined;
    this.#filter = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
    for (const [key, index] of sample.slice(0, -1)) this.see(key, index);
  }
}

/** FNV-1a over UTF-16 units, with its bits mixed again so that the low ones are as good as the high ones. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
