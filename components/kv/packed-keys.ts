import type { KeyEntry } from '../../src/model/kv/kv.ts';
import { type Joined, joinTexts, textAt } from '../../src/text/search/joined.ts';
import type { Chunk } from '../ui/lists/rows.ts';

/** Stores keys in less than a third of the memory that objects need, and creates each object on demand. */
export function packKeys(entries: readonly KeyEntry[]): Chunk<KeyEntry> {
  return new PackedKeys(entries);
}

/** Number of unpacked keys in the cache: more than a screen shows. */
const maxUnpacked = 128;

class PackedKeys implements Chunk<KeyEntry> {
  readonly length: number;
  readonly joined: Joined;
  /** Expiry times in UNIX seconds, NaN for a key that does not expire; undefined if no key expires. */
  readonly #expirations: Float64Array | undefined;
  /** Metadata as JSON, empty for a key without metadata; undefined if no key has metadata. */
  readonly #metadata: Joined | undefined;
  readonly #made = new Map<number, KeyEntry>();

  constructor(entries: readonly KeyEntry[]) {
    this.length = entries.length;
    this.joined = joinTexts(entries.map(({ name }) => name));
    const expires = entries.some(({ expiration }) => expiration !== undefined);
    this.#expirations = expires
      ? Float64Array.from(entries, ({ expiration }) => expiration ?? Number.NaN)
      : undefined;
    const texts = entries.map(({ metadata }) => (metadata === undefined ? '' : JSON.stringify(metadata)));
    this.#metadata = texts.some((text) => text !== '') ? joinTexts(texts) : undefined;
  }

  /**
   * Returns the same object for each visible row until the cache is full: code that follows the selection treats a new object as a change.
   */
  at(index: number): KeyEntry | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const known = this.#made.get(index);
    if (known !== undefined) return known;
    if (this.#made.size >= maxUnpacked) this.#made.clear();
    const entry = this.#make(index);
    this.#made.set(index, entry);
    return entry;
  }

  #make(index: number): KeyEntry {
    const expiration = this.#expirations?.[index];
    const metadata = this.#metadata === undefined ? '' : textAt(this.#metadata, index);
    return {
      name: textAt(this.joined, index),
      ...(expiration !== undefined && !Number.isNaN(expiration) && { expiration }),
      ...(metadata !== '' && { metadata: JSON.parse(metadata) as unknown }),
    };
  }

  *[Symbol.iterator](): Generator<KeyEntry> {
    for (let index = 0; index < this.length; index++) yield this.#make(index);
  }
}
