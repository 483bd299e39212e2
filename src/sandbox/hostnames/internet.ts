import { plainName } from '../../model/dns/dns.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { openDnsZones } from '../dns/zones.ts';
import type { Platform } from '../http/exchange.ts';
import { prefixesSetting, readPrefixes } from '../zones/prefixes.ts';
import { readZoneStates, zoneStatesSetting } from '../zones/states.ts';
import { edgeRulesSetting, readEdgeRules } from './edge-rules.ts';
import { interventionsSetting, readInterventions } from './interventions.ts';
import type { Internet } from './observe.ts';
import { originsSetting, readServers } from './origins.ts';

const pagesSetting = 'pages';
/** All settings of the simulated internet. */
const settings = [
  pagesSetting,
  edgeRulesSetting,
  interventionsSetting,
  originsSetting,
  zoneStatesSetting,
  prefixesSetting,
];
const known = new WeakMap<Platform, { readonly revision: string; readonly internet: Internet }>();

/**
 * Returns the current simulated internet of a sandbox. The result is cached until the DNS or a setting in the registry changes.
 */
export function readInternet(platform: Platform): Internet {
  const registry = platform.registry();
  const revision = `${registry.dnsRevision()} ${registry.settings.readText(settings)}`;
  const cached = known.get(platform);
  if (cached?.revision === revision) return cached.internet;
  const zones = registry.zones.list();
  const records = registry.dnsRecords.list();
  const sources = { zones, records, entries: registry.dnsEntries.list() };
  const suffixes = zones.map((zone) => `.${delegationSuffix(zone.delegation, 'cloudflare')}`);
  let asked = 0;
  const dns = openDnsZones(sources, (name) => {
    const suffix = suffixes.find((one) => name.endsWith(one));
    if (suffix === undefined) return undefined;
    asked += 1;
    return findDelegatedTexts(platform, plainName(name.slice(0, -suffix.length)));
  });
  const internet: Internet = {
    zones,
    records,
    dns,
    pages: readPages(platform),
    rules: readEdgeRules(platform),
    interventions: readInterventions(platform),
    servers: readServers(platform),
    inactive: Object.keys(readZoneStates(platform)),
    prefixes: readPrefixes(platform),
    askedOfHostnames: () => asked,
  };
  known.set(platform, { revision, internet });
  return internet;
}

/** Returns the bodies that customers' own web servers return, by URL. */
export function readPages(platform: Platform): Readonly<Record<string, string>> {
  return (platform.registry().settings.read(pagesSetting) ?? {}) as Record<string, string>;
}

/** Sets the body that a customer's web server returns at a URL; undefined removes the body. */
export function setPage(platform: Platform, url: string, body: string | undefined): void {
  platform.registry().settings.change(pagesSetting, (pages) => {
    const { [url]: _old, ...others } = (pages ?? {}) as Record<string, string>;
    return body === undefined ? others : { ...others, [url]: body };
  });
}

/** Returns the tokens at a delegation target, which exist while a certificate order for the hostname is open (reference, 3.4). */
function findDelegatedTexts(platform: Platform, hostname: string): readonly string[] | undefined {
  const named = platform.registry().hostnames.named(hostname);
  if (named.length === 0) return undefined;
  return named.flatMap(({ state }) =>
    (state.record.ssl?.validation_records ?? []).flatMap((record) => record.txt_value ?? []),
  );
}
