import { type Responsible, type Severity, severities } from '../severity.ts';
import { sha256 } from '../sha256.ts';
import {
  type CustomHostname,
  certificateMessages,
  dayMilliseconds,
  hasCaaError,
  hasHoldMessage,
  isBeingProved,
  isReady,
  isTimedOut,
} from './hostname.ts';
import { deletionAt } from './list.ts';
import { renewalDays } from './state.ts';

/** The result of a diagnosis of a hostname; strings contain outside data. */
export interface Verdict {
  /** When the facts of the diagnosis were gathered, in milliseconds on the platform's clock. */
  readonly at: number;
  /** The record that the diagnosis was based on (`recordState`). */
  readonly record: string;
  /** Whether the edge was queried as well. */
  readonly edge: boolean;
  /** Id of the finding that names the cause. */
  readonly finding: string;
  readonly severity: Severity;
  readonly who: Responsible;
  readonly cause: string;
  /** Advice, as one or two sentences. */
  readonly next: string;
}

/** A hostname's record, and its newest diagnosis. Times are milliseconds on the platform's clock. */
export interface Evidence {
  readonly record: CustomHostname;
  /** When the record was read. */
  readonly readAt?: number | undefined;
  /** When the hostname was first seen in Moved. */
  readonly movedSeenAt?: number | undefined;
  readonly verdict?: Verdict | undefined;
}

/** Severities that require someone to act or wait. The other severities are only information. */
type Urgency = Exclude<Severity, 'info' | 'ok'>;

/** A need of a hostname: how urgent it is, and who must act. */
export interface Attention {
  readonly severity: Urgency;
  /** One or two words for a column. */
  readonly state: string;
  /** A sentence without its full stop. A diagnosis's sentence contains outside data. */
  readonly cause: string;
  /** The cause of a guess in a few words, for a list that shows the state too. */
  readonly brief?: string;
  readonly who: Responsible;
  /** Who may have to act instead, if the record alone does not show it. */
  readonly orWho?: Responsible;
  /** When a diagnosis found the need; undefined for a guess from the record alone. */
  readonly diagnosedAt?: number;
  /** Advice of the diagnosis. */
  readonly next?: string;
}

/**
 * Returns what a hostname needs; undefined for a hostname in service. All surfaces use this function. A diagnosis
 * counts if it is less than a day old and based on the same record; otherwise, the answer is a guess from the record.
 * The answer is for the time at which the record was read, so that sorted rows keep their places until they are read
 * again.
 */
export function findAttention(evidence: Evidence): Attention | undefined {
  const guess = guessFrom(evidence);
  const verdict = currentVerdict(evidence);
  // The platform's status takes precedence: a hostname that it does not report as in service needs something, whatever the
  // diagnosis found.
  if (verdict === undefined || !isUrgent(verdict.severity)) return guess;
  const { severity, who, cause, next, at } = verdict;
  const state = guess?.state ?? inServiceStates[severity] ?? 'active';
  return { severity, state, cause: cause.replace(/\.$/, ''), who, diagnosedAt: at, next };
}

/** States of a hostname that the platform reports as in service, by the severity of its diagnosis. */
const inServiceStates: Partial<Readonly<Record<Urgency, string>>> = {
  critical: 'faulty',
  error: 'faulty',
  warn: 'warning',
};

/** Milliseconds for which a diagnosis counts: DNS and origins change without any change in the record. */
const verdictLife = dayMilliseconds;

/** Returns the diagnosis if it is recent enough to count. */
export function currentVerdict({ record, readAt, verdict }: Evidence): Verdict | undefined {
  if (verdict === undefined || verdict.record !== recordState(record)) return undefined;
  const age = (readAt ?? verdict.at) - verdict.at;
  return age < verdictLife ? verdict : undefined;
}

/** A fingerprint of everything in a record on which a diagnosis depends. */
export function recordState(record: CustomHostname): string {
  const { hostname, status, verification_errors, ownership_verification, ssl } = record;
  const { custom_origin_server, custom_origin_sni } = record;
  const parts = [
    [hostname, status, verification_errors, ownership_verification?.value],
    [custom_origin_server, custom_origin_sni],
    [ssl?.id, ssl?.status, ssl?.method, ssl?.certificate_authority, ssl?.wildcard, ssl?.expires_on],
    [certificateMessages(record), ssl?.validation_records],
  ];
  return Buffer.from(sha256(Buffer.from(JSON.stringify(parts)))).toString('hex', 0, 8);
}

const withoutCertificate: Attention = {
  severity: 'warn',
  state: 'no TLS',
  cause: 'it has no certificate',
  brief: 'no certificate',
  who: 'us',
};

/** Guesses what a hostname needs from its record alone, without querying DNS or the edge. */
function guessFrom({ record, readAt = 0 }: Evidence): Attention | undefined {
  if (isReady(record)) return record.ssl === undefined ? withoutCertificate : undefined;
  const { status = '', ssl } = record;
  const certificate = ssl?.status ?? '';
  if (status === 'moved')
    return {
      severity: 'critical',
      state: 'moved',
      cause: 'the platform saw its DNS point elsewhere',
      brief: 'DNS moved away',
      who: 'customer',
      // If DNS points here again by now, only a restart of the validation is needed.
      orWho: 'us',
    };
  if (status === 'deleted')
    return { severity: 'critical', state: 'deleted', cause: 'the platform has deleted it', who: 'us' };
  if (status === 'pending_deletion')
    return { severity: 'progress', state: 'deleted', cause: 'the platform is deleting it', who: 'nobody' };
  if (status === 'active' && certificate === 'expired')
    return {
      severity: 'error',
      state: 'expired',
      cause: 'its certificate has expired',
      brief: 'certificate expired',
      who: 'customer',
    };
  if (hasCaaError(record))
    return {
      severity: 'error',
      state: 'CAA',
      cause: 'CAA forbids its certificate',
      brief: 'CAA forbids it',
      who: 'customer',
    };
  if (hasHoldMessage(record))
    return {
      severity: 'error',
      state: 'held',
      cause: 'a zone hold blocks it',
      brief: 'zone hold',
      who: 'zone-owner',
    };
  if (status.includes('blocked'))
    return { severity: 'error', state: 'blocked', cause: 'the platform blocks it', who: 'provider' };
  if (isTimedOut(certificate))
    return {
      severity: 'error',
      state: 'timed out',
      cause: 'its validation timed out',
      brief: 'validation timeout',
      who: 'us',
    };
  return underWay(record, readAt);
}

/**
 * Milliseconds after which a hostname without validation was probably forgotten; hostnames in Moved wait for a week.
 */
const slowAfter = 2 * dayMilliseconds;

/** The platform checks a new hostname for the first time within minutes. */
const firstCheck = dayMilliseconds / 24;

/** Milliseconds before the expiry: someone must act today on a renewal that has not succeeded by then. */
const lastWeek = 7 * dayMilliseconds;

function underWay(
  { status, created_at, ssl, verification_errors = [] }: CustomHostname,
  now: number,
): Attention {
  const age = now - Date.parse(created_at ?? '');
  const severity = age > slowAfter ? 'warn' : 'progress';
  if (status === 'pending' && verification_errors.length === 0 && age < firstCheck)
    return {
      severity,
      state: 'pending',
      cause: 'the platform has not checked it yet',
      brief: 'not checked yet',
      who: 'nobody',
    };
  if (status === 'pending')
    return {
      severity,
      state: 'pending',
      cause: 'its DNS records are missing',
      brief: 'no DNS record',
      who: 'customer',
    };
  if (ssl?.status === 'pending_expiration') {
    const isShort = (certificateEnd({ ssl }) ?? latest) - now < lastWeek;
    const urgency = isShort ? 'error' : 'warn';
    return {
      severity: urgency,
      state: 'renewal',
      cause: 'its renewal is pending validation',
      brief: 'renewal not proved',
      who: 'customer',
    };
  }
  if (isBeingProved(ssl))
    return {
      severity,
      state: 'pending',
      cause: 'its certificate is pending validation',
      brief: 'not validated yet',
      who: 'customer',
    };
  return {
    severity,
    state: 'pending',
    cause: 'the platform is working on it',
    brief: 'in progress',
    who: 'nobody',
  };
}

/** Whether someone must act on a hostname. */
export function needsSomebody(evidence: Evidence): boolean {
  return (findAttention(evidence)?.who ?? 'nobody') !== 'nobody';
}

/** Whether a finding of this severity requires someone to act or wait. */
export function isUrgent(severity: Severity): severity is Urgency {
  return severity !== 'info' && severity !== 'ok';
}

/** Milliseconds before the expiry: a certificate with less time left was not renewed when it should have been. */
const renewalTime = renewalDays * dayMilliseconds;

/** A time later than every known time. */
const latest = Number.MAX_SAFE_INTEGER;

/**
 * Returns a string that sorts hostnames by urgency: the more severe first; then what was or will be lost first; then
 * what began first. The string does not change as time passes, so that sorted rows keep their places.
 */
export function urgencyKey(evidence: Evidence): string {
  const attention = findAttention(evidence);
  const { readAt = 0 } = evidence;
  const rank = severities.indexOf(attention?.severity ?? 'ok');
  const since = Date.parse(evidence.record.created_at ?? '');
  const lost = lostAt(evidence);
  const isLost = lost !== undefined && (evidence.record.status === 'moved' || lost < readAt + renewalTime);
  const at = isLost ? lost : Number.isNaN(since) ? latest : since;
  return `${rank} ${isLost ? 0 : 1} ${String(at).padStart(16, '0')} ${attention?.state ?? ''}`;
}

/** When a hostname in Moved is deleted at the latest, or when its certificate expires or has expired; undefined if unknown. */
export function lostAt({ record, movedSeenAt }: Evidence): number | undefined {
  if (record.status === 'moved') return movedSeenAt === undefined ? latest : deletionAt(movedSeenAt);
  return certificateEnd(record);
}

/** Milliseconds until a certificate expires, negative if it has expired; undefined if the record does not contain it. */
export function certificateTimeLeft(record: CustomHostname, now: number): number | undefined {
  const end = certificateEnd(record);
  return end === undefined ? undefined : end - now;
}

/** When the certificate in service expires. The certificate stays in service while its renewal has any other status. */
function certificateEnd({ ssl }: Pick<CustomHostname, 'ssl'>): number | undefined {
  const end = Date.parse(ssl?.expires_on ?? '');
  return Number.isNaN(end) || /^(?:deleted|pending_deletion)/.test(ssl?.status ?? '') ? undefined : end;
}
