import { isObject } from '../../model/json-object.ts';
import type { StoredHostname } from '../../store/hostnames/hostnames.ts';
import type { Platform } from '../http/exchange.ts';
import { zoneSettings } from '../zones/settings/catalogue.ts';
import { readZoneChanges } from '../zones/zone-changes.ts';

/** The settings of a zone that the edge applies. TLS versions are numbers: 1.2 is TLS 1.2. */
export interface EdgeSettings {
  /** TLS mode for origins that do not set a TLS mode; undefined if the zone's setting is unchanged. */
  readonly ssl: string | undefined;
  readonly alwaysHttps: boolean;
  readonly minTls: number;
  readonly maxTls: number;
  readonly http2: boolean;
  /** Value of the Strict-Transport-Security header. */
  readonly transportSecurity: string | undefined;
}

/**
 * Returns the settings for a host of a zone. The settings of the host's custom hostname override the settings of the zone.
 */
export function readEdgeSettings(
  platform: Platform,
  zoneId: string | undefined,
  found: StoredHostname | undefined,
): EdgeSettings {
  const changed = zoneId === undefined ? {} : (readZoneChanges(platform, zoneId).settings ?? {});
  const own = found?.state.record.ssl?.settings ?? {};
  const read = (name: string) => changed[name]?.value ?? zoneSettings[name]?.defaultValue;
  const least = read('tls_1_2_only') === 'on' ? '1.2' : read('min_tls_version');
  return {
    ssl: changed['ssl'] === undefined ? undefined : String(changed['ssl'].value),
    alwaysHttps: read('always_use_https') === 'on',
    minTls: Number(own.min_tls_version ?? least),
    maxTls: (own.tls_1_3 ?? read('tls_1_3')) === 'off' ? 1.2 : 1.3,
    http2: (own.http2 ?? read('http2')) !== 'off',
    transportSecurity: formatTransportSecurity(read('security_header')),
  };
}

function formatTransportSecurity(value: unknown): string | undefined {
  const header = isObject(value) ? value['strict_transport_security'] : undefined;
  if (!isObject(header) || header['enabled'] !== true) return undefined;
  const parts = [`max-age=${Number(header['max_age'] ?? 0)}`];
  if (header['include_subdomains'] === true) parts.push('includeSubDomains');
  if (header['preload'] === true) parts.push('preload');
  return parts.join('; ');
}
