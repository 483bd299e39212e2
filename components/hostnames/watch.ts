import { attentionOf } from '../../src/model/hostnames/attention.ts';
import { outcomeOf } from '../../src/model/hostnames/list.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameService } from '../../src/services/console/hostnames.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { requireService } from '../kit/require-service.ts';
import type { Run } from '../kit/runs.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { RowChange } from '../ui/lists/paged-list.ts';

/** The rows that are watched for a pane. */
interface Watched {
  readonly zone: Zone;
  /** The rows on the screen; none while the pane is not. */
  rows(): readonly (HostnameRow | undefined)[];
  /** Takes what was read, and answers whether it is news. */
  found(changes: readonly RowChange<HostnameRow>[]): boolean;
  run(run: Run<readonly RowChange<HostnameRow>[]>): void;
  /** Advice to the reader after the watch has failed: `Press r to reload.` */
  readonly way: string;
}

interface WatchParts extends Pick<PaneParts, 'notify'> {
  readonly services: Pick<Services, 'hostnames'>;
}

/** Reads again and again what is in progress in a pane, at longer intervals while nothing new is found. */
export class Watch {
  readonly #watched: Watched;
  readonly #service: HostnameService;
  readonly #notify: PaneParts['notify'];
  /** Readings so far. */
  #count = 0;
  /** Readings in a row that found nothing new. */
  #quiet = 0;
  #hasFailed = false;
  /** Ids that the timer will read, behind the number of reads before; empty while it waits for none. */
  #awaited = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: WatchParts, watched: Watched) {
    this.#service = requireService(parts, 'hostnames');
    this.#notify = parts.notify;
    this.#watched = watched;
  }

  /** Waits for what is in progress now, unless it waits for that already. After a failure for nothing. */
  follow(): void {
    const ids = this.#hasFailed ? [] : idsToRead(this.#watched.rows(), this.#count);
    const awaited = ids.length === 0 ? '' : [this.#count, ...ids].join(' ');
    if (awaited === this.#awaited) return;
    this.stop();
    this.#awaited = awaited;
    if (ids.length > 0) this.#timer = setTimeout(() => this.#read(ids), this.#service.pause(this.#quiet));
  }

  /** Starts again at short intervals, also after a failure. */
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
        this.#notify(`No longer live: ${escapeText(problem.message)} ${way}`, 'failed');
      },
    });
  }
}

/** Whether a reading found something else than what was there: in the record, or in what it means as time passes. */
export function isNews(before: HostnameRow | undefined, now: HostnameRow | undefined): boolean {
  return JSON.stringify(shownOf(before)) !== JSON.stringify(shownOf(now));
}

function shownOf(row: HostnameRow | undefined) {
  return row && { ...row, readAt: undefined, attention: attentionOf(row) };
}

/** Rows that are read together: at the shortest interval, half of the platform's limit for five minutes. */
const rowsAtOnce = 4;

/** Ids of the pending rows among these, as many as are read together; the others follow later. */
export function idsToRead(rows: readonly (HostnameRow | undefined)[], readings: number): readonly string[] {
  const waiting = rows.flatMap((row) =>
    row === undefined || outcomeOf(row.record) !== 'waiting' ? [] : row.record.id,
  );
  if (waiting.length <= rowsAtOnce) return waiting;
  const first = (readings * rowsAtOnce) % waiting.length;
  return [...waiting, ...waiting].slice(first, first + rowsAtOnce);
}
