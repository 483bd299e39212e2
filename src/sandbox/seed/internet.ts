import { isWithin } from '../../model/dns/dns.ts';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { SeedHostname } from '../../model/sandbox/seed.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { automaticTtl } from '../dns/names.ts';
import { changeInternet } from '../hostnames/run.ts';
import type { Platform } from '../http/exchange.ts';

/**
 * Makes what hostnames in service need and a seed need not say: their zone has a fallback origin, and their DNS leads to
 * it. What is there already stays.
 */
export async function connect(
  platform: Platform,
  hostnames: readonly { readonly zone: StoredZone; readonly given: SeedHostname }[],
  now: number,
): Promise<void> {
  const served = hostnames.filter(({ given: { status, kept } }) => kept === undefined && isServed(status));
  if (served.length === 0) return;
  await changeInternet(platform, () => {
    const { dnsEntries, zones } = platform.registry();
    const known = new Set(dnsEntries.list().map(({ name }) => name));
    const made: DnsEntry[] = [];
    for (const { zone, given } of served) {
      const target = (zones.find(zone.id) ?? zone).fallback?.origin ?? makeFallback(platform, zone, now);
      const name = given.hostname.toLowerCase();
      if (known.has(name) || isWithin(name, zone.name) || name.startsWith('*.')) continue;
      made.push({ name, type: 'CNAME', ttl: automaticTtl, contents: [target] });
    }
    dnsEntries.set(made);
  });
}

function isServed(status: SeedHostname['status']): boolean {
  return status === 'active' || status === 'active_redeploying';
}

function makeFallback(platform: Platform, zone: StoredZone, now: number): string {
  const { zones, dnsRecords } = platform.registry();
  const origin = `customers.${zone.name}`;
  const before = now - dayMilliseconds;
  const draft = { type: 'A', name: origin, content: '192.0.2.10', proxied: true, ttl: 1, more: {} };
  if (dnsRecords.list(zone.id).every(({ name }) => name !== origin))
    dnsRecords.create(zone.id, draft, before);
  zones.setFallback(zone.id, { origin, createdAt: before, updatedAt: before });
  return origin;
}
