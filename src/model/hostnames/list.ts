import {
  type CustomHostname,
  dayMilliseconds,
  hasCaaError,
  hostnameLimits,
  isReady,
  isTimedOut,
} from './hostname.ts';

/** The filter of a list of custom hostnames. At most one of the four name filters can be set. */
export interface HostnameFilter {
  readonly id?: string | undefined;
  /** The filter matches exactly this hostname. */
  readonly exact?: string | undefined;
  readonly contains?: string | undefined;
  readonly startsWith?: string | undefined;
  /** The status in wire form: `moved`. */
  readonly status?: string | undefined;
  readonly certificateStatus?: string | undefined;
  readonly authority?: string | undefined;
  readonly origin?: string | undefined;
  readonly wildcard?: boolean | undefined;
  /** Maximum number of seconds until the certificate expires. An expired certificate always matches. */
  readonly expiresWithin?: number | undefined;
  readonly order?: 'ssl' | 'ssl_status' | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Whether a hostname's certificate expires within a number of seconds of `now` (milliseconds), or has expired. */
export function certificateExpiresWithin({ ssl }: CustomHostname, seconds: number, now: number): boolean {
  // A certificate that was not issued never matches, because its expiry is NaN.
  return Date.parse(ssl?.expires_on ?? '') <= now + seconds * 1000;
}

/** Counts the records in each status, most common first, then by name. */
export function countByStatus(records: Iterable<CustomHostname>): readonly (readonly [string, number])[] {
  return countBy(records, (record) => record.status ?? 'no status');
}

/** Counts items by name, most common first, then by name. */
function countBy<T>(items: Iterable<T>, name: (item: T) => string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return byCount(counts);
}

/** Sorts counts, highest first, then by name. */
export function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(
    ([left, some], [right, more]) => more - some || (left < right ? -1 : left > right ? 1 : 0),
  );
}

/** Whether a record is in service, needs someone to act, or is in progress. */
export type Outcome = 'ready' | 'failed' | 'waiting';

const lostStatuses = ['moved', 'blocked', 'deleted', 'pending_deletion', 'test_failed', 'test_blocked'];
const lostCertificates = ['expired', 'inactive', 'deleted', 'deactivating'];

/** Whether a hostname is ready, has failed or is in progress. An unknown status counts as in progress. */
export function toOutcome(record: CustomHostname): Outcome {
  if (isReady(record)) return 'ready';
  const certificate = record.ssl?.status ?? '';
  const lost =
    lostStatuses.includes(record.status ?? '') ||
    lostCertificates.includes(certificate) ||
    isTimedOut(certificate) ||
    hasCaaError(record);
  return lost ? 'failed' : 'waiting';
}

/**
 * When a hostname in Moved is deleted at the latest, from the time at which it was first seen there. Milliseconds since the
 * epoch.
 */
export function deletionAt(movedSeenAt: number): number {
  return movedSeenAt + hostnameLimits.movedDays * dayMilliseconds;
}

/** Maximum number of days until a record in Moved is deleted, counted from when it was first seen there. */
export function daysUntilDeletion(movedSeenAt: number, now: number): number {
  const left = (deletionAt(movedSeenAt) - now) / dayMilliseconds;
  return Math.max(0, Math.ceil(left * 10) / 10);
}

/** Milliseconds since a record was created, or undefined if unknown. */
export function recordAgeMs(record: CustomHostname, now: number): number | undefined {
  const created = Date.parse(record.created_at ?? '');
  return Number.isNaN(created) ? undefined : now - created;
}
