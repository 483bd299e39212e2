import { authorityLimit } from '../../model/hostnames/certificate.ts';
import { type CustomHostname, certificateNames } from '../../model/hostnames/hostname.ts';
import type { LiveHostname, WantedCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import type { Platform } from '../http/exchange.ts';

/** The setting that keeps the interventions. */
export const interventionsSetting = 'interventions';

/** A decision of others about a hostname, whatever its DNS says. */
export interface Intervention {
  readonly hostname: string;
  /** The platform's abuse desk has blocked it. */
  readonly flagged?: boolean;
  /** The authority gives no tokens: an order stays at its beginning. */
  readonly silent?: boolean;
  /** The authority does not issue, and says this. */
  readonly refusal?: string;
  /** Only of this authority (default: of each). */
  readonly authority?: string;
  /** Seconds of its deletion, during which it can be read as deleted (default: it disappears immediately). */
  readonly lingers?: number;
  /** Its uploaded certificate is put into the staging environment, until somebody pushes it to production. */
  readonly staged?: boolean;
  /** The edge keeps the certificate that it shows now, whatever comes. */
  readonly behind?: boolean;
  /** The certificate that it keeps; none where it had none. */
  readonly kept?: KeyedCertificate;
  /** The edge shows a certificate that is out of its time, instead of the one it has. */
  readonly validity?: 'expired' | 'not_yet_valid';
  /** As a fallback origin it cannot be deployed. */
  readonly undeployable?: boolean;
  /** Statuses that the platform shows instead of its own, as a newer one may. */
  readonly shows?: { readonly status?: string; readonly certificate?: string };
}

export function interventionsOf(platform: Platform): readonly Intervention[] {
  return (platform.registry().settings.read(interventionsSetting) ?? []) as readonly Intervention[];
}

/** Sets what others decide about a hostname; what was set before goes. */
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

export function interventionOn(platform: Platform, hostname: string): Intervention | undefined {
  return interventionsOf(platform).find((one) => one.hostname === hostname);
}

/** The record as the platform shows it. */
export function asShown(platform: Platform, record: LiveHostname): CustomHostname {
  const shown = interventionOn(platform, record.hostname)?.shows;
  if (shown === undefined) return record;
  const { status = record.status, certificate = record.ssl?.status } = shown;
  return {
    ...record,
    status,
    ...(record.ssl && certificate && { ssl: { ...record.ssl, status: certificate } }),
  };
}

/** The words in which the authority refuses a certificate, or undefined. */
export function issuanceRefusal(
  platform: Platform,
  { hostname, wildcard, authority }: WantedCertificate,
): string | undefined {
  const found = interventionOn(platform, hostname);
  const concerned = found?.authority === undefined || found.authority === authority;
  if (found?.refusal !== undefined && concerned) return found.refusal;
  return authorityLimit(authority, certificateNames(hostname, wildcard));
}
