/** Ascending offsets in a growing list: four bytes for each. */
export class Offsets {
  #list = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(offset: number): void {
    if (this.#length === this.#list.length) {
      const longer = new Uint32Array(this.#length * 2);
      longer.set(this.#list);
      this.#list = longer;
    }
    this.#list[this.#length++] = offset;
  }

  /** The one at an index; 0 where there is none. */
  at(index: number): number {
    return index < this.#length ? (this.#list[index] ?? 0) : 0;
  }

  /** The index of the first that is not below an offset; the length where all are. */
  lowest(offset: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#list[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
