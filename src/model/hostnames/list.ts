import {
  type CustomHostname,
  dayMilliseconds,
  hasCaaError,
  hostnameLimits,
  isReady,
  isTimedOut,
} from './hostname.ts';

/** The filter for a list of custom hostnames. Only one of the four name filters (`id`, `exact`, `contains` and `startsWith`) can be set. */
export interface HostnameFilter {
  readonly id?: string | undefined;
  /** Matches exactly this hostname. */
  readonly exact?: string | undefined;
  readonly contains?: string | undefined;
  readonly startsWith?: string | undefined;
  /** The status in wire form, for example `moved`. */
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

/** Returns whether a hostname's certificate expires within a number of seconds of `now` (milliseconds), or has expired. */
export function certificateExpiresWithin({ ssl }: CustomHostname, seconds: number, now: number): boolean {
  // A certificate that was never issued does not match, because its expiry is NaN.
  return Date.parse(ssl?.expires_on ?? '') <= now + seconds * 1000;
}

/** Counts the records in each status. Sorts the counts in descending order, then by status. */
export function countByStatus(records: Iterable<CustomHostname>): readonly (readonly [string, number])[] {
  return countBy(records, (record) => record.status ?? 'no status');
}

/** Counts items by name. Sorts the counts in descending order, then by name. */
function countBy<T>(items: Iterable<T>, name: (item: T) => string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return byCount(counts);
}

/** Sorts counts in descending order, then by name. */
export function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(
    ([left, some], [right, more]) => more - some || (left < right ? -1 : left > right ? 1 : 0),
  );
}

/** The outcome for a custom hostname: ready, failed (someone must act), or in progress. */
export type Outcome = 'ready' | 'failed' | 'waiting';

const lostStatuses = ['moved', 'blocked', 'deleted', 'pending_deletion', 'test_failed', 'test_blocked'];
const lostCertificates = ['expired', 'inactive', 'deleted', 'deactivating'];

/** Returns whether a hostname is ready, has failed or is in progress. An unknown status counts as in progress. */
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
 * Returns the latest time at which a hostname in Moved is deleted, in milliseconds since the epoch. The count begins when the hostname was
 * first seen in Moved.
 */
export function deletionAt(movedSeenAt: number): number {
  return movedSeenAt + hostnameLimits.movedDays * dayMilliseconds;
}

/** Returns the maximum number of days until a hostname in Moved is deleted, counted from when it was first seen in Moved. */
export function daysUntilDeletion(movedSeenAt: number, now: number): number {
  const left = (deletionAt(movedSeenAt) - now) / dayMilliseconds;
  return Math.max(0, Math.ceil(left * 10) / 10);
}

/** Returns the milliseconds since a record was created; undefined if unknown. */
export function recordAgeMs(record: CustomHostname, now: number): number | undefined {
  const created = Date.parse(record.created_at ?? '');
  return Number.isNaN(created) ? undefined : now - created;
}
