import type { RequestsLeft } from '../../src/model/budget.ts';
import { withVisit } from '../../src/model/places/memory.ts';
import type { LastVisit } from '../../src/model/places/visit.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { type Change, concernsHostnames } from '../kit/changes.ts';
import { Controller } from '../kit/controller.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { firstVisibleRow } from '../kit/keys/cursor.ts';
import { availableNouns } from '../kit/nouns.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { LiveReading, type ReadingResult } from '../ui/live/live-reading.ts';
import type { DataAge } from '../ui/status/age.ts';
import { minutesValidMs, shortest } from '../ui/status/use-age.ts';
import { followTasks } from '../ui/tasks/follow-tasks.ts';
import type { Entry } from '../ui/viewer/entries.ts';
import { homeLines } from './home-lines.ts';
import {
  emptyHome,
  type HomeEvent,
  type HomeParts,
  type HomeState,
  type PartName,
  reduceHome,
  toVisit,
} from './home-state.ts';
import { cursorAt, type HomeLine, isSelectable } from './lines.ts';
import { overviewEntries } from './overview.ts';
import {
  readBuckets,
  readExpiring,
  readHostnames,
  readNamespaces,
  readWorkers,
  readZone,
} from './reading.ts';

/** Approximate number of requests that are required to read Home. */
const requestsPerReading = 8;

/** Reads the parts of Home independently: a part waits only for the parts that it needs, and a failed part does not hide other parts. */
export class HomeController extends Controller<HomeState, HomeEvent> {
  readonly #parts: PaneParts;
  /** The last visit to the same target before this console started. Home shows the changes since that visit. */
  readonly #before: LastVisit | undefined;
  #readAt = 0;
  readonly #live: LiveReading;
  /** The parts that are being read. */
  readonly #running = new Set<string>();
  /** The result of the current background refresh so far; undefined if no refresh is running. */
  #refresh: ReadingResult | undefined;
  /** Whether a key has changed since the keys were read. */
  #isKeysOld = false;

  constructor(parts: PaneParts) {
    super(reduceHome, emptyHome, parts.notes);
    this.#parts = parts;
    this.#before = parts.memory.visitsBefore[parts.session.target];
    this.#live = new LiveReading({
      ...parts,
      cost: () => requestsPerReading,
      readAt: () => this.age.readAt,
      read: () => {
        this.#refresh = 'same';
        this.#readParts();
      },
      changed: () => this.notify(),
    });
  }

  /** The time at which Home was last read, and the age below which the content counts as live. */
  get age(): DataAge {
    return { readAt: this.#readAt === 0 ? undefined : this.#readAt, liveForMs: this.#live.liveForMs };
  }

  /** The state of refreshing, for the header. */
  get liveWords(): string {
    return this.#live.words;
  }

  /** Returns all lines. `height` is the number of rows of the screen. */
  lines(height: number, hasOverview: boolean): readonly HomeLine[] {
    const { tasks, memory, services, world } = this.#parts;
    return homeLines({
      state: this.state,
      tasks: tasks.list.tasks,
      held: this.#parts.held.rows,
      memory: memory.current,
      before: this.#before,
      nouns: availableNouns(services),
      now: world.now(),
      height,
      hasOverview,
    });
  }

  /** Returns the overview. `height` is the number of rows of the screen; `left` is the number of requests left. */
  overview(height: number, left: RequestsLeft | undefined): readonly Entry[] {
    const { tasks, world } = this.#parts;
    return overviewEntries({ state: this.state, tasks: tasks.list.tasks, left, now: world.now(), height });
  }

  /** Milliseconds for which the countdowns on Home stay valid; undefined if there are no countdowns. */
  get validForMs(): number | undefined {
    const now = this.#parts.world.now() / 1000;
    const keys = this.state.parts.keys?.value?.of ?? [];
    return shortest(keys.map(({ expiration }) => minutesValidMs(expiration - now)));
  }

  /** Returns the index of the selected line; undefined if no line can be selected. */
  selectedIn(lines: readonly HomeLine[]): number | undefined {
    const stops = selectableLines(lines);
    const at =
      stops[
        cursorAt(
          stops.map(({ id }) => id),
          this.state.chosen,
        )
      ];
    return at?.index;
  }

  move(move: Move, lines: readonly HomeLine[], height: number): void {
    const stops = selectableLines(lines).map(({ id }) => id);
    this.dispatch({ type: 'moved', move, stops, at: cursorAt(stops, this.state.chosen), height });
  }

  /** Selects the line with this index, if it can be selected. */
  select(lines: readonly HomeLine[], index: number): void {
    const stops = selectableLines(lines);
    const stop = stops.findIndex((one) => one.index === index);
    const id = stops[stop]?.id;
    if (id !== undefined) this.dispatch({ type: 'chosen', id, stop });
  }

  /** Returns the index of the first line to draw on `height` rows. The headings above the first selectable line stay visible. */
  topFor(lines: readonly HomeLine[], height: number): number {
    const stops = selectableLines(lines);
    const index = this.selectedIn(lines) ?? 0;
    const isFirst = stops[0] === undefined || stops[0].index === index;
    if (isFirst && index < height) return 0;
    return firstVisibleRow({ index, top: this.state.top }, lines.length, height);
  }

  /** Saves the index of the first drawn line, so that the next move scrolls as little as possible. */
  readonly rememberTop = (top: number): void => this.dispatchSilently({ type: 'scrolled', top });

  /**
   * Called when Home is shown or hidden. Home is refreshed while it is on the screen, and shows the old content until the new content
   * arrives.
   */
  show(visible: boolean): void {
    this.#live.follow(visible);
    if (!visible || this.#readAt === 0) return;
    const namespaces = this.state.parts.namespaces?.value?.of;
    if (this.#isKeysOld && namespaces !== undefined) this.#readKeys(namespaces);
  }

  /** Reads all parts. */
  readonly read = (): void => {
    this.#refresh = undefined;
    this.#readParts();
  };

  #readParts(): void {
    const { services } = this.#parts;
    this.#part(
      'namespaces',
      'the namespaces',
      (signal) => readNamespaces(services, signal),
      (found) => this.#readKeys(found),
    );
    if (services.objects !== undefined)
      this.#part('buckets', 'the buckets', (signal) => readBuckets(services, signal));
    if (services.workers !== undefined)
      this.#part('workers', 'the workers', (signal) => readWorkers(services, signal));
    if (services.hostnames !== undefined) this.#readHostnames();
    this.#readJournal();
  }

  protected override begin(): void {
    const { tasks, memory, held } = this.#parts;
    this.onClose(held.subscribe(() => this.dispatch({ type: 'beside' })));
    this.onClose(this.#live.open());
    this.onClose(followTasks(tasks.list, () => this.dispatch({ type: 'beside' })));
    this.onClose(memory.subscribe(() => this.dispatch({ type: 'beside' })));
    this.onClose(this.#parts.changes.listen((change) => this.#follow(change)));
    this.read();
  }

  /** Updates the parts that a change affects. Keys are reread only when the user returns to Home. */
  #follow(change: Change): void {
    const { hostnames, workers } = this.state.parts;
    this.dispatch({ type: 'changed', change });
    if (change.changed === 'key') this.#isKeysOld = true;
    this.#readJournal();
    const zone = hostnames?.value?.of?.zone;
    if (zone !== undefined && concernsHostnames(change, zone.id)) this.#readZoneHostnames(zone);
    if ((change.changed === 'worker' || change.changed === 'secret') && workers?.value !== undefined)
      this.#part('workers', 'the workers', (signal) => readWorkers(this.#parts.services, signal));
  }

  #readKeys({ rows }: HomeParts['namespaces']): void {
    const { services, world } = this.#parts;
    this.#isKeysOld = false;
    this.#part('keys', 'keys', (signal) => readExpiring(services, rows, world.now(), signal));
  }

  /** The journal is a local file, so no request is required to read it. */
  #readJournal(): void {
    const { undo } = this.#parts.services;
    if (undo === undefined) return;
    this.#part('journal', 'the undo journal', async (signal) =>
      (await undo.list(signal)).rows.filter(({ isHere }) => isHere),
    );
  }

  #readHostnames(): void {
    const { services } = this.#parts;
    this.#begin('hostnames', 'the zone');
    this.run({
      name: 'zone',
      work: (signal) => readZone(services, signal),
      done: (zone) => this.#readZoneHostnames(zone),
      failed: (problem) => this.#fail('hostnames', problem),
    });
  }

  #readZoneHostnames(zone: Zone | undefined): void {
    this.#part('hostnames', zone === undefined ? 'hostnames' : `hostnames of ${zone.name}`, (signal) =>
      readHostnames(this.#parts.services, zone, signal),
    );
  }

  #part<P extends PartName>(
    part: P,
    waitsFor: string,
    work: (signal: AbortSignal) => Promise<HomeParts[P]>,
    then?: (value: HomeParts[P]) => void,
  ): void {
    this.#begin(part, waitsFor);
    this.run({
      name: part,
      work,
      done: (value) => {
        const event = readEvent(part, value);
        const isSame = this.#refresh !== undefined && hasSameFacts(this.state.parts[part]?.value?.of, value);
        (isSame ? this.dispatchSilently : this.dispatch)(event);
        if (!isSame) this.#remember();
        if (!isSame && this.#refresh === 'same') this.#refresh = 'changed';
        then?.(value);
        this.#end(part);
      },
      failed: (problem) => this.#fail(part, problem),
    });
  }

  #begin(part: PartName, waitsFor: string): void {
    this.#running.add(part);
    if (this.#refresh === undefined) this.dispatch({ type: 'waiting', part, waitsFor });
  }

  /** Handles a failed part: the first read shows the problem; a refresh keeps the old content. */
  #fail(part: PartName, problem: Problem): void {
    if (this.#refresh === undefined) this.dispatch({ type: 'failed', part, problem });
    else this.#refresh = 'failed';
    this.#end(part);
  }

  #end(part: PartName): void {
    this.#running.delete(part);
    if (this.#running.size > 0) return;
    if (this.#refresh !== 'failed') this.#readAt = this.#parts.world.now();
    this.#live.ended(this.#refresh ?? 'changed');
    this.#refresh = undefined;
  }

  /** Saves this visit to compare it with the next visit. */
  #remember(): void {
    const { memory, session, world } = this.#parts;
    const visit = toVisit(this.state, this.#before, world.now());
    memory.change((known) => withVisit(known, session.target, visit));
  }
}

function readEvent<P extends PartName>(part: P, value: HomeParts[P]): HomeEvent {
  const events: { readonly [Q in PartName]: (of: HomeParts[Q]) => HomeEvent } = {
    hostnames: (of) => ({ type: 'read', part: 'hostnames', value: of }),
    namespaces: (of) => ({ type: 'read', part: 'namespaces', value: of }),
    keys: (of) => ({ type: 'read', part: 'keys', value: of }),
    buckets: (of) => ({ type: 'read', part: 'buckets', value: of }),
    workers: (of) => ({ type: 'read', part: 'workers', value: of }),
    journal: (of) => ({ type: 'read', part: 'journal', value: of }),
  };
  return events[part](value);
}

/** Returns whether two reads found the same facts, ignoring the time of the read. */
function hasSameFacts(one: unknown, other: unknown): boolean {
  const toFacts = (value: unknown) =>
    JSON.stringify(value, (name, of: unknown) => (name === 'readAt' || name === 'ahead' ? undefined : of));
  return toFacts(one) === toFacts(other);
}

function selectableLines(
  lines: readonly HomeLine[],
): readonly { readonly id: string; readonly index: number }[] {
  return lines.flatMap((line, index) => (isSelectable(line) ? [{ id: line.id, index }] : []));
}
