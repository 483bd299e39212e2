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
  /** If set, reports only changes from or to this status. */
  readonly status: string | undefined;
  /** Minimum number of seconds between two readings. */
  readonly interval: number;
  /** Number of seconds after which the watch stops; 0 reads the list once (default: never). */
  readonly timeout: number | undefined;
  /** The receiver of the events (default: the caller of `events`). */
  readonly sink: EventSink | undefined;
  readonly reporter: Reporter;
}

/** The complete list of hostnames, as last read. */
interface Reading {
  readonly hostnames: ReadonlyMap<string, WatchedHostname>;
  readonly daysLeft: readonly DaysLeft[];
  /** Time at the end of the reading, on the platform's clock, in milliseconds. */
  readonly at: number;
}

/** A watch on all custom hostnames of a zone, which continues after a restart. */
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

  /** Runs `work` under a lock. Throws store-busy if another process is running the same watch. */
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
   * Reads the list repeatedly, and yields each event after its delivery. The very first reading of a watch reports no changes; later runs
   * continue from the saved state. A failed reading or delivery causes a warning and is retried at the next reading, unless the failure is
   * permanent. After the timeout, throws the failure of the last reading, or partly-done if events are undelivered.
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
        // The time limit has passed, so there is no later reading that could succeed.
        if (failed !== undefined) throw failed;
        return this.#refuseWaiting();
      }
      await world.sleep(this.#pause(), world.interrupted);
    }
  }

  /** Throws partly-done if events could not be delivered, so that a scheduled job does not appear successful. */
  #refuseWaiting(): void {
    const count = this.#memory?.events.length ?? 0;
    if (count === 0) return;
    const events = count === 1 ? '1 event is' : `${count} events are`;
    throw new Problem('partly-done', `${events} not delivered yet; the next watch will retry.`);
  }

  /**
   * Returns the milliseconds until the next reading. Leaves at least half of the request budget to other programs: each page of 50 hostnames
   * takes half a second.
   */
  #pause(): number {
    const pages = (this.#last?.hostnames.size ?? 0) / 50;
    return Math.max(this.#watch.interval * 1000, pages * 500);
  }

  /** Reads the list and saves the changes. Returns a failure that may be temporary; throws any other failure. */
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
        this.#watch.reporter.warn(
          `The hostnames could not be read: ${problem.message} Retrying at the next read.`,
        );
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
   * Requests the known hostnames that are not in the list, because a list that shrinks while edgectl reads it skips rows. Requests at most
   * `maxRequested` hostnames, so hundreds of deletions do not use up the request budget. The other known hostnames stay unchanged until a
   * later reading.
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
      `${missing.length} hostnames are no longer in the list. Rechecked ${maxRequested} of them; later reads check the rest.`,
      { missing: missing.length, asked: maxRequested },
    );
  }

  /** Saves a reading together with the events that it causes, before any of these events is delivered. */
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

  /** Delivers the events in order. If a delivery fails, retries this event and all later events after the next reading. */
  async *#deliverAll(): AsyncGenerator<FleetEvent> {
    for (let memory = this.#memory; memory !== undefined; memory = this.#memory) {
      const [event, ...rest] = memory.events;
      if (event === undefined || !(await this.#deliver(event))) return;
      const { sink } = this.#watch;
      // Without a sink, the caller is the receiver, so the event counts as delivered only after the caller has handled it.
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
        const next = last ? 'Retrying at the next read' : `Retrying in ${2 ** (tried - 1)} s`;
        reporter.warn(`Event not delivered (${event.type} ${event.hostname}): ${message} ${next}.`, {
          id: event.id,
        });
        if (last) return false;
        await world.sleep(1000 * 2 ** (tried - 1), world.interrupted);
      }
    }
    return true;
  }
}

/** Maximum number of attempts to deliver an event after one reading. The pauses between the attempts take half a minute in total. */
const maxAttempts = 6;

/** Maximum number of missing hostnames to request per reading: a twelfth of the five-minute budget of 1,200 requests. */
const maxRequested = 100;

/** Returns whether a failure may be temporary. */
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
