import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { allowedAuthorities } from '../../../src/model/diagnosis/caa.ts';
import type { AuthorityChoice, CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Observation } from '../../../src/model/hostnames/observation.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import { createObserver } from '../../../src/sandbox/hostnames/run.ts';
import type { Party, Site } from './site.ts';
import { listParties } from './world.ts';

/** The truth about a world, read from the platform's state and from a visit, independently of edgectl. */
export interface Truth {
  readonly record: CustomHostname | undefined;
  /** Whether the hostname is active, with an active certificate that visitors receive and a response without an error. */
  readonly isInService: boolean;
  /** The platform's view of DNS, holds and origins. */
  readonly seen: Observation;
  /** All parties that still have something to do. If empty, only the platform or time can help. */
  readonly duties: ReadonlySet<Party>;
  /** All state that can change, to check whether a step had an effect. */
  readonly fingerprint: string;
}

export async function readTruth(site: Site, open: ReadonlySet<string>, isWildcard: boolean): Promise<Truth> {
  const { stage, host } = site;
  const record = await site.record();
  const { platform } = stage.sandbox;
  const registry = platform.registry();
  const zone = registry.zones.list().find(({ id }) => id === stage.zoneId);
  if (zone === undefined) throw new Error('the stage has no zone');
  const [stored] = registry.hostnames.named(host);
  const { now } = await stage.api<{ now: string }>('GET', '/sandbox/clock');
  const seen = createObserver(
    platform,
    zone,
    stored === undefined ? { hostname: host } : { ...stored, hostname: host },
  )(Date.parse(now));
  const interventions = await stage.api<{ hostname: string }[]>('GET', '/sandbox/interventions');
  const decisions = interventions.filter(({ hostname }) => hostname === host);
  const decided = decisions.length > 0;
  const behind = await findOrigin(site, record);
  const isActive = record?.status === 'active' && record.ssl?.status === 'active';
  const resolves = await pointsToEdge(site);
  const isInService =
    isActive &&
    resolves &&
    (await isServed(site, isWildcard || record.ssl?.wildcard === true, Date.parse(now)));
  return {
    record,
    isInService,
    seen,
    duties: listDuties(
      site,
      record,
      { ...seen, resolves },
      new Set([
        ...open,
        ...(decided ? listDecisions(site) : []),
        ...(behind === 'right' ? [] : listOriginFaults(site)),
      ]),
    ),
    fingerprint: JSON.stringify([
      record?.status,
      record?.ssl?.status,
      record?.ssl?.certificate_authority,
      record?.ssl?.method,
      record?.verification_errors,
      record?.ssl?.validation_errors,
      seen,
      decisions,
      [...open],
      behind,
      resolves,
      isInService,
    ]),
  };
}

/** Returns the faults that are decisions of the platform or of an authority. */
function listDecisions({ world }: Site): ReadonlySet<string> {
  const made = world.faults.filter(({ fault }) => fault.slot === 'authority' || fault.slot === 'abuse');
  return new Set(made.map(({ fault }) => fault.id));
}

function listDuties(
  site: Site,
  record: CustomHostname | undefined,
  seen: Observation & { readonly resolves: boolean },
  open: ReadonlySet<string>,
): ReadonlySet<Party> {
  const duties = new Set<Party>();
  const { world } = site;
  if (record === undefined) duties.add('us');
  const owned =
    record?.status === 'active' || seen.ownershipTxt.includes(record?.ownership_verification?.value ?? '-');
  const arrives = seen.routing === 'here' || (seen.reached === true && owned);
  const certified = record?.ssl?.status === 'active';
  // The platform resumes an abandoned validation on request (specification, States and transitions).
  if (arrives && record?.status === 'moved') duties.add('us');
  if (record?.status === 'blocked' && seen.heldBy === undefined && seen.flagged !== true) duties.add('us');
  if (record?.ssl?.status?.endsWith('timed_out') === true || record?.ssl?.status === 'expired')
    duties.add('us');
  if (!arrives) duties.add('customer');
  else if (!seen.resolves) duties.add(seen.routing === 'here' ? 'us' : 'customer');
  if (world.kind === 'wildcard' && !certified && !isProved(record, seen)) duties.add('customer');
  if (world.kind === 'wildcard' && record?.ssl?.method === 'http') duties.add('us');
  if (!certified && seen.barred === true && world.kind !== 'wildcard') duties.add('customer').add('us');
  const isNamed = world.faults.some(({ fault }) => fault.id === 'international-name-at-google');
  if (isNamed && !certified && record?.ssl?.certificate_authority === 'google')
    duties.add('us').add('customer');
  if (!certified) for (const party of caaDuties(site, record, seen)) duties.add(party);
  if (seen.heldBy !== undefined && record?.status !== 'active') duties.add('zone-owner');
  if (seen.flagged === true) duties.add('provider');
  if (record?.custom_origin_server === undefined && seen.fallback !== 'active') duties.add('us');
  for (const { fault } of world.faults)
    if (open.has(fault.id)) for (const party of listParties(fault, world)) duties.add(party);
  return duties;
}

function isProved(record: CustomHostname | undefined, seen: Observation): boolean {
  const texts = (record?.ssl?.validation_records ?? []).flatMap(({ txt_value }) => txt_value ?? []);
  return seen.delegated || (texts.length > 0 && texts.every((text) => seen.dcvTxt.includes(text)));
}

function caaDuties({ world }: Site, record: CustomHostname | undefined, seen: Observation): readonly Party[] {
  const wildcard = world.kind === 'wildcard';
  const chosen = (record?.ssl?.certificate_authority || world.authority) as AuthorityChoice;
  const can = allowedAuthorities(seen.caa, chosen, wildcard).length > 0;
  if (can) return [];
  const last = seen.caa.asked.at(-1);
  if (last?.outcome === 'records' && last.alias?.endsWith('saas.sandbox') === true) return ['us'];
  const others = allowedAuthorities(seen.caa, 'default', wildcard).length > 0 && world.plan === 'enterprise';
  return others ? ['us', 'customer'] : ['customer'];
}

function listOriginFaults({ world }: Site): readonly string[] {
  return world.faults.filter(({ fault }) => fault.slot === 'origin').map(({ fault }) => fault.id);
}

/**
 * Returns the state of the origin that the edge needs: `right` if the name of an origin is set and has a proxied record whose address is
 * not one of the platform's, otherwise the fault.
 */
async function findOrigin(
  { stage, host, world }: Site,
  record: CustomHostname | undefined,
): Promise<'right' | 'not set' | 'no record' | 'not proxied' | 'prohibited'> {
  const set = await stage
    .zone<{ origin?: string }>('GET', '/custom_hostnames/fallback_origin')
    .catch(() => undefined);
  // A deleted hostname needs the origin with which it was created, whose record can exist before the hostname.
  const lost = world.faults
    .map(({ fault }) => fault.creation?.({ hostname: host, ssl: { method: '', type: 'dv' } }))
    .find((body) => body?.custom_origin_server !== undefined)?.custom_origin_server;
  const name =
    record === undefined && lost !== undefined ? lost : (record?.custom_origin_server ?? set?.origin);
  if (name === undefined) return 'not set';
  const found = await stage.zone<{ type: string; content: string; proxied: boolean }[]>(
    'GET',
    `/dns_records?name=${name}`,
  );
  const reached = found.find(({ type }) => ['A', 'AAAA', 'CNAME'].includes(type));
  if (reached === undefined) return 'no record';
  if (reached.content === edgeAddresses.own) return 'prohibited';
  return reached.proxied ? 'right' : 'not proxied';
}

/** The account's own addresses, in worlds with apex proxying. */
const ownRange = /^198\.18\.7\./;

/** Returns true if public DNS points only to the platform's edge. */
async function pointsToEdge({ stage, host }: Site): Promise<boolean> {
  const ask = (type: string) =>
    stage.api<{ kind: string; records?: readonly { address?: string }[] }>(
      'GET',
      `/sandbox/dns/answer?name=${host}&type=${type}`,
    );
  const answers = [await ask('A'), await ask('AAAA')];
  const edge: readonly string[] = Object.values(edgeAddresses);
  const found = answers.flatMap(({ records = [] }) => records.map(({ address = '' }) => address));
  const isOurs = (address: string) => edge.includes(address) || ownRange.test(address);
  return found.length > 0 && found.every(isOurs);
}

/** Visits the hostname over TLS as a browser does: expects a status below 500 and a valid certificate for the name. */
function isServed({ stage, host }: Site, wildcard: boolean, now: number): Promise<boolean> {
  const port = Number(new URL(stage.ready?.edgeTlsUrl ?? '').port);
  return new Promise((settle) => {
    const options = {
      host: '127.0.0.1',
      port,
      servername: host,
      headers: { host },
      rejectUnauthorized: false,
      agent: false,
    };
    const sent = request(options, (response) => {
      const shown = (response.socket as TLSSocket).getPeerCertificate();
      const names = shown.subjectaltname ?? '';
      const covers = names.includes(`DNS:${host}`) && (!wildcard || names.includes(`DNS:*.${host}`));
      response.resume();
      settle((response.statusCode ?? 500) < 400 && covers && Date.parse(shown.valid_to) > now);
    });
    sent.once('error', () => settle(false)).end();
  });
}
