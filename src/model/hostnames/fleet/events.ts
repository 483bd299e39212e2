import { certificateTimeLeft, type Evidence, findAttention } from '../attention.ts';
import { type CustomHostname, dayMilliseconds } from '../hostname.ts';
import { daysUntilDeletion } from '../list.ts';

/** The fields of a custom hostname whose changes are reported. */
export interface FleetState {
  readonly status: string;
  readonly certificate: string;
  /** The hostname's problem in one or two words; absent if the hostname is active. */
  readonly kind?: string | undefined;
  /** The party that must act. */
  readonly who?: string | undefined;
  /** `record`: guessed from the record alone. `diagnosis`: from a diagnosis less than a day old. */
  readonly basis?: string | undefined;
}

/** The last seen state of a custom hostname. */
export interface WatchedHostname extends FleetState {
  readonly id: string;
  readonly hostname: string;
}

export interface FleetEvent {
  readonly version: 1;
  /** The event's id. Repeated deliveries of an event have the same id. */
  readonly id: string;
  readonly type: 'appeared' | 'changed' | 'gone';
  /** When the change was detected (RFC 3339, on the platform's clock). */
  readonly at: string;
  readonly zoneId: string;
  readonly hostname: string;
  readonly hostnameId: string;
  readonly before?: FleetState | undefined;
  readonly after?: FleetState | undefined;
}

/** An event that has not been saved yet, and therefore has no id. */
export type FleetChange = Pick<FleetEvent, 'type' | 'hostname' | 'hostnameId' | 'before' | 'after'>;

/** Returns the watched state of a hostname. */
export function toWatched(evidence: Evidence): WatchedHostname {
  const { id, hostname, status = 'none', ssl } = evidence.record;
  const attention = findAttention(evidence);
  const watched = { id, hostname, status, certificate: ssl?.status ?? 'none' };
  if (attention === undefined) return watched;
  const { state: kind, who, diagnosedAt } = attention;
  return { ...watched, kind, who, basis: diagnosedAt === undefined ? 'record' : 'diagnosis' };
}

/** Returns the changes between two readings of a fleet, sorted by hostname. Both readings are maps by id. */
export function findChanges(
  before: ReadonlyMap<string, WatchedHostname>,
  after: ReadonlyMap<string, WatchedHostname>,
): readonly FleetChange[] {
  const changes: FleetChange[] = [];
  for (const [id, now] of after) {
    const was = before.get(id);
    const about = { hostname: now.hostname, hostnameId: id, after: toState(now) };
    if (was === undefined) changes.push({ type: 'appeared', ...about });
    else if (!isSame(was, now)) changes.push({ type: 'changed', ...about, before: toState(was) });
  }
  for (const [id, was] of before) {
    if (!after.has(id))
      changes.push({ type: 'gone', hostname: was.hostname, hostnameId: id, before: toState(was) });
  }
  return changes.sort((one, other) => (one.hostname < other.hostname ? -1 : 1));
}

function toState({ status, certificate, kind, who, basis }: WatchedHostname): FleetState {
  return { status, certificate, ...(kind !== undefined && { kind, who, basis }) };
}

/** Returns whether two states count as the same. A diagnosis that confirms the guess from the record is not a change. */
function isSame(one: FleetState, other: FleetState): boolean {
  return (['status', 'certificate', 'kind', 'who'] as const).every((field) => one[field] === other[field]);
}

/** Returns whether a hostname had this status before or after a change. */
export function concerns({ before, after }: FleetChange, status: string | undefined): boolean {
  return status === undefined || before?.status === status || after?.status === status;
}

/** The number of days until a hostname in Moved is deleted, or until a certificate expires. */
export interface DaysLeft {
  readonly hostname: string;
  readonly of: 'moved' | 'certificate';
  readonly days: number;
}

/** Number of days before the expiry by which a certificate should have been renewed. */
const renewedBefore = 30;

/** Returns the days left for a hostname in Moved, or for a certificate that should have been renewed; otherwise undefined. */
export function findDaysLeft(
  record: CustomHostname,
  movedSeenAt: number | undefined,
  now: number,
): DaysLeft | undefined {
  const { hostname } = record;
  if (record.status === 'moved')
    return { hostname, of: 'moved', days: daysUntilDeletion(movedSeenAt ?? now, now) };
  const left = certificateTimeLeft(record, now);
  if (left === undefined || left >= renewedBefore * dayMilliseconds) return undefined;
  return { hostname, of: 'certificate', days: Math.floor((left / dayMilliseconds) * 10) / 10 };
}
