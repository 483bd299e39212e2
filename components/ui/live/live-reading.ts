import { isScarce } from '../../../src/model/budget.ts';
import type { World } from '../../../src/world.ts';
import type { Pulse } from '../../kit/pulse.ts';

/** Milliseconds between two readings that take a request each. One that takes more waits longer. */
const interval = 5000;

/** How much longer it waits while less than half of the budget is left, and while it reads nothing at all. */
const thrift = { half: 3, scarce: 6 };

interface LiveOptions {
  readonly world: Pick<World, 'sleep'>;
  readonly pulse?: Pick<Pulse, 'requestsLeft'> | undefined;
  /** Requests that a reading takes, about. */
  cost(): number;
  /** Reads again, and calls `follow` when it has come. */
  read(): void;
  /** There are other words to draw. */
  told(): void;
}

/**
 * Reads what is on the screen again and again, once the reader has asked for that. It waits between readings, longer where
 * they are large or few requests are left; none is made, and no timer runs, while the pane is not seen or has something else to do.
 */
export class LiveReading {
  readonly #options: LiveOptions;
  #isOn = false;
  #isResting = false;
  #wait: AbortController | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** For the header; empty while it is off. */
  get words(): string {
    if (!this.#isOn) return '';
    return this.#isResting ? 'live, saving requests' : 'live';
  }

  /** Begins, or pauses. */
  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#isResting = false;
    this.#options.told();
  }

  /** Pauses, whether it is on or not. */
  pause(): void {
    if (this.#isOn) this.toggle();
  }

  /** Waits for the next reading, where one may be made now; else for nothing. */
  follow(may: boolean): void {
    if (!this.#isOn || !may) this.stop();
    else if (this.#wait === undefined) this.#begin();
  }

  stop(): void {
    this.#wait?.abort();
    this.#wait = undefined;
  }

  #begin(): void {
    const wait = new AbortController();
    this.#wait = wait;
    this.#options.world
      .sleep(interval * this.#options.cost() * this.#thrift(), wait.signal)
      .then(() => this.#wait === wait && this.#go())
      .catch(() => undefined);
  }

  #go(): void {
    this.#wait = undefined;
    const budget = this.#options.pulse?.requestsLeft();
    const rests = budget !== undefined && isScarce(budget);
    const isOther = rests !== this.#isResting;
    this.#isResting = rests;
    if (rests) this.#begin();
    else this.#options.read();
    if (isOther) this.#options.told();
  }

  #thrift(): number {
    const budget = this.#options.pulse?.requestsLeft();
    if (budget === undefined) return 1;
    if (isScarce(budget)) return thrift.scarce;
    return budget.left < budget.of / 2 ? thrift.half : 1;
  }
}
