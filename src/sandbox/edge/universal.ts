import { parentName } from '../../model/dns/dns.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { makeCertificate } from '../hostnames/certificates.ts';
import { zoneOver } from '../hostnames/route.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { edgeViewOf } from './hostnames.ts';

const made = new WeakMap<Platform, Map<string, Promise<KeyedCertificate>>>();

/**
 * The universal certificate of the zone, for a proxied host of the zone that it covers: the zone itself, or one label below it.
 * Made at its first use in a process.
 */
export async function universalFor(platform: Platform, host: string): Promise<KeyedCertificate | undefined> {
  const view = edgeViewOf(platform);
  const zone = zoneOver(view, host);
  if (zone === undefined || (host !== zone.name && parentName(host) !== zone.name)) return undefined;
  const isProxied = view.records.some(
    (record) => record.zoneId === zone.id && record.proxied && record.name === host,
  );
  if (!isProxied) return undefined;
  const known = made.get(platform) ?? new Map<string, Promise<KeyedCertificate>>();
  made.set(platform, known);
  const certificate = known.get(zone.id) ?? make(platform, zone.name);
  known.set(zone.id, certificate);
  return certificate;
}

async function make(platform: Platform, name: string): Promise<KeyedCertificate> {
  const wanted = {
    hostname: name,
    wildcard: true,
    branding: false,
    authority: 'google',
    since: clockNow(platform),
  } as const;
  return (await makeCertificate(platform.registry().settings, platform.random, wanted)).keyed;
}
