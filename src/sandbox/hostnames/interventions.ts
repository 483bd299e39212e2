import { authorityLimit } from '../../model/hostnames/certificate.ts';
import { type CustomHostname, certificateNames } from '../../model/hostnames/hostname.ts';
import type { LiveHostname, WantedCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import type { Platform } from '../http/exchange.ts';

/** The setting that stores the interventions. */
export const interventionsSetting = 'interventions';

/** A decision by a third party about a hostname, regardless of its DNS. */
export interface Intervention {
  readonly hostname: string;
  /** Whether the platform's abuse desk has blocked the hostname. */
  readonly flagged?: boolean;
  /** Whether the authority returns no tokens, so that an order stays in its initial state. */
  readonly silent?: boolean;
  /** The message with which the authority refuses to issue. */
  readonly refusal?: string;
  /** The only authority that refuses (default: all authorities). */
  readonly authority?: string;
  /** Seconds for which the deleted hostname can still be read, with the status `deleted` (default: 0). */
  readonly lingers?: number;
  /** Whether the hostname's uploaded certificate stays in the staging environment until someone pushes it to production. */
  readonly staged?: boolean;
  /** Whether the edge keeps serving the current certificate of the hostname, even if a new certificate is issued. */
  readonly behind?: boolean;
  /** The certificate that the edge keeps serving; absent if there was no certificate. */
  readonly kept?: KeyedCertificate;
  /** The validity fault of the certificate that the edge serves instead of the current certificate. */
  readonly validity?: 'expired' | 'not_yet_valid';
  /** Whether the origin cannot be deployed as a fallback origin. */
  readonly undeployable?: boolean;
  /** Statuses to show instead of the platform's own, to simulate a newer platform. */
  readonly shows?: { readonly status?: string; readonly certificate?: string };
}

export function readInterventions(platform: Platform): readonly Intervention[] {
  return (platform.registry().settings.read(interventionsSetting) ?? []) as readonly Intervention[];
}

/** Sets the intervention on a hostname, and replaces an earlier intervention. */
export function setIntervention(platform: Platform, intervention: Intervention): void {
  change(platform, intervention.hostname, [intervention]);
}

export function removeIntervention(platform: Platform, hostname: string): void {
  change(platform, hostname, []);
}

/** Replaces the interventions on a hostname. */
function change(platform: Platform, hostname: string, put: readonly Intervention[]): void {
  platform.registry().settings.change(interventionsSetting, (all) => {
    const others = ((all ?? []) as readonly Intervention[]).filter((one) => one.hostname !== hostname);
    return [...others, ...put];
  });
}

export function findIntervention(platform: Platform, hostname: string): Intervention | undefined {
  return readInterventions(platform).find((one) => one.hostname === hostname);
}

/** Returns the record as the platform shows it: with the statuses of an intervention, if any. */
export function applyShownStatus(platform: Platform, record: LiveHostname): CustomHostname {
  const shown = findIntervention(platform, record.hostname)?.shows;
  if (shown === undefined) return record;
  const { status = record.status, certificate = record.ssl?.status } = shown;
  return {
    ...record,
    status,
    ...(record.ssl && certificate && { ssl: { ...record.ssl, status: certificate } }),
  };
}

/** Returns the message of an authority that refuses a certificate, or undefined. */
export function findIssuanceRefusal(
  platform: Platform,
  { hostname, wildcard, authority }: WantedCertificate,
): string | undefined {
  const found = findIntervention(platform, hostname);
  const concerned = found?.authority === undefined || found.authority === authority;
  if (found?.refusal !== undefined && concerned) return found.refusal;
  return authorityLimit(authority, certificateNames(hostname, wildcard));
}
