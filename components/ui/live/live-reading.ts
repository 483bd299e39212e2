import { isScarce } from '../../../src/model/budget.ts';
import type { World } from '../../../src/world.ts';
import type { Pulse } from '../../kit/pulse.ts';

/** Milliseconds between two readings of one request each; multiplied by the number of requests. */
const intervalMs = 5000;

/**
 * Factors for the interval while less than half of the request budget is left, and while the budget is scarce and nothing is
 * read.
 */
const slowdown = { half: 3, scarce: 6 };

interface LiveOptions {
  readonly world: Pick<World, 'sleep'>;
  readonly pulse?: Pick<Pulse, 'requestsLeft'> | undefined;
  /** Returns the approximate number of requests per reading. */
  cost(): number;
  /** Starts a reading; `follow` must be called after it. */
  read(): void;
  /** Called when `words` has changed. */
  changed(): void;
}

/**
 * Rereads the displayed data repeatedly at the user's request. It waits between readings, longer if they are large or few
 * requests are left. While the pane is hidden or busy, nothing is read and no timer runs.
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

  /** The state for the header; empty while it is off. */
  get words(): string {
    if (!this.#isOn) return '';
    return this.#isResting ? 'live, saving requests' : 'live';
  }

  /** Starts or pauses. */
  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#isResting = false;
    this.#options.changed();
  }

  /** Pauses if it is on. */
  pause(): void {
    if (this.#isOn) this.toggle();
  }

  /** Schedules the next reading if one is allowed now; otherwise cancels it. */
  follow(mayRead: boolean): void {
    if (!this.#isOn || !mayRead) this.stop();
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
      .sleep(intervalMs * this.#options.cost() * this.#slowdown(), wait.signal)
      .then(() => this.#wait === wait && this.#readNow())
      .catch(() => undefined);
  }

  #readNow(): void {
    this.#wait = undefined;
    const budget = this.#options.pulse?.requestsLeft();
    const isScarceNow = budget !== undefined && isScarce(budget);
    const isOther = isScarceNow !== this.#isResting;
    this.#isResting = isScarceNow;
    if (isScarceNow) this.#begin();
    else this.#options.read();
    if (isOther) this.#options.changed();
  }

  #slowdown(): number {
    const budget = this.#options.pulse?.requestsLeft();
    if (budget === undefined) return 1;
    if (isScarce(budget)) return slowdown.scarce;
    return budget.left < budget.of / 2 ? slowdown.half : 1;
  }
}
