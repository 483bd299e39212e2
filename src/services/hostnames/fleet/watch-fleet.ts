import { createHash } from 'node:crypto';
import {
  concerns,
  type DaysLeft,
  type FleetChange,
  type FleetEvent,
  findChanges,
  findDaysLeft,
  toWatched,
  type WatchedHostname,
} from '../../../model/hostnames/fleet/events.ts';
import { asProblem, isProblem, Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { metricsText } from '../../../text/fleet/metrics.ts';
import { formatHostnameCount } from '../../../text/hostname.ts';
import { platformClock, platformName } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';
import { readHostname } from '../hostnames.ts';
import { listHostnameRows, toHostnameRow } from '../rows.ts';
import type { EventSink } from './sinks.ts';
import { openWatchFiles, type WatchFiles, type WatchMemory } from './watch-files.ts';

export interface FleetWatch {
  readonly zoneId: string;
  /** If set, only changes from or to this status are reported. */
  readonly status: string | undefined;
  /** Minimum number of seconds between two readings. */
  readonly interval: number;
  /** The watch stops after this number of seconds; 0 reads once, undefined never stops. */
  readonly timeout: number | undefined;
  /** The receiver of the events; if omitted, the caller of `events` is the receiver. */
  readonly sink: EventSink | undefined;
  readonly reporter: Reporter;
}

/** The complete list, read at one time. */
interface Reading {
  readonly hostnames: ReadonlyMap<string, WatchedHostname>;
  readonly daysLeft: readonly DaysLeft[];
  /** Time of the reading on the platform's clock, in milliseconds. */
  readonly at: number;
}

/** Watches all custom hostnames of a zone, across restarts. */
export class FleetWatcher {
  readonly #session: Session;
  readonly #watch: FleetWatch;
  readonly #files: WatchFiles;
  readonly #events = new Map<string, number>();
  #memory: WatchMemory | undefined;
  #last: Reading | undefined;
  #readings = 0;
  #failedReadings = 0;

  constructor(session: Session, watch: FleetWatch) {
    this.#session = session;
    this.#watch = watch;
    const { zoneId, status = '', sink } = watch;
    this.#files = openWatchFiles(session.world, [platformName(session), zoneId, status, sink?.name ?? []]);
  }

  /** Runs `work` while no other process runs the same watch. Fails with store-busy if another process runs it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#files.alone(work);
  }

  /** Returns the metrics in the text format of Prometheus. */
  metrics(): string {
    const { zoneId } = this.#watch;
    const { hostnames = new Map<string, WatchedHostname>(), daysLeft = [], at } = this.#last ?? {};
    return metricsText({
      zoneId,
      hostnames: hostnames.values(),
      daysLeft,
      readAt: at === undefined ? undefined : Math.floor(at / 1000),
      readings: this.#readings,
      failedReadings: this.#failedReadings,
      events: this.#events,
      waiting: this.#memory?.events.length ?? 0,
    });
  }

  /**
   * Reads the list repeatedly, and yields each event after its delivery. Changes are relative to the first reading of this watch in any
   * run. A failed reading or delivery is reported, and is retried at the next reading; rejected credentials stop the watch. At the end,
   * throws partly-done if events are undelivered, or the failure of the last reading.
   */
  async *events(): AsyncGenerator<FleetEvent> {
    const { world } = this.#session;
    const { timeout = Number.POSITIVE_INFINITY } = this.#watch;
    const begun = world.now();
    this.#memory = await this.#files.read();
    for (;;) {
      const failed = await this.#readOnce();
      yield* this.#deliverAll();
      if (world.now() - begun >= timeout * 1000) {
        // Throws the failure, because no later reading will retry.
        if (failed !== undefined) throw failed;
        return this.#refuseWaiting();
      }
      await world.sleep(this.#pause(), world.interrupted);
    }
  }

  /** Throws partly-done at the end of a watch if events could not be delivered, because the job must not appear successful. */
  #refuseWaiting(): void {
    const count = this.#memory?.events.length ?? 0;
    if (count === 0) return;
    const events = count === 1 ? '1 event is' : `${count} events are`;
    throw new Problem('partly-done', `${events} not delivered yet; the next watch will retry.`);
  }

  /**
   * The interval leaves half of the request budget to other programs: reading a page of fifty hostnames takes half a second of the budget.
   */
  #pause(): number {
    const pages = (this.#last?.hostnames.size ?? 0) / 50;
    return Math.max(this.#watch.interval * 1000, pages * 500);
  }

  /** Returns the failure of a reading if it may be temporary. */
  async #readOnce(): Promise<Problem | undefined> {
    try {
      const reading = await this.#read();
      this.#readings += 1;
      this.#last = reading;
      await this.#note(reading);
      return undefined;
    } catch (error) {
      this.#failedReadings += 1;
      const problem = asProblem(error);
      if (this.#session.world.interrupted.aborted || !isPassing(problem)) throw problem;
      if (this.#watch.timeout !== 0)
        this.#watch.reporter.warn(`Not read: ${problem.message} The next reading will catch up.`);
      return problem;
    }
  }

  async #read(): Promise<Reading> {
    const { zoneId, reporter } = this.#watch;
    const clock = await platformClock(this.#session);
    const hostnames = new Map<string, WatchedHostname>();
    const daysLeft: DaysLeft[] = [];
    for await (const page of listHostnameRows(this.#session, zoneId)) {
      for (const row of page) {
        const { record, movedSeenAt } = row;
        hostnames.set(record.id, toWatched(row));
        const left = findDaysLeft(record, movedSeenAt, clock());
        if (left !== undefined) daysLeft.push(left);
      }
      const done = hostnames.size;
      reporter.progress({ phase: 'reading', unit: 'hostnames', done, retries: 0, failed: 0 });
    }
    await this.#findMissing(hostnames);
    return { hostnames, daysLeft, at: clock() };
  }

  /**
   * If the list shrinks while it is being read, rows between two pages can be skipped. Reads each missing row, up to a maximum number per
   * reading. The remaining missing rows stay unchanged until a later reading, so hundreds of deletions do not use up the request budget.
   */
  async #findMissing(hostnames: Map<string, WatchedHostname>): Promise<void> {
    const missing = [...(this.#memory?.hostnames.values() ?? [])].filter(({ id }) => !hostnames.has(id));
    for (const { id } of missing.slice(0, maxRequested)) {
      try {
        const { zoneId } = this.#watch;
        const record = await readHostname(this.#session, zoneId, id);
        hostnames.set(id, toWatched(await toHostnameRow(this.#session, zoneId, record)));
      } catch (error) {
        if (!isProblem(error) || error.code !== 'not-found') throw error;
      }
    }
    const later = missing.slice(maxRequested);
    for (const one of later) hostnames.set(one.id, one);
    if (later.length === 0) return;
    this.#watch.reporter.warn(
      `${missing.length} hostnames are no longer in the list; ${maxRequested} were read one by one; the next readings cover the others.`,
      { missing: missing.length, asked: maxRequested },
    );
  }

  /** Saves the observed state together with its events, before any of these events is delivered. */
  async #note({ hostnames, at }: Reading): Promise<void> {
    const { status, zoneId } = this.#watch;
    const before = this.#memory;
    const found = before === undefined ? [] : findChanges(before.hostnames, hostnames);
    const reported = found.filter((change) => concerns(change, status));
    if (before !== undefined && found.length === 0) return;
    const { first = 1, events: waiting = [] } = before ?? {};
    const number = first + waiting.length;
    const added = reported.map((change, place) => toEvent(change, { zoneId, at, number: number + place }));
    for (const { type } of added) this.#events.set(type, (this.#events.get(type) ?? 0) + 1);
    const memory = { hostnames, first, events: [...waiting, ...added] };
    await this.#files.write(memory);
    this.#memory = memory;
    if (before === undefined)
      this.#session.note(
        `${formatHostnameCount(hostnames.size)} read for the first time; later changes are reported.`,
      );
  }

  /** Delivers the events in order. If a delivery fails, this event and all later events wait for the next reading. */
  async *#deliverAll(): AsyncGenerator<FleetEvent> {
    for (let memory = this.#memory; memory !== undefined; memory = this.#memory) {
      const [event, ...rest] = memory.events;
      if (event === undefined || !(await this.#deliver(event))) return;
      const { sink } = this.#watch;
      // Without a sink, the caller is the receiver: the event is yielded first, and recorded as delivered afterwards.
      if (sink === undefined) yield event;
      await this.#files.deliver(memory.first);
      this.#memory = { ...memory, first: memory.first + 1, events: rest };
      if (sink !== undefined) yield event;
    }
  }

  async #deliver(event: FleetEvent): Promise<boolean> {
    const { sink, reporter } = this.#watch;
    const { world } = this.#session;
    for (let tried = 1; sink !== undefined; tried += 1) {
      world.interrupted.throwIfAborted();
      try {
        await sink.deliver(event);
        return true;
      } catch (error) {
        if (world.interrupted.aborted) throw error;
        const { message } = asProblem(error);
        const last = tried === maxAttempts;
        const next = last ? 'Retrying at the next reading' : `Retrying in ${2 ** (tried - 1)} s`;
        reporter.warn(`Not delivered (${event.type} ${event.hostname}): ${message} ${next}.`, {
          id: event.id,
        });
        if (last) return false;
        await world.sleep(1000 * 2 ** (tried - 1), world.interrupted);
      }
    }
    return true;
  }
}

/** Maximum number of attempts to deliver an event in one reading: with the pauses, half a minute. */
const maxAttempts = 6;

/** Maximum number of hostnames to request one by one in one reading: a twelfth of the budget for five minutes. */
const maxRequested = 100;

/** Whether a failure may be temporary, so a retry makes sense. */
function isPassing({ code }: Problem): boolean {
  return ['unreachable', 'rate-limited', 'unavailable', 'refused', 'store-busy'].includes(code);
}

function toEvent(
  change: FleetChange,
  { zoneId, at, number }: { readonly zoneId: string; readonly at: number; readonly number: number },
): FleetEvent {
  const text = JSON.stringify([zoneId, at, number, change.hostnameId, change.type]);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { version: 1, id, at: new Date(at).toISOString(), zoneId, ...change };
}
