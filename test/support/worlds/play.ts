import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { challengeName, ownershipName } from '../../../src/model/hostnames/tokens.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import { origin as fallbackOrigin, type Stage, target } from '../../services/hostnames/stage.ts';
import type { CreationBody, Site } from './site.ts';
import type { World } from './world.ts';

/** Name servers of a provider with ALIAS records, so that an apex can point to another name. */
export const nameServers = ['ns1.dnsimple.com', 'ns2.dnsimple-edge.net'];

export interface SiteOptions {
  /** `later`: the platform sees DNS changes only at its next check, which is faster with many hostnames. */
  readonly notice?: 'at-once' | 'later';
}

/** Opens a world in a sandbox. The world is empty until its events are played. */
export function createSite(stage: Stage, world: World, { notice = 'at-once' }: SiteOptions = {}): Site {
  const { host, domain } = world;
  return {
    stage,
    world,
    host,
    domain,
    target,
    origin: `o-${host.replaceAll('.', '-').slice(-40)}.saas.sandbox`,
    async record() {
      const found = await stage.zone<CustomHostname[]>('GET', `/custom_hostnames?hostname=${host}`);
      return found[0];
    },
    async dns(...entries) {
      const json = entries.map(([name, type, ...contents]) => ({ name, type, contents }));
      await stage.api('PUT', `/sandbox/dns?notice=${notice}`, json);
    },
    async forget(name, type) {
      const only = type === undefined ? '' : `&type=${type}`;
      await stage.api('DELETE', `/sandbox/dns?name=${name}${only}&notice=${notice}`);
    },
  };
}

/** An event of a world, in seconds after the creation of its hostname. */
export interface WorldEvent {
  readonly at: number;
  readonly site: Site;
  run(): Promise<unknown>;
}

/** The number of seconds until the tokens of a new hostname are known. */
const tokensAt = 60;

/** Returns the events of a world in order: the creation of the hostname, the faults, and the end of temporary faults. */
export function listEvents(site: Site): readonly WorldEvent[] {
  const { world } = site;
  const initial = world.faults.filter(({ at }) => at === 0).map(({ fault }) => fault);
  const isFaulty = (slot: string) => initial.some((fault) => fault.slot === slot && fault.isOver !== true);
  const begin = async (): Promise<void> => {
    await site.dns([world.domain, 'NS', ...nameServers]);
    if (!isFaulty('routing')) await pointHere(site);
    await makeOrigin(site);
    for (const fault of initial.filter(({ phase }) => phase === 'start')) await fault.cause(site);
    await create(site);
  };
  const prove = async (): Promise<void> => {
    const record = await site.record();
    if (record === undefined) return;
    if (world.kind === 'apex' && !isFaulty('ownership')) await proveOwnership(site, record);
    if (world.kind === 'wildcard' && !isFaulty('challenge')) await proveControl(site, record);
    for (const fault of initial.filter(({ phase }) => phase === 'tokens')) await fault.cause(site);
  };
  const later = world.faults.filter(({ at }) => at > 0);
  const passing = world.faults.filter(({ fault }) => fault.lasts !== undefined);
  return [
    { at: 0, site, run: begin },
    { at: tokensAt, site, run: prove },
    ...later.map(({ fault, at }) => ({ at, site, run: () => fault.cause(site) })),
    ...passing.map(({ fault, at }) => ({
      at: at + (fault.lasts ?? 0),
      site,
      run: async () => fault.undo?.(site),
    })),
  ].toSorted((left, right) => left.at - right.at);
}

/** Points the customer's DNS here with a CNAME, or at an apex with a record that the DNS provider resolves itself. */
export async function pointHere(site: Site, how: 'anew' | 'instead' = 'anew'): Promise<void> {
  if (how === 'instead') for (const type of ['A', 'AAAA', 'CNAME']) await site.forget(site.host, type);
  if (site.world.kind === 'apex') await site.dns([site.host, 'A', edgeAddresses.own]);
  else await site.dns([site.host, 'CNAME', site.target]);
}

async function makeOrigin({ stage, world, origin }: Site): Promise<void> {
  if (!world.faults.some(({ fault }) => fault.creation !== undefined && fault.slot === 'origin')) return;
  await stage.zone('POST', '/dns_records', { type: 'A', name: origin, content: '8.8.4.4', proxied: true });
}

async function create(site: Site): Promise<void> {
  const { stage, world } = site;
  const upload = world.faults.find(({ fault }) => fault.upload !== undefined)?.fault.upload;
  const body = world.faults.reduce<CreationBody | null>(
    (made, { fault }) => (made === null || fault.creation === undefined ? made : fault.creation(made)),
    {
      hostname: world.host,
      ssl: {
        method: world.kind === 'wildcard' ? 'txt' : 'http',
        type: 'dv',
        ...(world.kind === 'wildcard' && { wildcard: true }),
        ...(world.authority !== 'default' && { certificate_authority: world.authority }),
      },
    },
  );
  if (body === null) return;
  const ssl = upload === undefined ? body.ssl : await upload(site);
  const { method, wildcard } = body.ssl;
  // Creates a hostname in a way that was possible before the platform required TXT validation for wildcards.
  if (wildcard === true && method === 'http' && upload === undefined) {
    const { type: _, ...order } = body.ssl;
    await stage.api('PUT', '/sandbox/seed', { hostnames: [{ ...body, ssl: order }] });
  } else await stage.zone('POST', '/custom_hostnames', { ...body, ssl });
}

async function proveOwnership(site: Site, { ownership_verification: wanted }: CustomHostname): Promise<void> {
  if (wanted?.value !== undefined) await site.dns([ownershipName(site.host), 'TXT', wanted.value]);
}

async function proveControl(site: Site, { ssl }: CustomHostname): Promise<void> {
  const [delegation] = ssl?.dcv_delegation_records ?? [];
  const texts = (ssl?.validation_records ?? []).flatMap(({ txt_value }) => txt_value ?? []);
  if (site.world.proof === 'delegation' && delegation?.cname_target !== undefined)
    await site.dns([challengeName(site.host), 'CNAME', delegation.cname_target]);
  else if (texts.length > 0) await site.dns([challengeName(site.host), 'TXT', ...texts]);
}

/** Plays events according to the clock of a sandbox, which several worlds can share. */
export class Timeline {
  readonly #stage: Stage;
  #events: WorldEvent[];
  /** The number of seconds since the beginning. */
  now = 0;

  constructor(stage: Stage, events: readonly WorldEvent[]) {
    this.#stage = stage;
    this.#events = events.toSorted((left, right) => left.at - right.at);
  }

  /** Advances the clock to this many seconds after the beginning, and plays all events until then. */
  async advanceTo(moment: number): Promise<void> {
    for (;;) {
      const [next] = this.#events;
      if (next === undefined || next.at > moment) break;
      this.#events = this.#events.slice(1);
      await this.#go(next.at);
      await next.run();
    }
    await this.#go(moment);
  }

  async #go(moment: number): Promise<void> {
    if (moment <= this.now) return;
    await this.#stage.advance(moment - this.now);
    this.now = moment;
  }
}

/** Prepares a zone for a world that needs a plan other than Enterprise. */
export async function takePlan({ stage, world }: Site): Promise<void> {
  await stage.zone('PUT', '/subscription', { rate_plan: { id: world.plan } });
}

/** Ends a world, and restores the zone for the next world. The world's domain is unique, so its records may stay. */
export async function clear(site: Site): Promise<void> {
  const { stage, world } = site;
  for (const { fault } of world.faults) if (fault.scope === 'zone') await fault.undo?.(site);
  const record = await site.record();
  if (record !== undefined) await stage.zone('DELETE', `/custom_hostnames/${record.id}`);
  if (world.plan !== 'enterprise')
    await stage.zone('PUT', '/subscription', { rate_plan: { id: 'enterprise' } });
  const fallback = await stage
    .zone<{ origin?: string } | null>('GET', '/custom_hostnames/fallback_origin')
    .catch(() => null);
  if (fallback?.origin !== fallbackOrigin)
    await stage.zone('PUT', '/custom_hostnames/fallback_origin', { origin: fallbackOrigin });
}
