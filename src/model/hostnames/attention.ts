import type { Responsible, Severity } from '../diagnosis/finding.ts';
import {
  type CustomHostname,
  dayMilliseconds,
  hasCaaError,
  hasHoldMessage,
  hostnameLimits,
  isBeingProved,
  isReady,
  isTimedOut,
} from './hostname.ts';
import { deletionAt, movedDaysLeft } from './list.ts';

/** The matter with a hostname, as far as its record tells, without asking DNS or the edge. */
export interface Attention {
  readonly severity: Extract<Severity, 'critical' | 'error' | 'warn' | 'progress'>;
  /** One or two words for a column. */
  readonly state: string;
  /** Half a sentence. */
  readonly words: string;
  readonly who: Responsible;
  /** Days until it is lost, at most; whole or with one decimal. */
  readonly daysLeft?: number;
}

/** A hostname, and when it was first seen in Moved (milliseconds). */
interface Seen {
  readonly record: CustomHostname;
  readonly movedSeenAt?: number | undefined;
}

/** Says what a hostname needs at a time on the platform's clock (milliseconds); undefined for one in service. */
export function attentionOf({ record, movedSeenAt }: Seen, now: number): Attention | undefined {
  if (isReady(record)) return undefined;
  const { status = '', ssl } = record;
  const certificate = ssl?.status ?? '';
  if (status === 'moved') {
    const daysLeft = movedSeenAt === undefined ? hostnameLimits.movedDays : movedDaysLeft(movedSeenAt, now);
    return {
      severity: 'critical',
      state: 'moved',
      words: 'its DNS led elsewhere',
      who: 'customer',
      daysLeft,
    };
  }
  if (status === 'deleted' || status === 'pending_deletion')
    return { severity: 'critical', state: 'deleted', words: 'the platform takes it away', who: 'us' };
  if (status === 'active' && certificate === 'expired')
    return { severity: 'critical', state: 'expired', words: 'its certificate has ended', who: 'us' };
  if (hasCaaError(record))
    return { severity: 'error', state: 'CAA', words: 'CAA forbids its certificate', who: 'zone-owner' };
  if (hasHoldMessage(record))
    return { severity: 'error', state: 'held', words: 'a zone hold stops it', who: 'zone-owner' };
  if (status.includes('blocked'))
    return { severity: 'error', state: 'blocked', words: 'the platform blocks it', who: 'provider' };
  if (isTimedOut(certificate))
    return { severity: 'error', state: 'timed out', words: 'its validation ran out of time', who: 'us' };
  return underWay(record, now);
}

/** Whether anybody has to do something for a hostname, as far as its record tells. */
export function needsSomebody(record: CustomHostname): boolean {
  return (attentionOf({ record }, 0)?.who ?? 'nobody') !== 'nobody';
}

/** After so long without validation somebody has forgotten it; in Moved it is after a week. */
const slowAfter = 2 * dayMilliseconds;

function underWay({ status, created_at, ssl }: CustomHostname, now: number): Attention {
  const age = now - Date.parse(created_at ?? '');
  const severity = age > slowAfter ? 'warn' : 'progress';
  if (status === 'pending')
    return { severity, state: 'pending', words: 'waits for its DNS records', who: 'customer' };
  if (ssl?.status === 'pending_expiration')
    return { severity: 'warn', state: 'renewal', words: 'its renewal waits for validation', who: 'customer' };
  if (isBeingProved(ssl))
    return { severity, state: 'pending', words: 'its certificate waits for validation', who: 'customer' };
  return { severity, state: 'pending', words: 'the platform works on it', who: 'nobody' };
}

/** Severities, the gravest first. */
const gravity: readonly Attention['severity'][] = ['critical', 'error', 'warn', 'progress'];

/** After every time that is known. */
const latest = Number.MAX_SAFE_INTEGER;

/**
 * Text that grows as a hostname needs somebody less: the graver first, of those what was lost, is lost or was begun sooner.
 * It does not go by the time: what is sorted stays where it is as time goes by.
 */
export function gravityOf(seen: Seen): string {
  const attention = attentionOf(seen, 0);
  const rank = attention === undefined ? gravity.length : gravity.indexOf(attention.severity);
  // What is under way for long is graver than what has just begun, and it began earlier.
  const since = Date.parse(seen.record.created_at ?? '');
  const at = lostAt(seen) ?? (Number.isNaN(since) ? latest : since);
  return `${rank} ${String(at).padStart(16, '0')} ${attention?.state ?? ''}`;
}

/** When a hostname in Moved is deleted at the latest, or its certificate ends or has ended; undefined where neither is known. */
export function lostAt({ record, movedSeenAt }: Seen): number | undefined {
  if (record.status === 'moved') return movedSeenAt === undefined ? latest : deletionAt(movedSeenAt);
  const { status = '', expires_on = '' } = record.ssl ?? {};
  const ends = Date.parse(expires_on);
  return Number.isNaN(ends) || !['active', 'expired'].includes(status) ? undefined : ends;
}

/** Milliseconds until a certificate in service ends; undefined where the record does not say. */
export function certificateLeft({ ssl }: CustomHostname, now: number): number | undefined {
  const ends = Date.parse(ssl?.expires_on ?? '');
  return Number.isNaN(ends) || ssl?.status !== 'active' ? undefined : ends - now;
}
