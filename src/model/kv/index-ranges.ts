/** Indices from the first number up to, but not including, the second number. */
export type IndexRange = readonly [from: number, to: number];

/** A set of indices, stored as the fewest possible ranges, sorted and disjoint. */
export class IndexRanges {
  readonly #ranges: IndexRange[] = [];

  constructor(ranges: Iterable<IndexRange> = []) {
    for (const range of ranges) this.add(range);
  }

  /** Adds a range, which may overlap or touch existing ranges. An empty range changes nothing. */
  add([from, to]: IndexRange): void {
    if (from >= to) return;
    const first = this.#ranges.findIndex((range) => range[1] >= from);
    if (first === -1) {
      this.#ranges.push([from, to]);
      return;
    }
    let last = first;
    while (last < this.#ranges.length && (this.#ranges[last]?.[0] ?? to) <= to) last++;
    const touched = this.#ranges.slice(first, last);
    const merged: IndexRange = [
      Math.min(from, touched[0]?.[0] ?? from),
      Math.max(to, touched.at(-1)?.[1] ?? to),
    ];
    this.#ranges.splice(first, last - first, merged);
  }

  has(index: number): boolean {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.[1] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return (this.#ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= index;
  }

  /** The number of indices in the set. */
  get count(): number {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  toArray(): IndexRange[] {
    return [...this.#ranges];
  }
}
