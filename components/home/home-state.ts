import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { LastVisit } from '../../src/model/places/visit.ts';
import { limitNames, type SeenKind } from '../../src/model/places/visit.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { UndoRow } from '../../src/services/console/undo.ts';
import type { UrgentHostnames } from '../../src/services/hostnames/urgent.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import type { Change } from '../kit/changes.ts';
import { type Move, moveCursor } from '../kit/keys/cursor.ts';

/** The keys that expire within a day, on the first page of a namespace. */
export interface ExpiringKeys {
  readonly namespace: Namespace;
  readonly count: number;
  /** The key that expires first, and its expiry in UNIX seconds. */
  readonly first: string;
  readonly expiration: number;
}

/** The parts of Home, each read separately. */
export interface HomeParts {
  /** The urgent hostnames and their zone; undefined if there are several zones and none is selected. */
  readonly hostnames: (UrgentHostnames & { readonly zone: Zone }) | undefined;
  readonly namespaces: { readonly rows: readonly Namespace[]; readonly isWhole: boolean };
  readonly keys: readonly ExpiringKeys[];
  readonly buckets: { readonly rows: readonly Bucket[]; readonly isWhole: boolean };
  readonly workers: readonly WorkerSummary[];
  /** The changes that can be undone, newest first. */
  readonly journal: readonly UndoRow[];
}

export type PartName = keyof HomeParts;

/** A part that was read or is being read. While a part is reread, the old value is shown. */
export interface HomePart<T> {
  /** The data that is being read: `the zone`. */
  readonly waitsFor?: string | undefined;
  readonly value?: { readonly of: T } | undefined;
  readonly problem?: Problem | undefined;
}

export interface HomeState {
  /** The parts that the session supports. */
  readonly parts: { readonly [P in PartName]?: HomePart<HomeParts[P]> };
  /** The line selected by the user; undefined for the first line. */
  readonly chosen?: { readonly id: string; readonly stop: number } | undefined;
  /** The index of the first line on the screen when the cursor was last moved. */
  readonly top: number;
  /** Number of changes to tasks and bookmarks so far; these are stored outside this state. */
  readonly otherChanges: number;
}

export type HomeEvent =
  | { readonly type: 'waiting'; readonly part: PartName; readonly waitsFor: string }
  | {
      readonly [P in PartName]: { readonly type: 'read'; readonly part: P; readonly value: HomeParts[P] };
    }[PartName]
  | { readonly type: 'failed'; readonly part: PartName; readonly problem: Problem }
  | {
      readonly type: 'moved';
      readonly move: Move;
      /** Ids of the selectable lines, and the index of the selected line. */
      readonly stops: readonly string[];
      readonly at: number;
      readonly height: number;
    }
  | { readonly type: 'chosen'; readonly id: string; readonly stop: number }
  | { readonly type: 'scrolled'; readonly top: number }
  /** This console has changed a resource. */
  | { readonly type: 'changed'; readonly change: Change }
  | { readonly type: 'beside' };

/** The state of Home before anything is read. */
export const emptyHome: HomeState = { parts: {}, top: 0, otherChanges: 0 };

/** Returns the state after an event. */
export function reduceHome(state: HomeState, event: HomeEvent): HomeState {
  switch (event.type) {
    case 'waiting':
      return withPart(state, event.part, { waitsFor: event.waitsFor, problem: undefined });
    case 'read':
      return withPart(state, event.part, {
        value: { of: event.value },
        waitsFor: undefined,
        problem: undefined,
      });
    case 'failed':
      return withPart(state, event.part, { problem: event.problem, waitsFor: undefined });
    case 'moved': {
      const { stops, at, move, height } = event;
      const { index } = moveCursor({ index: at, top: 0 }, move, stops.length, height);
      const id = stops[index];
      return id === undefined ? state : { ...state, chosen: { id, stop: index } };
    }
    case 'chosen':
      return { ...state, chosen: { id: event.id, stop: event.stop } };
    case 'scrolled':
      return state.top === event.top ? state : { ...state, top: event.top };
    case 'changed': {
      const parts = partsAfter(state.parts, event.change);
      return parts === state.parts ? state : { ...state, parts };
    }
    case 'beside':
      return { ...state, otherChanges: state.otherChanges + 1 };
  }
}

/** Returns the parts after a row was changed, added or deleted. */
function partsAfter(parts: HomeState['parts'], change: Change): HomeState['parts'] {
  const { hostnames, namespaces, buckets } = parts;
  if (change.changed === 'hostname' && hostnames?.value?.of?.zone.id === change.zoneId) {
    const of = hostnames.value.of;
    const rows = withRow(of.rows, change.row, ({ record }) => record.id === change.id);
    return { ...parts, hostnames: { ...hostnames, value: { of: { ...of, rows } } } };
  }
  if (change.changed === 'namespace' && namespaces?.value !== undefined) {
    const of = namespaces.value.of;
    const rows = withRow(of.rows, change.namespace, ({ id }) => id === change.id);
    return { ...parts, namespaces: { ...namespaces, value: { of: { ...of, rows } } } };
  }
  if (change.changed === 'bucket' && buckets?.value !== undefined) {
    const of = buckets.value.of;
    const rows = withRow(of.rows, change.bucket, ({ name }) => name === change.name);
    return { ...parts, buckets: { ...buckets, value: { of: { ...of, rows } } } };
  }
  return parts;
}

function withRow<T>(rows: readonly T[], row: T | undefined, isIt: (row: T) => boolean): readonly T[] {
  if (row === undefined) return rows.filter((one) => !isIt(one));
  return rows.some(isIt) ? rows.map((one) => (isIt(one) ? row : one)) : [row, ...rows];
}

function withPart(state: HomeState, part: PartName, change: HomePart<unknown>): HomeState {
  return { ...state, parts: { ...state.parts, [part]: { ...state.parts[part], ...change } } };
}

/** Returns whether a part is still being read. */
export function isReading({ parts }: HomeState): boolean {
  return Object.values(parts).some(({ waitsFor }) => waitsFor !== undefined);
}

/** Returns the known names of an account, to compare with the next visit. Names of kinds that were not read are copied from `before`. */
export function toVisit({ parts }: HomeState, before: LastVisit | undefined, now: number): LastVisit {
  const { hostnames, namespaces, buckets, workers } = parts;
  const zone = hostnames?.value?.of;
  return {
    ...before,
    at: now,
    ...(namespaces?.value && {
      namespaces: limitNames(namespaces.value.of.rows.map(({ id, title }) => [id, title])),
    }),
    ...(buckets?.value && {
      buckets: limitNames(buckets.value.of.rows.map(({ name, createdOn = '' }) => [name, createdOn])),
    }),
    ...(workers?.value && {
      workers: limitNames(workers.value.of.map(({ name, modifiedOn = '' }) => [name, modifiedOn])),
    }),
    ...(zone && {
      hostnames: limitNames(zone.rows.map(({ record }) => [record.hostname, formatStatus(record)])),
    }),
  } satisfies Partial<Record<SeenKind, unknown>> & { at: number };
}

function formatStatus({
  status = 'unknown',
  ssl,
}: {
  readonly status?: string;
  readonly ssl?: { readonly status?: string };
}): string {
  const certificate = ssl?.status;
  return certificate === undefined || certificate === status ? status : `${status}, ${certificate}`;
}
