import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../files/folders.ts';
import { removeLeftovers } from '../../files/replace.ts';
import type { HostnameHistory } from '../../model/diagnosis/facts.ts';
import { type CustomHostname, isServed, refuserIn } from '../../model/hostnames/hostname.ts';
import { deletionAt } from '../../model/hostnames/list.ts';
import type { World } from '../../world.ts';
import { platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { isLeftAlone, readStoredState, writeStoredState } from '../session/state-file.ts';

const time = v.optional(v.number());
const historyShape = v.object({
  movedSeenAt: time,
  refreshedAt: time,
  revivedAt: time,
  refusedBy: v.optional(v.array(v.string())),
  refusedAt: time,
  lost: v.optional(
    v.object({
      hostname: v.string(),
      seenAt: v.number(),
      wildcard: v.optional(v.boolean()),
      origin: v.optional(v.string()),
    }),
  ),
});
const memoryShape = v.object({
  version: v.literal(1),
  /** The dates of each custom hostname, by hostname id. */
  hostnames: v.array(v.tuple([v.string(), historyShape])),
  /** Times of recent certificate requests. */
  issued: v.array(v.number()),
  /** Time at which the block on issuance ends, according to the latest refusal. */
  blockedUntil: time,
});

type Memory = Omit<v.InferOutput<typeof memoryShape>, 'hostnames'> & {
  readonly hostnames: Map<string, HostnameHistory>;
};

/** Maximum number of issuances to store: more than any rate permits in one minute. */
const maxIssuances = 10_000;

/** Age in milliseconds after which the history of a hostname is dropped. The platform deletes a hostname after seven days in Moved. */
const maxAgeMs = 60 * 24 * 60 * 60 * 1000;

/** Maximum delay, in milliseconds, between a hostname's deletion date and its deletion by the platform. */
const overdueMilliseconds = 60 * 60 * 1000;

/**
 * Age in milliseconds after which unchanged settings are saved again, so that frequent readings of a list do not write the file each time.
 */
const sightingMilliseconds = 60 * 60 * 1000;

/** How long a hostname must stay active after a refresh from Moved to count as recovered, in milliseconds. */
const heldMilliseconds = 60 * 60 * 1000;

/**
 * Dates and events of a zone's hostnames that the platform does not report: when each hostname was first seen in Moved, when it was
 * refreshed, and when certificates were requested in the last minute. All times are in milliseconds.
 */
export interface ZoneMemory {
  readHistory(id: string): HostnameHistory;
  /**
   * Returns the saved settings for creating a deleted hostname again; empty if the hostname was never seen inactive, or can be created
   * again without settings.
   */
  historyOfLost(hostname: string): HostnameHistory;
  /**
   * Records which hostnames are in Moved or have left Moved, which authorities refused certificates, and the settings of inactive
   * hostnames.
   */
  see(records: Iterable<CustomHostname>, now: number): void;
  /** Records that validation was restarted. `before` is the old record, `after` the record in the platform's response. */
  noteRefresh(before: CustomHostname, after: CustomHostname, now: number): void;
  /** Records that the user deleted the hostname, so that edgectl does not suggest creating it again. */
  noteDeletion(record: DeletedHostname): void;
  /** Returns the times of certificate requests after `since`. */
  issuedSince(since: number): readonly number[];
  noteIssuance(now: number): void;
  noteBlock(until: number): void;
  readonly blockedUntil: number | undefined;
  /** Saves all changes. Ignores a failed write: a lost time only makes the next estimate less exact. */
  save(): Promise<void>;
}

export type DeletedHostname = Pick<CustomHostname, 'id' | 'hostname'>;

/** Opens the saved data of a zone in the user's state folder. Creates no folder or file before the first write. */
export async function openZoneMemory(session: Session, zoneId: string): Promise<ZoneMemory> {
  const name = createHash('sha256')
    .update(JSON.stringify([platformName(session), zoneId]))
    .digest('hex');
  const folder = join(session.world.folders.state, 'hostnames');
  const path = join(folder, `${name.slice(0, 40)}.json`);
  const memory = await read(session, path);
  /**
   * Unsaved changes. `save` reads the file again and applies these changes to its content, because another command may have written the file
   * meanwhile.
   */
  let unsaved: Change[] = [];
  const change = (make: Change): void => {
    make(memory);
    unsaved.push(make);
  };
  return {
    readHistory: (id) => ({ ...memory.hostnames.get(id) }),
    historyOfLost(hostname) {
      const found = [...memory.hostnames.values()].findLast(({ lost }) => lost?.hostname === hostname)?.lost;
      return found === undefined ? {} : { lost: found };
    },
    see: (records, now) => noteSightings(memory, records, now, change),
    noteRefresh: (before, after, now) => {
      const dates = { refreshedAt: now, ...(before.status === 'moved' && { revivedAt: now }) };
      noteSightings(memory, [before], now, change);
      change((stored) => remember(stored, before.id, dates));
      noteSightings(memory, [after], now, change);
    },
    noteDeletion({ id, hostname }) {
      if (memory.hostnames.has(id)) change((stored) => stored.hostnames.delete(id));
      forgetReplaced(lostIn(memory), { id, hostname }, change);
    },
    issuedSince: (since) => memory.issued.filter((at) => at > since),
    noteIssuance: (now) => change((stored) => stored.issued.push(now)),
    noteBlock: (until) => change((stored) => Object.assign(stored, { blockedUntil: until })),
    get blockedUntil() {
      return memory.blockedUntil;
    },
    async save() {
      if (unsaved.length === 0) return;
      const stored = await read(session, path);
      for (const make of unsaved) make(stored);
      unsaved = [];
      await write(session.world, path, stored).catch(() => undefined);
    },
  };
}

type Change = (memory: Memory) => void;

function remember({ hostnames }: Memory, id: string, fields: HostnameHistory): void {
  hostnames.set(id, { ...hostnames.get(id), ...fields });
}

/**
 * Returns whether the platform should have deleted the hostname by now. If the hostname still exists, its seven days in Moved have started
 * again.
 */
function isOverdue({ movedSeenAt }: HostnameHistory, now: number): boolean {
  return movedSeenAt !== undefined && now > deletionAt(movedSeenAt) + overdueMilliseconds;
}

/**
 * Returns the part of a history that still matters for a hostname that is not in Moved. The start of Moved matters until the hostname is
 * active or should have been deleted, because the platform's countdown continues during a refresh and after a failed refresh. A refresh
 * from Moved matters until the hostname has been active for an hour, and all other fields matter until the hostname and its certificate are
 * active.
 */
function outOfMoved(history: HostnameHistory, record: CustomHostname, now: number): HostnameHistory {
  const { movedSeenAt, refreshedAt, revivedAt, refusedBy, refusedAt, lost } = history;
  const { status, ssl } = record;
  const done = status === 'active' && (ssl === undefined || ssl.status === 'active');
  const held = status === 'active' && now - (revivedAt ?? now) > heldMilliseconds;
  const counts = !isServed(record) && !isOverdue(history, now);
  return {
    ...(movedSeenAt !== undefined && counts && { movedSeenAt }),
    ...(refreshedAt !== undefined && !done && { refreshedAt }),
    ...(revivedAt !== undefined && !held && { revivedAt }),
    ...(refusedBy !== undefined && !done && { refusedBy }),
    ...(refusedAt !== undefined && !done && { refusedAt }),
    ...(lost !== undefined && !done && { lost }),
  };
}

function noteSightings(
  memory: Memory,
  records: Iterable<CustomHostname>,
  now: number,
  change: (make: Change) => void,
): void {
  const { hostnames } = memory;
  const lost = lostIn(memory);
  for (const record of records) {
    const refuser = refuserIn(record);
    const { refusedBy = [], refusedAt } = hostnames.get(record.id) ?? {};
    if (refuser !== undefined && !refusedBy.includes(refuser))
      change((stored) =>
        remember(stored, record.id, { refusedBy: [...refusedBy, refuser], refusedAt: refusedAt ?? now }),
      );
    forgetReplaced(lost, record, change);
    noteSettings(hostnames.get(record.id)?.lost, record, now, change);
    const known = hostnames.get(record.id);
    if (record.status === 'moved') {
      if (isFirstSighting(known, now)) change((stored) => remember(stored, record.id, { movedSeenAt: now }));
    } else if (known !== undefined) change((stored) => forget(stored, record, now));
  }
}

/**
 * Saves the settings of a hostname, or removes saved settings that are no longer needed. The settings of an active hostname are saved only
 * to update settings that were saved earlier.
 */
function noteSettings(
  before: HostnameHistory['lost'],
  record: CustomHostname,
  now: number,
  change: (make: Change) => void,
): void {
  if (before === undefined && isServed(record)) return;
  const lost = findSettings(record, now);
  if (lost === undefined) {
    if (before !== undefined) change((stored) => forgetSettings(stored, record.id));
  } else if (!isSameSettings(before, lost) || now - (before?.seenAt ?? 0) > sightingMilliseconds)
    change((stored) => remember(stored, record.id, { lost }));
}

function isSameSettings(before: HostnameHistory['lost'], after: HostnameHistory['lost']): boolean {
  return before?.origin === after?.origin && before?.wildcard === after?.wildcard;
}

/** Returns the ids of the records with saved settings, by hostname. */
function lostIn({ hostnames }: Memory): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [id, { lost }] of hostnames)
    if (lost !== undefined) found.set(lost.hostname, [...(found.get(lost.hostname) ?? []), id]);
  return found;
}

/** Removes the settings of older records with the same hostname, which this record has replaced. */
function forgetReplaced(
  lost: ReturnType<typeof lostIn>,
  { id, hostname }: DeletedHostname,
  change: (make: Change) => void,
): void {
  for (const other of lost.get(hostname) ?? [])
    if (other !== id) change((stored) => forgetSettings(stored, other));
}

function forgetSettings({ hostnames }: Memory, id: string): void {
  const { lost: _lost, ...rest } = hostnames.get(id) ?? {};
  if (Object.keys(rest).length === 0) hostnames.delete(id);
  else hostnames.set(id, rest);
}

/** Returns the settings that are needed to create this hostname again after a deletion; undefined if its name is sufficient. */
function findSettings(
  { hostname, ssl, custom_origin_server: origin }: CustomHostname,
  seenAt: number,
): HostnameHistory['lost'] {
  const wildcard = ssl?.wildcard === true;
  if (!wildcard && origin === undefined) return undefined;
  return { hostname, seenAt, ...(wildcard && { wildcard }), ...(origin !== undefined && { origin }) };
}

/**
 * Returns whether a new period in Moved starts now: the hostname was not known to be in Moved, or has returned to Moved after a successful
 * refresh.
 */
function isFirstSighting(known: HostnameHistory | undefined, now: number): boolean {
  if (known?.movedSeenAt === undefined) return true;
  return isOverdue(known, now) && (known.revivedAt ?? 0) >= known.movedSeenAt;
}

function forget({ hostnames }: Memory, record: CustomHostname, now: number): void {
  const left = outOfMoved(hostnames.get(record.id) ?? {}, record, now);
  if (Object.keys(left).length === 0) hostnames.delete(record.id);
  else hostnames.set(record.id, left);
}

async function read(session: Session, path: string): Promise<Memory> {
  try {
    const { hostnames, ...rest } = v.parse(
      memoryShape,
      JSON.parse(readStoredState('hostname-dates', path) ?? ''),
    );
    return { ...rest, hostnames: new Map(hostnames.map(([id, history]) => [id, compact(history)])) };
  } catch {
    isLeftAlone(session, 'hostname-dates', path);
    return { version: 1, hostnames: new Map(), issued: [], blockedUntil: undefined };
  }
}

type KnownHostname = readonly [id: string, history: HostnameHistory];

/**
 * Returns the hostnames whose last date is recent. Compares each date with the newest of all dates, not with this machine's clock, because
 * the platform's clock may differ.
 */
function lately(hostnames: readonly KnownHostname[]): readonly KnownHostname[] {
  const newest = hostnames.reduce((latest, [, history]) => Math.max(latest, lastDate(history)), 0);
  return hostnames.filter(([, history]) => newest - lastDate(history) < maxAgeMs);
}

function lastDate({ movedSeenAt = 0, refreshedAt = 0, revivedAt = 0, lost }: HostnameHistory): number {
  return Math.max(movedSeenAt, refreshedAt, revivedAt, lost?.seenAt ?? 0);
}

function compact({
  movedSeenAt,
  refreshedAt,
  revivedAt,
  refusedBy,
  refusedAt,
  lost,
}: v.InferOutput<typeof historyShape>): HostnameHistory {
  return {
    ...(movedSeenAt !== undefined && { movedSeenAt }),
    ...(refreshedAt !== undefined && { refreshedAt }),
    ...(revivedAt !== undefined && { revivedAt }),
    ...(refusedBy !== undefined && { refusedBy }),
    ...(refusedAt !== undefined && { refusedAt }),
    ...(lost !== undefined && { lost: compactLost(lost) }),
  };
}

function compactLost({
  hostname,
  seenAt,
  wildcard,
  origin,
}: NonNullable<v.InferOutput<typeof historyShape>['lost']>): NonNullable<HostnameHistory['lost']> {
  return {
    hostname,
    seenAt,
    ...(wildcard !== undefined && { wildcard }),
    ...(origin !== undefined && { origin }),
  };
}

/** Saves only the data that may still matter: the newest issuances, and hostnames with a recent date. */
async function write(world: World, path: string, memory: Memory): Promise<void> {
  const issued = memory.issued.slice(-maxIssuances);
  const fields = { ...memory, issued, hostnames: lately([...memory.hostnames]) };
  makePrivateFolder(dirname(path));
  await removeLeftovers(dirname(path), world.now());
  await writeStoredState(world, 'hostname-dates', path, fields, { sync: false });
}
