import { listAuthorities } from '../diagnosis/caa.ts';
import { install } from './certificate.ts';
import { transition } from './entry.ts';
import { certificateNames, dayMilliseconds, isTimedOut } from './hostname.ts';
import { hostnameVerdict, type Observation, verificationErrors } from './observation.ts';
import type { CertificateOrder, HostnameAttributes, HostnameChange, HostnameCreation } from './request.ts';
import {
  type CertificateTrack,
  type HostnameState,
  type InstalledCertificate,
  type LiveCertificate,
  type LiveHostname,
  machineSeconds,
  wireTime,
  without,
} from './state.ts';
import { derivedUuid, ownershipName, tokenDays } from './tokens.ts';

/** The values that the platform adds to a creation request. */
export interface CreationContext {
  /** UUID of the new hostname. */
  readonly id: string;
  /** The hostname's own secret, from which all of its tokens are derived. */
  readonly seed: string;
  /** `<uuid>.dcv.<provider>` of the zone. */
  readonly delegation: string;
  readonly seen: Observation;
  /** The certificate that was uploaded with the creation, if any. */
  readonly uploaded?: InstalledCertificate;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns a new custom hostname. The hostname is pending, its certificate has no tokens yet, and its first check is in two seconds. */
export function newHostname(creation: HostnameCreation, context: CreationContext): HostnameState {
  const { id, seed, delegation, seen, now } = context;
  const record: LiveHostname = {
    id,
    hostname: creation.hostname,
    status: 'pending',
    verification_errors: [],
    ...newOwnership(creation.hostname, id, seed),
    created_at: wireTime(now),
  };
  const track = { attempts: 0, nextCheckAt: now + machineSeconds.tokens * 1000, everPointedHere: false };
  const bare = withAttributes({ record, track, seed, delegation }, creation);
  const verdict = hostnameVerdict(bare.record, false, seen);
  const verification_errors = verificationErrors(bare.record, seen, verdict);
  const checked: HostnameState = { ...bare, record: { ...bare.record, verification_errors } };
  if (creation.certificate === undefined) return checked;
  return ordered(checked, creation.certificate, context.uploaded, now);
}

function newOwnership(hostname: string, id: string, seed: string): Partial<LiveHostname> {
  const value = derivedUuid(seed, 'ownership');
  const base = hostname.replace(/^\*\./, '');
  return {
    ownership_verification: { type: 'txt', name: ownershipName(base), value },
    ownership_verification_http: {
      http_url: `http://${base}/.well-known/cf-custom-hostname-challenge/${id}`,
      http_body: value,
    },
  };
}

/**
 * Applies a PATCH to the record. Changes only the certificate's status, not the hostname's. `redeploys`: whether the hostname must be
 * deployed to the edge again.
 */
export function applyPatch(
  state: HostnameState,
  change: HostnameChange,
  uploaded: InstalledCertificate | undefined,
  now: number,
): { readonly state: HostnameState; readonly redeploys: boolean } {
  const next = withAttributes(state, change);
  const redeploys = next.record.custom_origin_server !== state.record.custom_origin_server;
  if (change.certificate === undefined) return { state: next, redeploys };
  const before = state.certificate?.order;
  const order = { ...(before ?? emptyOrder), ...change.certificate };
  const settingsChange = JSON.stringify(order.settings) !== JSON.stringify(before?.settings ?? {});
  if (before !== undefined && uploaded === undefined && !needsNewOrder(state, before, order, now)) {
    return { state: withOrder(next, order), redeploys: redeploys || settingsChange };
  }
  return { state: ordered(next, order, uploaded, now), redeploys: redeploys || settingsChange };
}

const emptyOrder: CertificateOrder = {
  method: 'http',
  authority: 'default',
  wildcard: false,
  branding: false,
  bundleMethod: 'ubiquitous',
  settings: {},
};

/**
 * Returns whether a change needs a new order, and therefore new tokens: it changes the authority, the method or the names, or the previous
 * order has ended.
 */
function needsNewOrder(
  state: HostnameState,
  before: CertificateOrder,
  after: CertificateOrder,
  now: number,
): boolean {
  const status = state.record.ssl?.status;
  const track = state.certificate;
  const stale =
    status === 'pending_validation' &&
    track !== undefined &&
    now - track.since > tokenDays(track.authority) * dayMilliseconds;
  const ended = isTimedOut(status) || status === 'expired' || status === 'inactive' || status === 'deleted';
  const isSameOrder =
    before.authority === after.authority &&
    before.method === after.method &&
    before.wildcard === after.wildcard &&
    before.branding === after.branding;
  return ended || stale || !isSameOrder;
}

function withOrder(state: HostnameState, order: CertificateOrder): HostnameState {
  const { certificate: track, record } = state;
  if (track === undefined || record.ssl === undefined) return state;
  const ssl: LiveCertificate = { ...record.ssl, settings: order.settings, bundle_method: order.bundleMethod };
  return { ...state, record: { ...record, ssl }, certificate: { ...track, order } };
}

/** Begins an order. An installed certificate is kept until the new certificate replaces it. */
function ordered(
  state: HostnameState,
  order: CertificateOrder,
  uploaded: InstalledCertificate | undefined,
  now: number,
): HostnameState {
  const { record, seed, certificate: old } = state;
  const orderNumber = (old?.orderNumber ?? 0) + 1;
  const authority = listAuthorities(order.authority)[0] ?? 'google';
  const expiry = old?.expiresAt === undefined ? {} : { expiresAt: old.expiresAt };
  const track: CertificateTrack = {
    order,
    orderNumber,
    attempts: 0,
    since: now,
    authority,
    cleared: false,
    ...expiry,
  };
  const ssl = newCertificate(record, order, derivedUuid(seed, `certificate ${orderNumber}`), authority);
  const next: HostnameState = { ...state, record: { ...record, ssl }, certificate: track };
  return uploaded === undefined ? transition(next, 'ordered', now) : install(next, uploaded, 'uploaded', now);
}

function newCertificate(
  record: LiveHostname,
  order: CertificateOrder,
  id: string,
  certificate_authority: string,
): LiveCertificate {
  const { method, wildcard, settings, bundleMethod: bundle_method } = order;
  const common = { id, type: 'dv', wildcard, settings, bundle_method, status: 'initializing' as const };
  if (order.customCertificate !== undefined)
    return { ...common, custom_certificate: order.customCertificate };
  const hosts = certificateNames(record.hostname, wildcard);
  const managed = { ...common, method, certificate_authority, hosts };
  if (record.ssl === undefined) return managed;
  return {
    ...without(record.ssl, 'validation_records', 'validation_errors', 'custom_certificate'),
    ...managed,
  };
}

function withAttributes(state: HostnameState, attributes: HostnameAttributes): HostnameState {
  const { origin, originSni, metadata } = attributes;
  const cleared = [
    ...(origin === null ? (['custom_origin_server'] as const) : []),
    ...(originSni === null ? (['custom_origin_sni'] as const) : []),
  ];
  const record: LiveHostname = {
    ...without(state.record, ...cleared),
    ...(typeof origin === 'string' && { custom_origin_server: origin }),
    ...(typeof originSni === 'string' && { custom_origin_sni: originSni }),
    ...(metadata !== undefined && { custom_metadata: metadata }),
  };
  return { ...state, record };
}
