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

/** The result of a hostname's diagnosis. The strings contain untrusted data. */
export interface Verdict {
  /** When the facts of the diagnosis were gathered, in milliseconds on the platform's clock. */
  readonly at: number;
  /** The fingerprint (`recordState`) of the hostname record on which the diagnosis is based. */
  readonly record: string;
  /** Whether the diagnosis also probed the edge. */
  readonly edge: boolean;
  /** Id of the finding that states the cause. */
  readonly finding: string;
  readonly severity: Severity;
  readonly who: Responsible;
  readonly cause: string;
  /** Advice, as one or two sentences. */
  readonly next: string;
}

/** A hostname's record, and its newest diagnosis. Times are in milliseconds on the platform's clock. */
export interface Evidence {
  readonly record: CustomHostname;
  /** When the record was read. */
  readonly readAt?: number | undefined;
  /** When the hostname was first seen in Moved. */
  readonly movedSeenAt?: number | undefined;
  readonly verdict?: Verdict | undefined;
}

/** Severities for which someone must act or wait. The other severities are only informational. */
type Urgency = Exclude<Severity, 'info' | 'ok'>;

/** The reason why a hostname needs attention, its severity, and who must act. */
export interface Attention {
  readonly severity: Urgency;
  /** The state in one or two words, for a column. */
  readonly state: string;
  /** A sentence without its full stop. A sentence from a diagnosis contains untrusted data. */
  readonly cause: string;
  /** The guessed cause in a few words, for a list that also shows the state. */
  readonly brief?: string;
  readonly who: Responsible;
  /** The other party that may have to act, if the record alone does not show who must act. */
  readonly orWho?: Responsible;
  /** When a diagnosis found the cause; undefined for a guess from the record alone. */
  readonly diagnosedAt?: number;
  /** The advice of the diagnosis. */
  readonly next?: string;
}

/**
 * Returns the reason why a hostname needs attention; undefined if neither its record nor its diagnosis shows a problem. All interfaces use
 * this function. A diagnosis that found a problem counts if it is less than a day old and based on the same record; otherwise, the result
 * is a guess from the record. The result applies to the time at which the record was read, so that sorted rows do not move until they are
 * read again.
 */
export function findAttention(evidence: Evidence): Attention | undefined {
  const guess = guessFrom(evidence);
  const verdict = currentVerdict(evidence);
  // The platform's status takes precedence: a hostname that the platform does not report as active needs attention, regardless of the
  // diagnosis.
  if (verdict === undefined || !isUrgent(verdict.severity)) return guess;
  const { severity, who, cause, next, at } = verdict;
  const state = guess?.state ?? inServiceStates[severity] ?? 'active';
  return { severity, state, cause: cause.replace(/\.$/, ''), who, diagnosedAt: at, next };
}

/** The state shown for a hostname that the platform reports as active, by the severity of its diagnosis. */
const inServiceStates: Partial<Readonly<Record<Urgency, string>>> = {
  critical: 'faulty',
  error: 'faulty',
  warn: 'warning',
};

/** Milliseconds for which a diagnosis counts. The time is limited because DNS and origins can change without any change in the record. */
const verdictLife = dayMilliseconds;

/** Returns the diagnosis if it is less than a day old and based on the same record. */
export function currentVerdict({ record, readAt, verdict }: Evidence): Verdict | undefined {
  if (verdict === undefined || verdict.record !== recordState(record)) return undefined;
  const age = (readAt ?? verdict.at) - verdict.at;
  return age < verdictLife ? verdict : undefined;
}

/** Returns a fingerprint of all parts of a record that affect a diagnosis. */
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
  cause: 'the hostname has no certificate',
  brief: 'no certificate',
  who: 'us',
};

/** Guesses from the record alone why a hostname needs attention, without querying DNS or the edge. */
function guessFrom({ record, readAt = 0 }: Evidence): Attention | undefined {
  if (isReady(record)) return record.ssl === undefined ? withoutCertificate : undefined;
  const { status = '', ssl } = record;
  const certificate = ssl?.status ?? '';
  if (status === 'moved')
    return {
      severity: 'critical',
      state: 'moved',
      cause: 'the platform saw that DNS points elsewhere',
      brief: 'moved',
      who: 'customer',
      // If DNS points here again, only we need to act, by restarting validation.
      orWho: 'us',
    };
  if (status === 'deleted')
    return {
      severity: 'critical',
      state: 'deleted',
      cause: 'the platform has deleted the hostname',
      who: 'us',
    };
  if (status === 'pending_deletion')
    return {
      severity: 'progress',
      state: 'deleted',
      cause: 'the platform is deleting the hostname',
      who: 'nobody',
    };
  if (status === 'active' && certificate === 'expired')
    return {
      severity: 'error',
      state: 'expired',
      cause: 'the certificate has expired',
      brief: 'certificate expired',
      who: 'customer',
    };
  if (hasCaaError(record))
    return {
      severity: 'error',
      state: 'CAA',
      cause: 'CAA forbids the certificate',
      brief: 'forbidden by CAA',
      who: 'customer',
    };
  if (hasHoldMessage(record))
    return {
      severity: 'error',
      state: 'held',
      cause: 'a zone hold blocks the hostname',
      brief: 'zone hold',
      who: 'zone-owner',
    };
  if (status.includes('blocked'))
    return {
      severity: 'error',
      state: 'blocked',
      cause: 'the platform blocks the hostname',
      who: 'provider',
    };
  if (isTimedOut(certificate))
    return {
      severity: 'error',
      state: 'timed out',
      cause: 'validation timed out',
      brief: 'validation timeout',
      who: 'us',
    };
  return underWay(record, readAt);
}

/** Milliseconds after which a hostname that is still not validated has probably been forgotten. */
const slowAfter = 2 * dayMilliseconds;

/**
 * Age in milliseconds up to which a pending hostname without errors counts as not checked yet. The platform checks a new hostname within
 * minutes.
 */
const firstCheck = dayMilliseconds / 24;

/** Milliseconds before the expiry by which a renewal must have succeeded. Otherwise, someone must act today. */
const lastWeek = 7 * dayMilliseconds;

function underWay(
  { status, created_at, ssl, verification_errors = [] }: CustomHostname,
  now: number,
): Attention {
  const age = now - Date.parse(created_at ?? '');
  const isSlow = age > slowAfter;
  const state = isSlow ? 'overdue' : 'pending';
  // As in a diagnosis, a hostname that does not work until someone acts is broken, however new the hostname is.
  const broken = { severity: 'error', state } as const;
  const working = { severity: isSlow ? 'warn' : 'progress', state } as const;
  if (status === 'pending' && verification_errors.length === 0 && age < firstCheck)
    return {
      ...working,
      cause: 'the platform has not checked the hostname yet',
      brief: 'not checked yet',
      who: 'nobody',
    };
  if (status === 'pending')
    return {
      ...broken,
      cause: 'the DNS records are missing',
      brief: 'no DNS record',
      who: 'customer',
    };
  if (ssl?.status === 'pending_expiration') {
    const isShort = (certificateEnd({ ssl }) ?? latest) - now < lastWeek;
    const urgency = isShort ? 'error' : 'warn';
    return {
      severity: urgency,
      state: 'renewal',
      cause: 'the renewal is pending validation',
      brief: 'renewal at risk',
      who: 'customer',
    };
  }
  if (isBeingProved(ssl))
    return {
      ...broken,
      cause: 'the certificate is pending validation',
      brief: 'not validated',
      who: 'customer',
    };
  return {
    ...working,
    cause: 'the platform is working on the hostname',
    brief: 'in progress',
    who: 'nobody',
  };
}

/** Returns whether someone must act on a hostname. */
export function needsSomebody(evidence: Evidence): boolean {
  return (findAttention(evidence)?.who ?? 'nobody') !== 'nobody';
}

/** Returns whether a finding of this severity requires someone to act or wait. */
export function isUrgent(severity: Severity): severity is Urgency {
  return severity !== 'info' && severity !== 'ok';
}

/** Milliseconds before the expiry at which a certificate should be renewed. */
export const renewalTime = renewalDays * dayMilliseconds;

/** A value that sorts after every known time. */
const latest = Number.MAX_SAFE_INTEGER;

/**
 * Returns a string that sorts hostnames by severity. Within a severity, hostnames that will soon be deleted or lose their certificate come
 * first, by the time of the loss; other hostnames follow, by the time of their creation. The string does not change as time passes, so that
 * sorted rows do not move.
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

/**
 * Returns the latest time at which a hostname in Moved is deleted, or the time at which a certificate expires or has expired; undefined if
 * unknown.
 */
function lostAt({ record, movedSeenAt }: Evidence): number | undefined {
  if (record.status === 'moved') return movedSeenAt === undefined ? latest : deletionAt(movedSeenAt);
  return certificateEnd(record);
}

/** Returns the milliseconds until a certificate expires, negative after its expiry; undefined if the record does not contain the expiry. */
export function certificateTimeLeft(record: CustomHostname, now: number): number | undefined {
  const end = certificateEnd(record);
  return end === undefined ? undefined : end - now;
}

/**
 * Returns the time at which the active certificate expires. A certificate remains active during its renewal, regardless of the status of
 * the renewal.
 */
export function certificateEnd({ ssl }: Pick<CustomHostname, 'ssl'>): number | undefined {
  const end = Date.parse(ssl?.expires_on ?? '');
  return Number.isNaN(end) || /^(?:deleted|pending_deletion)/.test(ssl?.status ?? '') ? undefined : end;
}
