import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes that young objects may have before no more room is made for them. V8 itself goes to 134 MB. */
const mostYoung = 8_000_000;

/**
 * Keeps the heap near to what is in it while the console stands. Each frame leaves some hundred kilobytes behind that nothing
 * refers to, and V8 lets 130 MB of that lie among young objects and as much among old ones before it looks. Costs a third
 * more CPU while a million rows come, and nothing that can be measured else.
 */
export class HeapBound {
  #isTight = false;
  #mayGrow = true;

  /** To be called after each frame: what V8 needs until the first one is not bounded, and how much is young changes. */
  readonly look = (): void => {
    if (!this.#isTight) setFlagsFromString('-heap-growing-percent=50');
    this.#isTight = true;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    this.#letGrow((young?.space_size ?? 0) < mostYoung);
  };

  /** Sets the flags as they were: V8 takes no compiled code that was kept under others. */
  release(): void {
    this.#letGrow(true);
    setFlagsFromString('-heap-growing-percent=0');
    this.#isTight = false;
  }

  #letGrow(mayGrow: boolean): void {
    if (this.#mayGrow === mayGrow) return;
    this.#mayGrow = mayGrow;
    setFlagsFromString(`-semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }
}
