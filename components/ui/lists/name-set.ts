/** Names that are turned over before they are made one set with the others. */
const mostTurned = 1000;

/**
 * Names that never change in place. Turning one over copies no more than the last thousand that were, so that marking
 * row by row costs the same among ten and among a million.
 */
export class NameSet implements Iterable<string> {
  readonly #base: ReadonlySet<string>;
  /** Names that are in the set if they are not in the base, and the reverse. */
  readonly #turned: ReadonlySet<string>;
  readonly size: number;

  private constructor(base: ReadonlySet<string>, turned: ReadonlySet<string>, size: number) {
    this.#base = base;
    this.#turned = turned;
    this.size = size;
  }

  static of(names: Iterable<string> = []): NameSet {
    const base = new Set(names);
    return new NameSet(base, new Set(), base.size);
  }

  has(name: string): boolean {
    return this.#base.has(name) !== this.#turned.has(name);
  }

  /** The set with this name where it was without it, and without it where it was there. */
  turn(name: string): NameSet {
    const size = this.size + (this.has(name) ? -1 : 1);
    const turned = new Set(this.#turned);
    if (!turned.delete(name)) turned.add(name);
    const next = new NameSet(this.#base, turned, size);
    return turned.size <= mostTurned ? next : NameSet.of(next);
  }

  *[Symbol.iterator](): Generator<string> {
    for (const name of this.#base) if (!this.#turned.has(name)) yield name;
    for (const name of this.#turned) if (!this.#base.has(name)) yield name;
  }
}
