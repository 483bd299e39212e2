import { type CertificateStatus, dayMilliseconds, type HostnameStatus, hostnameLimits } from './hostname.ts';
import {
  type CertificateTrack,
  type HostnameState,
  type HostnameTrack,
  machineSeconds,
  renewalMoment,
  withCertificate,
  without,
} from './state.ts';
import { challengeName, delegationTarget, validationRecords } from './tokens.ts';
import { findTransition, type Trigger } from './transitions.ts';

/** Applies the transition for this trigger. Returns the same state if there is no such transition. */
export function transition(state: HostnameState, on: Trigger, now: number): HostnameState {
  const found = findTransition(state.record.status, state.record.ssl?.status, on);
  return found === undefined ? state : enter(state, found.to, now);
}

/** Sets the statuses of the hostname and its certificate to the target of a transition. */
export function enter(
  state: HostnameState,
  { status, certificate }: { readonly status?: HostnameStatus; readonly certificate?: CertificateStatus },
  now: number,
): HostnameState {
  const moved = status === undefined ? state : enterStatus(state, status, now);
  return certificate === undefined ? moved : enterCertificate(moved, certificate, now);
}

/** Hides or shows the certificate. Setting `nextAt` to undefined removes it; omitting `nextAt` keeps it. */
export function patchTrack(
  state: HostnameState,
  change: Partial<Omit<CertificateTrack, 'nextAt'>> & { readonly nextAt?: number | undefined },
): HostnameState {
  if (state.certificate === undefined) return state;
  const { nextAt, ...rest } = { ...state.certificate, ...change };
  return { ...state, certificate: { ...rest, ...(nextAt !== undefined && { nextAt }) } };
}

function enterStatus(state: HostnameState, status: HostnameStatus, now: number): HostnameState {
  return { ...state, record: { ...state.record, status }, track: trackOn(state.track, status, now) };
}

function trackOn(track: HostnameTrack, status: HostnameStatus, now: number): HostnameTrack {
  const rest = without(track, 'movedAt');
  if (status === 'moved') {
    const begun = track.awaySince ?? now;
    return { ...rest, movedAt: begun, nextCheckAt: begun + hostnameLimits.movedDays * dayMilliseconds };
  }
  if (status === 'pending') return { ...rest, attempts: 0, nextCheckAt: now };
  const wait = status === 'active_redeploying' ? machineSeconds.deployment : machineSeconds.watch;
  return { ...rest, nextCheckAt: now + wait * 1000 };
}

function enterCertificate(state: HostnameState, status: CertificateStatus, now: number): HostnameState {
  const { record, certificate: track } = state;
  if (record.ssl === undefined || track === undefined) return state;
  const entered: HostnameState = { ...state, record: { ...record, ssl: { ...record.ssl, status } } };
  const begun = patchTrack(entered, {
    since: now,
    attempts: 0,
    cleared: false,
    nextAt: firstCheckAt(track, status, now),
  });
  if (status === 'pending_validation') return publish(begun);
  if (status === 'pending_expiration')
    return publish(patchTrack(begun, { orderNumber: track.orderNumber + 1 }));
  return begun;
}

/**
 * Returns the time at which a certificate in a new status is first checked, in milliseconds since the epoch; undefined if the certificate
 * is not checked.
 */
export function firstCheckAt(
  track: CertificateTrack,
  status: CertificateStatus,
  now: number,
): number | undefined {
  switch (status) {
    case 'initializing':
      return now + machineSeconds.tokens * 1000;
    case 'pending_validation':
    case 'pending_issuance':
    case 'pending_expiration':
      return now;
    case 'pending_deployment':
    case 'staging_deployment':
      return now + machineSeconds.deployment * 1000;
    case 'holding_deployment':
    case 'staging_active':
      return now + machineSeconds.watch * 1000;
    case 'active':
      return Math.max(renewalMoment(track) ?? now, now);
    default:
      return undefined;
  }
}

/** Adds the authority's tokens to the record, with the DNS names or URLs at which the customer must publish the tokens. */
function publish(state: HostnameState): HostnameState {
  const { record, certificate: track, seed, delegation } = state;
  if (track === undefined) return state;
  const { method, wildcard } = track.order;
  const { orderNumber, authority } = track;
  const { hostname } = record;
  const base = hostname.replace(/^\*\./, '');
  return withCertificate(state, {
    validation_records: validationRecords({ hostname: base, seed, orderNumber, method, authority, wildcard }),
    dcv_delegation_records: [
      { cname: challengeName(base), cname_target: delegationTarget(base, delegation) },
    ],
  });
}
