import { newHostname } from '../../model/hostnames/change.ts';
import type { HostnameCreation } from '../../model/hostnames/request.ts';
import type { LiveHostname } from '../../model/hostnames/state.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { brand, createObserver } from './run.ts';
import type { UploadedCertificate } from './upload.ts';

/**
 * Creates a custom hostname in a zone, regardless of limits. Returns undefined if the zone already has this hostname.
 */
export function insertHostname(
  platform: Platform,
  zone: StoredZone,
  creation: HostnameCreation,
  upload?: UploadedCertificate,
): LiveHostname | undefined {
  const now = clockNow(platform);
  const state = newHostname(creation, {
    id: formatUuid(platform.random(16)),
    seed: Buffer.from(platform.random(32)).toString('base64url'),
    delegation: delegationSuffix(zone.delegation, brand),
    seen: createObserver(platform, zone, { hostname: creation.hostname })(now),
    now,
    ...(upload !== undefined && { uploaded: upload.installed }),
  });
  const keyed = upload === undefined ? {} : { keyed: upload.keyed };
  const inserted = platform.registry().hostnames.insert({ zoneId: zone.id, state, revision: 0, ...keyed });
  return inserted ? state.record : undefined;
}

/** Formats random bytes as a UUID (RFC 9562, version 4). */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const variant = '89ab'[(bytes[8] ?? 0) & 3] ?? '8';
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
