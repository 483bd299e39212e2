import { findAttention } from '../../src/model/hostnames/attention.ts';
import { toOutcome } from '../../src/model/hostnames/list.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameService } from '../../src/services/console/hostnames.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { requireService } from '../kit/require-service.ts';
import type { Run } from '../kit/runs.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { RowChange } from '../ui/lists/paged-list.ts';

/** The rows that a pane watches. */
interface Watched {
  readonly zone: Zone;
  /** The rows on the screen; empty while the pane is hidden. */
  rows(): readonly (HostnameRow | undefined)[];
  /** Handles the rows that were read, and returns whether any row has changed. */
  found(changes: readonly RowChange<HostnameRow>[]): boolean;
  run(run: Run<readonly RowChange<HostnameRow>[]>): void;
  /** Advice for the user after the watch has failed: `Press r to reload.` */
  readonly way: string;
}

interface WatchParts extends Pick<PaneParts, 'live' | 'notify'> {
  readonly services: Pick<Services, 'hostnames'>;
}

/** Polls the in-progress rows of a pane. The intervals get longer while no row changes. */
export class Watch {
  readonly #watched: Watched;
  readonly #service: HostnameService;
  readonly #notify: PaneParts['notify'];
  readonly #live: PaneParts['live'];
  /** Number of reads since the last restart. */
  #count = 0;
  /** Number of consecutive reads without a change. */
  #quiet = 0;
  #hasFailed = false;
  /** The number of earlier reads, followed by the ids that the timer will read, separated by spaces; empty if no timer is set. */
  #awaited = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: WatchParts, watched: Watched) {
    this.#service = requireService(parts, 'hostnames');
    this.#notify = parts.notify;
    this.#live = parts.live;
    this.#watched = watched;
  }

  /** Restarts the watch whenever automatic refreshing is turned on or off, until the returned function is called. */
  open(): () => void {
    const unsubscribe = this.#live.subscribe(() => this.restart());
    return () => {
      unsubscribe();
      this.stop();
    };
  }

  /** Sets the timer for the rows in progress, unless it is already set. Does nothing after a failure, or while refreshing is paused. */
  follow(): void {
    const ids =
      this.#hasFailed || this.#live.state !== 'on' ? [] : idsToRead(this.#watched.rows(), this.#count);
    const awaited = ids.length === 0 ? '' : [this.#count, ...ids].join(' ');
    if (awaited === this.#awaited) return;
    this.stop();
    this.#awaited = awaited;
    if (ids.length > 0) this.#timer = setTimeout(() => this.#read(ids), this.#service.pause(this.#quiet));
  }

  /** Restarts the watch at short intervals, even after a failure. */
  restart(): void {
    this.#count = 0;
    this.#quiet = 0;
    this.#hasFailed = false;
    this.follow();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#awaited = '';
  }

  #read(ids: readonly string[]): void {
    const { zone, run, found, way } = this.#watched;
    run({
      name: 'watch',
      work: (signal) => this.#service.readAgain(zone.id, ids, signal),
      done: (changes) => {
        this.#quiet = found(changes) ? 0 : this.#quiet + 1;
        this.#count++;
        this.follow();
      },
      failed: (problem) => {
        this.#hasFailed = true;
        this.follow();
        this.#notify(`No longer live: ${problem.message} ${way}`, 'failed');
      },
    });
  }
}

/** Returns whether a row differs from the previous row: in the record, or in the state derived from the record and the time. */
export function isNews(before: HostnameRow | undefined, now: HostnameRow | undefined): boolean {
  return JSON.stringify(toShown(before)) !== JSON.stringify(toShown(now));
}

/** Returns the parts of a row to compare: a row counts as changed if any of these parts differs. */
export function toShown(row: HostnameRow | undefined) {
  return row && { ...row, readAt: undefined, attention: findAttention(row) };
}

/**
 * Number of rows to read together. At the shortest interval, reading four rows uses half of the platform's rate limit, which applies to
 * periods of five minutes.
 */
const rowsAtOnce = 4;

/** Returns the ids of the pending rows to read next, at most `rowsAtOnce`. Later reads get the ids of the other pending rows in turn. */
export function idsToRead(rows: readonly (HostnameRow | undefined)[], readings: number): readonly string[] {
  const waiting = rows.flatMap((row) =>
    row === undefined || toOutcome(row.record) !== 'waiting' ? [] : row.record.id,
  );
  if (waiting.length <= rowsAtOnce) return waiting;
  const first = (readings * rowsAtOnce) % waiting.length;
  return [...waiting, ...waiting].slice(first, first + rowsAtOnce);
}
