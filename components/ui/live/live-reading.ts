import { isScarce } from '../../../src/model/budget.ts';
import type { World } from '../../../src/world.ts';
import type { LiveSwitch } from '../../kit/live-switch.ts';
import type { Pulse } from '../../kit/pulse.ts';

/** Milliseconds between two reads of one request each. For larger reads, the interval is multiplied by their number of requests. */
const intervalMs = 5000;

/** Maximum milliseconds of the interval, which doubles with each read that finds nothing new. */
const maxQuietMs = 40_000;

/** Maximum number of requests per read. Views that need more requests are not refreshed automatically. */
const maxCost = 60;

/** Milliseconds for which data still counts as live after the interval has passed, because a read takes time. */
const slackMs = 15_000;

/** Minimum milliseconds before an overdue read, so that a user who only passes through a pane causes no request. */
const minWaitMs = 250;

/**
 * Factors for the interval. `half`: less than half of the request budget is left. `scarce`: the budget is scarce, so nothing is read; the
 * factor determines when the budget is checked again.
 */
const slowdown = { half: 3, scarce: 6 };

/** The result of a read. */
export type ReadingResult = 'same' | 'changed' | 'failed';

/** The parts of the console on which refreshing depends. */
export interface LiveParts {
  readonly world: Pick<World, 'now' | 'sleep'>;
  readonly live: LiveSwitch;
  readonly pulse?: Pick<Pulse, 'requestsLeft'> | undefined;
}

interface LiveOptions extends LiveParts {
  /** Returns the approximate number of requests per read. */
  cost(): number;
  /** Returns the time at which the displayed data was read, in milliseconds; undefined if unknown. */
  readAt(): number | undefined;
  /** Starts a read, after which `ended` must be called. */
  read(): void;
  /** Called when `words` may have changed, and when old data counts as live again. */
  changed(): void;
}

/**
 * Rereads the displayed data repeatedly. The interval is longer if a read takes many requests or finds nothing new, and if few requests are
 * left. While reading is not allowed, for example because the pane is hidden or busy, no timer runs.
 */
export class LiveReading {
  readonly #options: LiveOptions;
  #isResting = false;
  #mayRead = false;
  #isReading = false;
  /** Number of consecutive reads that found nothing new. */
  #quietReadings = 0;
  /** Whether the displayed data was too old to count as live when the current read began. */
  #wasOld = false;
  /** When the last read ended, in milliseconds. */
  #endedAt: number | undefined;
  #wait: AbortController | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Follows the switch for automatic refreshing until the returned function is called. */
  open(): () => void {
    const unsubscribe = this.#options.live.subscribe(() => {
      this.#isResting = false;
      this.#quietReadings = 0;
      this.stop();
      this.follow(this.#mayRead);
      this.#options.changed();
    });
    return () => {
      unsubscribe();
      this.stop();
    };
  }

  /** The state for the header; empty if data is refreshed as usual. */
  get words(): string {
    const { state } = this.#options.live;
    if (state === 'paused') return 'paused';
    return state === 'on' && this.#isResting ? 'saving requests' : '';
  }

  /** The age below which data counts as live; undefined if the data is not being refreshed. */
  get liveForMs(): number | undefined {
    return this.#isOn ? this.#interval() + slackMs : undefined;
  }

  /** Schedules the next read if `mayRead` is true and refreshing is on; otherwise cancels a scheduled read. */
  follow(mayRead: boolean): void {
    this.#mayRead = mayRead;
    if (!this.#isOn || !mayRead || this.#isReading) this.stop();
    else if (this.#wait === undefined) this.#begin();
  }

  /** Records the end of a read, and schedules the next one. */
  ended(result: ReadingResult): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#endedAt = this.#options.world.now();
    this.#quietReadings = result === 'changed' ? 0 : this.#quietReadings + 1;
    if (this.#wasOld && result !== 'failed') this.#options.changed();
    this.follow(this.#mayRead);
  }

  /** Returns to short intervals. Must be called when something has changed. */
  restart(): void {
    this.#quietReadings = 0;
  }

  stop(): void {
    this.#wait?.abort();
    this.#wait = undefined;
  }

  get #isOn(): boolean {
    return this.#options.live.state === 'on' && this.#options.cost() <= maxCost;
  }

  #begin(): void {
    const wait = new AbortController();
    this.#wait = wait;
    this.#options.world
      .sleep(this.#waitMs(), wait.signal)
      .then(() => this.#wait === wait && this.#readNow())
      .catch(() => undefined);
  }

  /** Returns the milliseconds until the next read, which may be overdue because the pane was hidden. */
  #waitMs(): number {
    const last = Math.max(this.#options.readAt() ?? 0, this.#endedAt ?? 0);
    const interval = this.#interval();
    if (last === 0 || this.#isResting) return interval;
    return Math.max(minWaitMs, Math.min(interval, last + interval - this.#options.world.now()));
  }

  #readNow(): void {
    this.#wait = undefined;
    const budget = this.#options.pulse?.requestsLeft();
    const isScarceNow = budget !== undefined && isScarce(budget);
    const isOther = isScarceNow !== this.#isResting;
    this.#isResting = isScarceNow;
    if (isScarceNow) this.#begin();
    else {
      this.#isReading = true;
      this.#wasOld = this.#age() >= (this.liveForMs ?? 0);
      this.#options.read();
    }
    if (isOther) this.#options.changed();
  }

  #age(): number {
    return this.#options.world.now() - (this.#options.readAt() ?? 0);
  }

  #interval(): number {
    const base = intervalMs * this.#options.cost() * this.#slowdown();
    return Math.min(base * 2 ** Math.min(this.#quietReadings, 10), Math.max(base, maxQuietMs));
  }

  #slowdown(): number {
    const budget = this.#options.pulse?.requestsLeft();
    if (budget === undefined) return 1;
    if (isScarce(budget)) return slowdown.scarce;
    return budget.left < budget.of / 2 ? slowdown.half : 1;
  }
}
