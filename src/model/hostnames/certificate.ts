import {
  type AcmeMethod,
  allowedAuthorities,
  decideCaa,
  issuerDomains,
  listAuthorities,
} from '../diagnosis/caa.ts';
import type { CaaFacts } from '../diagnosis/facts.ts';
import { patchTrack, transition } from './entry.ts';
import { type CertificateAuthority, type CertificateStatus, certificateNames } from './hostname.ts';
import { certificateProof, holdReaches, type Observation } from './observation.ts';
import {
  type CertificateTrack,
  type HostnameState,
  type InstalledCertificate,
  machineSeconds,
  wireTime,
  withCertificate,
  without,
} from './state.ts';

/** Performs the step that is due for the certificate at `now`. The step may also change the hostname's own status (`caa_error`). */
export function checkCertificate(state: HostnameState, seen: Observation, now: number): HostnameState {
  const status = state.record.ssl?.status;
  const track = state.certificate;
  if (status === undefined || track === undefined) return state;
  return dueAt[status]?.(state, track, seen, now) ?? patchTrack(state, { nextAt: undefined });
}

type Due = (state: HostnameState, track: CertificateTrack, seen: Observation, now: number) => HostnameState;

const dueAt: Partial<Record<CertificateStatus, Due>> = {
  initializing: begin,
  pending_validation: validate,
  pending_issuance: clear,
  pending_deployment: deploy,
  holding_deployment: letGo,
  staging_deployment: (state, _track, _seen, now) => transition(state, 'staging-deployed', now),
  staging_active: letGo,
  active: endOrRenew,
  pending_expiration: renew,
};

/**
 * Deploys the certificate. An uploaded certificate is held back while its zone is not active or the certificate is in staging (reference,
 * 2.2).
 */
function deploy(
  state: HostnameState,
  { order }: CertificateTrack,
  seen: Observation,
  now: number,
): HostnameState {
  const held = order.customCertificate === undefined ? undefined : heldBack(seen);
  return transition(state, held ?? 'deployed', now);
}

function heldBack(seen: Observation): 'held-back' | 'staged' | undefined {
  if (seen.isZoneInactive === true) return 'held-back';
  return seen.staged === true ? 'staged' : undefined;
}

/** Deploys a certificate that was waiting, as soon as nothing prevents it. */
function letGo(
  state: HostnameState,
  _track: CertificateTrack,
  seen: Observation,
  now: number,
): HostnameState {
  const isHeld = heldBack(seen) !== undefined;
  return isHeld
    ? patchTrack(state, { nextAt: now + machineSeconds.watch * 1000 })
    : transition(state, 'released', now);
}

/** Requests tokens from the authority, and retries if it does not answer. */
function begin(
  state: HostnameState,
  _track: CertificateTrack,
  seen: Observation,
  now: number,
): HostnameState {
  if (seen.silent === true) return patchTrack(state, { nextAt: now + machineSeconds.watch * 1000 });
  return transition(state, 'tokens-ready', now);
}

function validate(
  state: HostnameState,
  track: CertificateTrack,
  seen: Observation,
  now: number,
): HostnameState {
  const proof = certificateProof(state.record, seen);
  if (proof !== undefined) return transition(patchTrack(state, { provedBy: proof }), 'validated', now);
  return tryLater(state, track, 'validation-over', now);
}

function tryLater(
  state: HostnameState,
  track: CertificateTrack,
  over: 'validation-over' | 'issuance-over',
  now: number,
): HostnameState {
  if (track.attempts >= certificateChecks) return transition(state, over, now);
  const nextAt = now + backOffSeconds(track.attempts) * 1000;
  return patchTrack(state, { attempts: track.attempts + 1, nextAt });
}

/** Checks CAA. Marks the certificate as ready to be issued, or records why it cannot be issued. */
function clear(state: HostnameState, track: CertificateTrack, seen: Observation, now: number): HostnameState {
  if (track.cleared) return patchTrack(state, { nextAt: undefined });
  if (holdReaches(state.record, seen))
    return patchTrack(state, { nextAt: now + machineSeconds.watch * 1000 });
  const methods: readonly AcmeMethod[] = track.provedBy === 'http' ? ['http-01'] : ['dns-01'];
  const { authority: choice, wildcard } = track.order;
  const allowed = allowedAuthorities(seen.caa, choice, wildcard, methods);
  const names = certificateNames(state.record.hostname, wildcard);
  // By default, the platform chooses an authority that can issue. If the hostname requests a specific authority, the platform orders from
  // that authority, even if that authority will refuse.
  const authority = allowed.find((one) => authorityLimit(one, names) === undefined) ?? allowed[0];
  if (authority !== undefined) {
    const ready = withoutErrors(withCertificate(state, { certificate_authority: authority }));
    const cleared = patchTrack(ready, { cleared: true, authority, since: now, nextAt: undefined });
    return transition(cleared, 'caa-allowed', now);
  }
  const errors = caaErrors(state, seen.caa, track);
  const refused = withCertificate(state, { validation_errors: errors.messages });
  return tryLater(
    errors.refused ? transition(refused, 'caa-refused', now) : refused,
    track,
    'issuance-over',
    now,
  );
}

function caaErrors(
  state: HostnameState,
  caa: CaaFacts,
  track: CertificateTrack,
): { readonly refused: boolean; readonly messages: readonly { readonly message: string }[] } {
  const choice = listAuthorities(track.order.authority);
  const decisions = choice.map((authority) => decideCaa(caa, { authority }));
  const unread = decisions.find((decision) => decision.base.outcome === 'unknown');
  if (unread !== undefined) {
    const message = `DNS lookup of the CAA records at ${unread.owner} failed: ${unread.detail}`;
    return { refused: false, messages: [{ message }] };
  }
  const issuers = choice.map((authority) => issuerDomains[authority]).join(', ');
  const where = decisions[0]?.alias ?? decisions[0]?.owner ?? state.record.hostname;
  return {
    refused: true,
    messages: [
      { message: `caa_error: ${state.record.hostname}` },
      { message: `The CAA records at ${where} do not allow ${issuers}.` },
    ],
  };
}

function endOrRenew(
  state: HostnameState,
  track: CertificateTrack,
  _seen: Observation,
  now: number,
): HostnameState {
  if (track.expiresAt !== undefined && track.expiresAt <= now) return transition(state, 'expired', now);
  if (track.order.customCertificate !== undefined) return patchTrack(state, { nextAt: track.expiresAt });
  return transition(state, 'renewal-due', now);
}

function renew(state: HostnameState, track: CertificateTrack, seen: Observation, now: number): HostnameState {
  const end = track.expiresAt ?? now;
  if (end <= now) return transition(state, 'expired', now);
  const proof = certificateProof(state.record, seen);
  if (proof !== undefined) return transition(patchTrack(state, { provedBy: proof }), 'validated', now);
  return patchTrack(state, { nextAt: Math.min(now + machineSeconds.renewal * 1000, end) });
}

/** Installs a certificate that was uploaded or was issued for this order. */
export function install(
  state: HostnameState,
  certificate: InstalledCertificate,
  on: 'issued' | 'uploaded',
  now: number,
): HostnameState {
  return transition(installed(state, certificate), on, now);
}

/** Returns the hostname with the attributes of the installed certificate. Does not change the certificate's status. */
export function installed(state: HostnameState, certificate: InstalledCertificate): HostnameState {
  const changed = withCertificate(withoutErrors(state), {
    hosts: certificate.hosts,
    issuer: certificate.issuer,
    serial_number: certificate.serialNumber,
    signature: certificate.signature,
    uploaded_on: wireTime(certificate.uploadedAt),
    expires_on: wireTime(certificate.expiresAt),
  });
  return patchTrack(changed, { expiresAt: certificate.expiresAt });
}

/** Records the authority's refusal. The hostname shows the message, and the order is retried later. */
export function recordRefusal(state: HostnameState, message: string, now: number): HostnameState {
  const track = state.certificate;
  if (track === undefined || state.record.ssl?.status !== 'pending_issuance') return state;
  const changed = withCertificate(state, { validation_errors: [{ message }] });
  return tryLater(patchTrack(changed, { cleared: false }), track, 'issuance-over', now);
}

function withoutErrors(state: HostnameState): HostnameState {
  const ssl = state.record.ssl;
  if (ssl === undefined) return state;
  return {
    ...state,
    record: { ...state.record, ssl: without(ssl, 'validation_errors', 'validation_records') },
  };
}

/** Maximum number of labels in a name for which Let's Encrypt issues certificates. */
const maxLabels = 10;

/**
 * Returns one sentence that explains why an authority never issues certificates for one of these names; undefined if the authority issues
 * them.
 */
export function authorityLimit(
  authority: CertificateAuthority | string | undefined,
  names: readonly string[],
): string | undefined {
  if (authority === 'google' && names.some((name) => /(?:^|\.)xn--/.test(name)))
    return 'Google does not issue certificates for internationalized domain names.';
  if (authority === 'lets_encrypt' && names.some((name) => name.split('.').length > maxLabels))
    return `Let's Encrypt issues certificates for names of at most ${maxLabels} labels.`;
  return undefined;
}

/** Number of checks after the first check before the platform stops validating a hostname: 7.06 days in total. */
export const hostnameChecks = 75;

/** Number of checks after the first check before a certificate's validation times out: 14.56 days in total. */
export const certificateChecks = 120;

const maxDelay = 14_400;

/**
 * Returns the seconds from check `attempt` (0 is the first) to the next check: `60 * 1.05 ** attempt` for the first ten checks and
 * `60 * 1.15 ** attempt` for later checks, but at most four hours (reference, section 2.4).
 */
export function backOffSeconds(attempt: number): number {
  const growth = attempt < 10 ? 1.05 : 1.15;
  return Math.min(Math.floor(60 * growth ** attempt), maxDelay);
}

/** Returns the seconds from the first check to the check after `attempts` delays. */
export function backOffTotal(attempts: number): number {
  let total = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) total += backOffSeconds(attempt);
  return total;
}
