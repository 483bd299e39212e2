/** Bits of the filter for each byte of input: an entry takes 20 bytes or more, so it has few false alarms. */
const bitsPerInputByte = 1 / 4;
const fewestBits = 2 ** 20;
const mostBits = 2 ** 29;

/**
 * Finds the last occurrence of each key of an input that is read twice, in little memory: a filter of one bit a key
 * (128 kB to 64 MB, by the size of the input) tells which keys may have been seen before, and only those are kept.
 * A false alarm costs memory, never an entry: kept keys are compared as they are.
 */
export class LastOccurrences {
  readonly #filter: Uint32Array;
  readonly #mask: number;
  readonly #last = new Map<string, number>();

  /** `inputBytes` is the size of the input, a guess is enough. */
  constructor(inputBytes: number) {
    const wanted = Math.min(Math.max(inputBytes * bitsPerInputByte, fewestBits), mostBits);
    const bits = 2 ** Math.ceil(Math.log2(wanted));
    this.#filter = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
  }

  /** Notes that the entry at `index` has this key. Indices ascend. */
  see(key: string, index: number): void {
    const bit = hash(key) & this.#mask;
    const word = bit >>> 5;
    const flag = 1 << (bit & 31);
    const before = this.#filter[word] ?? 0;
    if ((before & flag) === 0) this.#filter[word] = before | flag;
    else this.#last.set(key, index);
  }

  /** Whether no entry behind `index` has this key. To be asked when all entries have been seen. */
  isLast(key: string, index: number): boolean {
    const last = this.#last.get(key);
    return last === undefined || last === index;
  }
}

/** FNV-1a over UTF-16 units, with its bits mixed once more so that the low ones are as good as the high ones. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
