import { authorityLimit } from '../../model/hostnames/authority-limits.ts';
import { certificateNames } from '../../model/hostnames/hostname.ts';
import type { WantedCertificate } from '../../model/hostnames/state.ts';
import type { Platform } from '../http/exchange.ts';

const setting = 'interventions';

/** A decision of others about a hostname, whatever its DNS says. */
export interface Intervention {
  readonly hostname: string;
  /** The platform's abuse desk has blocked it. */
  readonly flagged?: boolean;
  /** The authority gives no tokens: an order stays at its beginning. */
  readonly silent?: boolean;
  /** The authority does not issue, and says this. */
  readonly refusal?: string;
  /** Of this authority alone; left out, of each. */
  readonly authority?: string;
}

export function interventionsOf(platform: Platform): readonly Intervention[] {
  return (platform.registry().settings.read(setting) ?? []) as readonly Intervention[];
}

/** Sets what others decide about a hostname; what was set before goes. */
export function setIntervention(platform: Platform, intervention: Intervention): void {
  change(platform, intervention.hostname, [intervention]);
}

export function removeIntervention(platform: Platform, hostname: string): void {
  change(platform, hostname, []);
}

/** Puts others in the place of those about a hostname. */
function change(platform: Platform, hostname: string, put: readonly Intervention[]): void {
  platform.registry().settings.change(setting, (all) => {
    const others = ((all ?? []) as readonly Intervention[]).filter((one) => one.hostname !== hostname);
    return [...others, ...put];
  });
}

/** The words in which the authority refuses a certificate, or undefined. */
export function issuanceRefusal(
  platform: Platform,
  { hostname, wildcard, authority }: WantedCertificate,
): string | undefined {
  const found = interventionsOf(platform).find((one) => one.hostname === hostname);
  const concerned = found?.authority === undefined || found.authority === authority;
  if (found?.refusal !== undefined && concerned) return found.refusal;
  return authorityLimit(authority, certificateNames(hostname, wildcard));
}
