import { newHostname } from '../../../src/model/hostnames/change.ts';
import { advance, type HostnameEvent, step } from '../../../src/model/hostnames/machine.ts';
import type { Observation } from '../../../src/model/hostnames/observation.ts';
import type { HostnameCreation } from '../../../src/model/hostnames/request.ts';
import {
  type HostnameState,
  type InstalledCertificate,
  wantedCertificate,
} from '../../../src/model/hostnames/state.ts';

export const start = Date.UTC(2026, 0, 1);
export const second = 1000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;
export const hostname = 'shop.acme-store.com';

const noCaa = { name: hostname, asked: [{ owner: hostname, outcome: 'none' as const }] };

/** Returns an observation in which DNS points here and everything else is correct, with changes. */
export function seen(change: Partial<Observation> = {}): Observation {
  return {
    routing: 'here',
    proxied: false,
    ownershipTxt: [],
    dcvTxt: [],
    delegated: false,
    caa: noCaa,
    fallback: 'active',
    rival: false,
    ...change,
  };
}

/** Returns CAA records at the hostname that allow only one issuer. */
export function caaFor(issuer: string): Observation['caa'] {
  const records = [{ flags: 0, tag: 'issue', value: issuer }];
  return { name: hostname, asked: [{ owner: hostname, outcome: 'records', records }] };
}

export function created(change: Partial<HostnameCreation> = {}, view: Observation = seen()): HostnameState {
  const certificate = {
    method: 'http' as const,
    authority: 'default' as const,
    wildcard: false,
    branding: false,
    bundleMethod: 'ubiquitous',
    settings: {},
  };
  return newHostname(
    { hostname, certificate, ...change },
    { id: 'id-1', seed: 'secret', delegation: 'zone.dcv.platform.net', seen: view, now: start },
  );
}

export function certificateUntil(expiresAt: number, uploadedAt = start): InstalledCertificate {
  return {
    issuer: 'Test CA',
    serialNumber: '01',
    signature: 'ECDSAWithSHA256',
    hosts: [hostname],
    uploadedAt,
    expiresAt,
  };
}

/** Advances time as the sandbox does, and issues each requested certificate (90 days). */
export function until(state: HostnameState, view: Observation, now: number): HostnameState | undefined {
  let current: HostnameState | undefined = state;
  for (;;) {
    current = advance(current, () => view, now);
    const wanted = current === undefined ? undefined : wantedCertificate(current);
    if (current === undefined || wanted === undefined) return current;
    const certificate = certificateUntil(wanted.since + 90 * day, wanted.since);
    current = step(current, { type: 'issued', certificate }, wanted.since);
    if (current === undefined) return undefined;
  }
}

/** Returns the state after an event, which must not delete the hostname. */
export function next(state: HostnameState | undefined, event: HostnameEvent, now: number): HostnameState {
  const stepped = state === undefined ? undefined : step(state, event, now);
  if (stepped === undefined) throw new Error('the custom hostname was deleted');
  return stepped;
}

/** Returns both statuses: `hostname status / certificate status`. */
export function statuses(state: HostnameState | undefined): string {
  return state === undefined ? 'deleted' : `${state.record.status} / ${state.record.ssl?.status}`;
}

/** Returns an active hostname, one minute after its creation. */
export function active(change: Partial<HostnameCreation> = {}): HostnameState {
  const state = until(created(change), seen(), start + minute);
  if (state === undefined) throw new Error('the custom hostname was deleted');
  return state;
}
