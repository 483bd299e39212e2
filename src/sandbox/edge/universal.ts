import { parentName } from '../../model/dns/dns.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { makeCertificate } from '../hostnames/certificates.ts';
import { findZoneAbove } from '../hostnames/route.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { readEdgeView } from './hostnames.ts';

interface Universal {
  readonly keyed: KeyedCertificate;
  /** Milliseconds since the UNIX epoch, on the platform's clock. */
  readonly renewAt: number;
}

const made = new WeakMap<Platform, Map<string, Promise<Universal>>>();
/**
 * The time in milliseconds for which a certificate is used: 60 of its 90 days, because the platform renews a certificate before it expires.
 */
const lifetimeMs = 60 * 24 * 60 * 60 * 1000;

/**
 * Returns the zone's universal certificate for a proxied host; undefined for any other host. The certificate covers the zone itself and
 * names one label below the zone. The certificate is created on first use in a process, and renewed when it is due according to the
 * platform's clock.
 */
export async function findUniversalCertificate(
  platform: Platform,
  host: string,
): Promise<KeyedCertificate | undefined> {
  const view = readEdgeView(platform);
  const zone = findZoneAbove(view, host);
  if (zone === undefined || (host !== zone.name && parentName(host) !== zone.name)) return undefined;
  const isProxied = view.records.some(
    (record) => record.zoneId === zone.id && record.proxied && record.name === host,
  );
  if (!isProxied) return undefined;
  const known = made.get(platform) ?? new Map<string, Promise<Universal>>();
  made.set(platform, known);
  const now = clockNow(platform);
  const last = await known.get(zone.id)?.catch(() => undefined);
  if (last !== undefined && now < last.renewAt && now >= last.renewAt - lifetimeMs) return last.keyed;
  const certificate = makeUniversal(platform, zone.name, now);
  known.set(zone.id, certificate);
  return (await certificate).keyed;
}

async function makeUniversal(platform: Platform, name: string, since: number): Promise<Universal> {
  const wanted = { hostname: name, wildcard: true, branding: false, authority: 'google', since } as const;
  const { keyed } = await makeCertificate(platform.registry().settings, platform.random, wanted);
  return { keyed, renewAt: since + lifetimeMs };
}
