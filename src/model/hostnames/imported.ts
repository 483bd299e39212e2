import type { Facts } from '../diagnosis/facts.ts';
import { exactRecord, pointsHere, timeSinceValidation } from '../diagnosis/rules/reading.ts';
import { backOffTotal, certificateChecks, hostnameChecks } from './certificate.ts';
import { firstCheckAt } from './entry.ts';
import {
  type CustomHostname,
  dayMilliseconds,
  type HostnameCertificate,
  hasCustomCertificate,
  hostnameLimits,
  isCertificateAuthority,
  isCertificateStatus,
  isHostnameStatus,
  validationMethods,
} from './hostname.ts';
import type { CertificateOrder } from './request.ts';
import {
  type CertificateTrack,
  type HostnameState,
  type HostnameTrack,
  type LiveCertificate,
  machineSeconds,
} from './state.ts';

/** The values that an imported hostname needs but that its facts do not contain. */
export interface ImportContext {
  /** The hostname's own secret, from which new tokens are derived. */
  readonly seed: string;
  /** `<uuid>.dcv.<provider>` of the zone into which it is imported. */
  readonly delegation: string;
}

/**
 * Reconstructs the state of another platform's hostname from its record and DNS; undefined if there is no record. Hidden values are set to
 * the most likely values: the current authority is the requested authority, and an active hostname whose DNS points elsewhere was
 * validated in advance.
 */
export function importedState(facts: Facts, { seed, delegation }: ImportContext): HostnameState | undefined {
  const record = exactRecord(facts);
  if (record === undefined) return undefined;
  const { ssl, status = '', ...rest } = record;
  const live = { ...rest, status: isHostnameStatus(status) ? status : 'pending' } as const;
  const state: HostnameState = {
    record: { ...live, verification_errors: record.verification_errors ?? [] },
    track: hostnameTrack(facts, live.status),
    seed,
    delegation,
  };
  if (ssl === undefined) return state;
  const certificate = liveCertificate(ssl);
  return {
    ...state,
    record: { ...state.record, ssl: certificate },
    certificate: certificateTrack(facts, record, certificate),
  };
}

function liveCertificate(ssl: HostnameCertificate): LiveCertificate {
  const { status = '' } = ssl;
  return { ...ssl, status: isCertificateStatus(status) ? status : 'pending_validation' };
}

function hostnameTrack(facts: Facts, status: string): HostnameTrack {
  const { now, history } = facts;
  const everPointedHere = pointsHere(facts) || status === 'moved';
  if (status === 'moved') {
    const movedAt = history.movedSeenAt ?? now;
    const nextCheckAt = movedAt + hostnameLimits.movedDays * dayMilliseconds;
    return { attempts: 0, nextCheckAt, everPointedHere, movedAt };
  }
  if (status !== 'pending') return { attempts: 0, nextCheckAt: now, everPointedHere };
  return { ...scheduleAt(facts, hostnameChecks), everPointedHere };
}

/** Returns the progress of a validation in its schedule: the number of completed checks, and the time of the next check. */
function scheduleAt(facts: Facts, checks: number): Pick<HostnameTrack, 'attempts' | 'nextCheckAt'> {
  const begun = facts.now - (timeSinceValidation(facts) ?? 0) + machineSeconds.tokens * 1000;
  let attempts = 0;
  while (attempts < checks && begun + backOffTotal(attempts) * 1000 < facts.now) attempts += 1;
  return { attempts, nextCheckAt: Math.max(facts.now, begun + backOffTotal(attempts) * 1000) };
}

function certificateTrack(
  facts: Facts,
  record: CustomHostname,
  { status, expires_on, ...ssl }: LiveCertificate,
): CertificateTrack {
  const end = Date.parse(expires_on ?? '');
  const order = toOrder(record, ssl);
  const { attempts, nextCheckAt } = scheduleAt(facts, certificateChecks);
  const track: CertificateTrack = {
    order,
    orderNumber: 1,
    attempts: status === 'pending_validation' ? attempts : 0,
    since: facts.now - (timeSinceValidation(facts) ?? 0),
    authority: order.authority === 'default' ? 'google' : order.authority,
    cleared: false,
    ...(ssl.method === 'txt' ? { provedBy: 'txt' as const } : { provedBy: 'http' as const }),
    ...(!Number.isNaN(end) && { expiresAt: end }),
  };
  const nextAt = nextCheck(track, status, facts.now, nextCheckAt);
  return { ...track, ...(nextAt !== undefined && { nextAt }) };
}

/**
 * Returns the time of the next check of an imported certificate. The schedule is that of a new certificate, but includes the time before
 * the export.
 */
function nextCheck(
  track: CertificateTrack,
  status: LiveCertificate['status'],
  now: number,
  check: number,
): number | undefined {
  if (status === 'initializing') return Math.max(now, track.since + machineSeconds.tokens * 1000);
  return status === 'pending_validation' ? check : firstCheckAt(track, status, now);
}

function toOrder(record: CustomHostname, ssl: HostnameCertificate): CertificateOrder {
  const { certificate_authority: authority = '', method, wildcard = false, bundle_method, settings } = ssl;
  return {
    method: validationMethods.find((one) => one === method) ?? 'http',
    authority: isCertificateAuthority(authority) ? authority : 'default',
    wildcard,
    branding: record.hostname.length > hostnameLimits.commonName,
    bundleMethod: bundle_method ?? 'ubiquitous',
    settings: settings ?? {},
    ...(hasCustomCertificate(record) && { customCertificate: 'of another platform' }),
  };
}
