import { installed } from './certificate.ts';
import { enter, patchTrack } from './entry.ts';
import { type CertificateStatus, dayMilliseconds, type HostnameStatus } from './hostname.ts';
import { step } from './machine.ts';
import type { Observation } from './observation.ts';
import {
  type CertificateTrack,
  type HostnameState,
  type InstalledCertificate,
  machineSeconds,
  renewalMoment,
  validDays,
  withCertificate,
} from './state.ts';

/** The desired initial state of a custom hostname. Times are in milliseconds. */
export interface Placement {
  readonly status: HostnameStatus;
  readonly verificationErrors?: readonly string[];
  /** When the hostname entered Moved. */
  readonly movedAt?: number;
  readonly certificate?: {
    readonly status: CertificateStatus;
    readonly errors?: readonly string[];
    readonly installed?: InstalledCertificate;
  };
}

/** Returns whether a certificate with this status has been issued, even if it was deleted or has expired since. */
export function isIssued(status: CertificateStatus): boolean {
  return !/^(?:initializing|pending_(?:validation|issuance)|(?:validation|issuance)_timed_out)/.test(status);
}

/** Returns the default certificate status for a hostname status; undefined if the certificate starts like a new certificate. */
export function usualCertificate(status: HostnameStatus): CertificateStatus | undefined {
  if (['active', 'active_redeploying', 'moved'].includes(status)) return 'active';
  return status === 'caa_error' ? 'pending_issuance' : undefined;
}

/** The time of a check that must never become due: the year 9999. */
const never = 253_402_300_799_000;

/**
 * Creates a custom hostname in a state that new hostnames do not have. If the next check would not change this state, later checks continue
 * as usual. Otherwise, the hostname keeps the state until its DNS, a call or one of its dates changes it.
 */
export function placed(
  start: HostnameState,
  place: Placement,
  seen: Observation,
  now: number,
): HostnameState {
  const { status, movedAt = now, verificationErrors, certificate } = place;
  const entered = status === 'pending' ? start : enter(start, { status }, status === 'moved' ? movedAt : now);
  const everPointedHere = ['active', 'active_redeploying', 'moved'].includes(status);
  const hostname: HostnameState = {
    ...entered,
    record: {
      ...entered.record,
      ...(status === 'active' && { verification_errors: [] }),
      ...(verificationErrors !== undefined && { verification_errors: verificationErrors }),
    },
    track: { ...entered.track, everPointedHere },
  };
  return steady(certificate === undefined ? hostname : withPlaced(hostname, certificate, now), seen, now);
}

function withPlaced(
  start: HostnameState,
  { status, errors, installed: certificate }: NonNullable<Placement['certificate']>,
  now: number,
): HostnameState {
  const issued = certificate === undefined ? start : installed(start, certificate);
  const entered = enter(issued, { certificate: status }, now);
  if (errors === undefined) return entered;
  return withCertificate(entered, { validation_errors: errors.map((message) => ({ message })) });
}

function steady(state: HostnameState, seen: Observation, now: number): HostnameState {
  const { record, track, certificate } = state;
  const checked = step(state, { type: 'check', seen }, now);
  const stays = checked?.record.status === record.status;
  const lasts = stays && checked?.record.ssl?.status === record.ssl?.status;
  const nextCheckAt = stays ? Math.max(track.nextCheckAt, now) : never;
  const calm: HostnameState = {
    ...state,
    track: { ...track, nextCheckAt: record.status === 'moved' ? track.nextCheckAt : nextCheckAt },
  };
  if (certificate === undefined || (lasts && record.ssl?.status !== 'active')) return calm;
  const isRunning = ['active', 'pending_expiration'].includes(record.ssl?.status ?? '');
  return patchTrack(calm, { nextAt: isRunning ? nextTry(certificate, now) : undefined });
}

/**
 * Returns the time at which the renewal begins. During the 30-day renewal period, returns the time of the next attempt, as if the
 * certificate had been renewed on schedule.
 */
function nextTry(certificate: CertificateTrack, now: number): number | undefined {
  const { expiresAt = now } = certificate;
  const begins = renewalMoment(certificate);
  if (expiresAt <= now || begins === undefined) return undefined;
  return begins > now ? begins : Math.min(now + machineSeconds.renewal * 1000, expiresAt);
}

/** Returns the default dates of issue and expiry for a certificate with this status, in milliseconds. */
export function usualDates(
  status: CertificateStatus,
  given: { readonly uploadedAt?: number | undefined; readonly expiresAt?: number | undefined },
  now: number,
): { readonly uploadedAt: number; readonly expiresAt: number } {
  const { uploadedAt } = given;
  const left = status === 'expired' ? -1 : status === 'pending_expiration' ? 10 : 60;
  const end =
    uploadedAt === undefined ? now + left * dayMilliseconds : uploadedAt + validDays * dayMilliseconds;
  const expiresAt = given.expiresAt ?? end;
  return { uploadedAt: uploadedAt ?? expiresAt - validDays * dayMilliseconds, expiresAt };
}
