import { compareKeys } from '../../../model/kv/key-order.ts';
import type { KeyEntry } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';

/** A key that exists in one or both of two listings. */
export interface Pair {
  readonly name: string;
  readonly left?: KeyEntry | undefined;
  readonly right?: KeyEntry | undefined;
}

type Pages = AsyncIterable<readonly KeyEntry[]>;

/**
 * Merges two listings in the order of their keys; keeps one page of each listing in memory. Throws if a listing is not sorted by UTF-8
 * bytes, because existing keys would appear to be missing.
 */
export async function* mergeListings(left: Pages, right: Pages): AsyncGenerator<Pair[]> {
  const a = new Cursor(left);
  const b = new Cursor(right);
  for (;;) {
    const more = [await a.fill(), await b.fill()];
    if (!more.includes(true)) return;
    const pairs: Pair[] = [];
    while (a.isReady && b.isReady) pairs.push(nextPair(a, b));
    yield pairs;
  }
}

function nextPair(a: Cursor, b: Cursor): Pair {
  const [one, other] = [a.peek(), b.peek()];
  const order = one === undefined ? 1 : other === undefined ? -1 : compareKeys(one.name, other.name);
  const left = order <= 0 ? a.take() : undefined;
  const right = order >= 0 ? b.take() : undefined;
  return { name: (left ?? right)?.name ?? '', left, right };
}

/** A position in a listing. */
class Cursor {
  readonly #pages: AsyncIterator<readonly KeyEntry[]>;
  #page: readonly KeyEntry[] = [];
  #at = 0;
  #ended = false;
  #last: string | undefined;

  constructor(pages: Pages) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Fetches pages until an entry is available or the listing ends. Returns whether an entry is available. */
  async fill(): Promise<boolean> {
    while (this.#at >= this.#page.length && !this.#ended) {
      const next = await this.#pages.next();
      if (next.done === true) this.#ended = true;
      else this.#page = this.#ordered(next.value);
      this.#at = 0;
      if (this.#ended) this.#page = [];
    }
    return this.#at < this.#page.length;
  }

  /** Whether the next entry, or the end of the listing, is known without a request. */
  get isReady(): boolean {
    return this.#ended || this.#at < this.#page.length;
  }

  peek(): KeyEntry | undefined {
    return this.#page[this.#at];
  }

  take(): KeyEntry | undefined {
    const entry = this.peek();
    this.#at++;
    return entry;
  }

  #ordered(page: readonly KeyEntry[]): readonly KeyEntry[] {
    for (const { name } of page) {
      if (this.#last !== undefined && compareKeys(this.#last, name) >= 0) {
        throw new Problem('refused', 'The platform lists keys out of order, so they cannot be compared.');
      }
      this.#last = name;
    }
    return page;
  }
}
