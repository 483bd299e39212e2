import type { HostnameChange, HostnameCreation } from '../../model/hostnames/request.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import { refusal } from '../http/exchange.ts';
import { hostnameCodes } from './codes.ts';

/** Refuses what the zone's plan does not have: metadata (1413) and the choice of an authority (1459) are Enterprise's. */
export function refuseByPlan(
  plan: ZonePlan,
  { metadata, certificate }: Pick<HostnameCreation | HostnameChange, 'metadata' | 'certificate'>,
): void {
  if (plan === 'enterprise') return;
  if (metadata !== undefined && Object.keys(metadata).length > 0) {
    throw refusal(403, hostnameCodes.metadataDenied, 'No access to custom metadata on this plan.');
  }
  if ((certificate?.authority ?? 'default') !== 'default') {
    const message = 'The certificate authority can be chosen on the Enterprise plan only.';
    throw refusal(400, hostnameCodes.authorityDenied, message);
  }
}
