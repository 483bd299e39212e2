import type { HostnameChange, HostnameCreation } from '../../model/hostnames/request.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import { type Platform, refusal } from '../http/exchange.ts';
import { hostnameCodes } from './codes.ts';

const setting = 'entitlements';

/** Features that a zone is allowed to use in addition to the features of its plan. */
export interface Entitlements {
  /** Whether metadata for wildcards is allowed; false if the zone has opted out. */
  readonly wildcard_metadata: boolean;
  readonly custom_origin: boolean;
}

export function readEntitlements(platform: Platform): Entitlements {
  const usual = { wildcard_metadata: true, custom_origin: true };
  return { ...usual, ...(platform.registry().settings.read(setting) as Partial<Entitlements> | undefined) };
}

/** Sets the entitlements of every zone. */
export function setEntitlements(platform: Platform, change: Partial<Entitlements>): void {
  platform.registry().settings.write(setting, { ...readEntitlements(platform), ...change });
}

/** The fields of a request, with the metadata that the hostname will have and whether it will be a wildcard. */
type Wanted = Pick<HostnameCreation | HostnameChange, 'metadata' | 'certificate' | 'origin' | 'originSni'> & {
  readonly isWildcard: boolean;
};

/** Refuses custom certificates, wildcards and an SNI for custom origins, which require the Enterprise plan (Cloudflare for SaaS: plans). */
function refuseEnterpriseFeatures({ certificate, originSni, isWildcard }: Wanted): void {
  const denied = (what: string) =>
    refusal(400, hostnameCodes.notDecodable, `${what} is available on the Enterprise plan only.`);
  if (certificate?.customCertificate !== undefined) throw denied('A custom certificate');
  if (isWildcard && certificate !== undefined) throw denied('A wildcard custom hostname');
  if (typeof originSni === 'string') {
    const message = 'SNI rewriting of custom origins is available on the Enterprise plan only.';
    throw refusal(403, hostnameCodes.originDenied, message);
  }
}

/**
 * Refuses features that the zone is not allowed to use: metadata (1413) and the choice of an authority (1459) require Enterprise; a custom
 * origin (1414) and metadata of a wildcard (1412) require an entitlement.
 */
export function refuseByPlan(platform: Platform, plan: ZonePlan, wanted: Wanted): void {
  const { metadata = {}, certificate, origin, isWildcard } = wanted;
  const isPaid = plan === 'enterprise';
  const agreed = readEntitlements(platform);
  const hasMetadata = Object.keys(metadata).length > 0;
  if (hasMetadata && !isPaid)
    throw refusal(403, hostnameCodes.metadataDenied, 'No access to custom metadata on this plan.');
  if (hasMetadata && isWildcard && !agreed.wildcard_metadata) {
    const message = 'Custom metadata for wildcard custom hostnames is not supported.';
    throw refusal(400, hostnameCodes.wildcardMetadataDenied, message);
  }
  if (typeof origin === 'string' && !agreed.custom_origin) {
    const message = 'Access to setting a custom origin server has not been granted for this zone.';
    throw refusal(403, hostnameCodes.originDenied, message);
  }
  if (!isPaid) refuseEnterpriseFeatures(wanted);
  if (!isPaid && (certificate?.authority ?? 'default') !== 'default') {
    const message = 'The certificate authority can be chosen on the Enterprise plan only.';
    throw refusal(400, hostnameCodes.authorityDenied, message);
  }
}
