import * as v from 'valibot';
import { plainName } from '../../../model/dns/dns.ts';
import { explainShapeFault } from '../../../model/shape-fault.ts';
import type { StoredZone } from '../../../store/zones/zones.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, type Platform, readJson, refusal } from '../../http/exchange.ts';
import { putWorkerDomain, readWorkerDomains, type WorkerDomain } from '../domains.ts';
import { workerCodes } from './codes.ts';
import {
  createDomainRecord,
  findDomainZone,
  formatWorkerDomain,
  listOtherRecords,
  refuseOtherRecords,
  removeDomainRecord,
} from './domains.ts';
import { requireWorker } from './find.ts';

const bodyLimit = 256 * 1024;

/** A custom domain as requested by wrangler, for a route with `custom_domain`. */
const origin = v.looseObject({
  hostname: v.pipe(v.string(), v.transform(plainName)),
  zone_id: v.optional(v.string()),
  zone_name: v.optional(v.string()),
});

const update = v.looseObject({
  override_existing_origin: v.optional(v.boolean(), false),
  override_existing_dns_record: v.optional(v.boolean(), false),
  origins: v.array(origin),
});

interface Planned {
  readonly hostname: string;
  readonly zone: StoredZone;
}

/**
 * Returns the changes that a list of custom domains would make. With `replace_state`, the changes include the domains of the worker that
 * would be deleted.
 */
export async function postChangeset(exchange: Exchange): Promise<Answer> {
  const { platform, query } = exchange;
  const { name: service } = requireWorker(exchange);
  const planned = planDomains(platform, await readShape(exchange, v.array(origin)));
  const isTaken = ({ zone, hostname }: Planned) => listOtherRecords(platform, zone, hostname).length > 0;
  const fresh = planned.filter(({ hostname }) => domainAt(platform, hostname) === undefined);
  const updated = planned.flatMap(({ hostname }) => domainAt(platform, hostname) ?? []);
  const removed = query.get('replace_state') === 'true' ? listOmittedDomains(platform, service, planned) : [];
  return ok({
    added: fresh.filter((one) => !isTaken(one)).map((one) => formatNewDomain(one, service)),
    updated: updated.map((one) => ({
      ...formatWorkerDomain(platform, one),
      modified: one.service !== service,
    })),
    removed: removed.map((domain) => formatWorkerDomain(platform, domain)),
    conflicting: fresh.filter(isTaken).map((one) => formatNewDomain(one, service)),
  });
}

/**
 * Replaces the domains of a worker with a list of hostnames. As on the platform, the worker's other domains are deleted with their records.
 * If a hostname already has other records or belongs to another worker, the whole request is refused, unless it allows overriding those
 * records or that worker.
 */
export async function putRecords(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { name: service } = requireWorker(exchange);
  const given = await readShape(exchange, update);
  const planned = planDomains(platform, given.origins);
  for (const one of planned) refuseTaken(platform, service, one, given);
  for (const domain of listOmittedDomains(platform, service, planned))
    await removeDomainRecord(platform, domain);
  const put = [];
  for (const { zone, hostname } of planned) {
    const before = domainAt(platform, hostname);
    const domain = { ...(before ?? (await createDomainRecord(platform, zone, hostname))), service };
    putWorkerDomain(platform, domain.id, domain);
    put.push(formatWorkerDomain(platform, domain));
  }
  return ok(put);
}

function refuseTaken(
  platform: Platform,
  service: string,
  { zone, hostname }: Planned,
  may: v.InferOutput<typeof update>,
): void {
  const there = domainAt(platform, hostname);
  if (there === undefined) {
    if (!may.override_existing_dns_record) refuseOtherRecords(platform, zone, hostname);
  } else if (there.service !== service && !may.override_existing_origin) {
    const message = `Hostname '${hostname}' is a domain of the worker ${there.service}; use the option 'override_existing_origin' to override.`;
    throw refusal(409, workerCodes.domainTaken, message);
  }
}

function domainAt(platform: Platform, hostname: string): WorkerDomain | undefined {
  return readWorkerDomains(platform).find((one) => one.hostname === hostname);
}

/** Returns the domains of a worker that are not in a list. */
function listOmittedDomains(
  platform: Platform,
  service: string,
  planned: readonly Planned[],
): readonly WorkerDomain[] {
  const names = planned.map(({ hostname }) => hostname);
  return readWorkerDomains(platform).filter(
    (one) => one.service === service && !names.includes(one.hostname),
  );
}

function formatNewDomain({ hostname, zone }: Planned, service: string) {
  return { hostname, service, environment: 'production', zone_id: zone.id, zone_name: zone.name };
}

function planDomains(platform: Platform, origins: readonly v.InferOutput<typeof origin>[]): Planned[] {
  return origins.map(({ hostname, zone_id: id, zone_name: name }) => {
    const zone = findDomainZone(platform, hostname);
    const isNamed = (id ?? zone?.id) === zone?.id && (name ?? zone?.name) === zone?.name;
    if (zone !== undefined && isNamed) return { hostname, zone };
    throw refusal(400, codes.requestInvalid, `invalid domain: ${hostname || 'hostname'} is not in the zone`);
  });
}

async function readShape<S extends v.GenericSchema>(exchange: Exchange, shape: S): Promise<v.InferOutput<S>> {
  const found = v.safeParse(shape, await readJson(exchange, 'the domains', bodyLimit));
  if (found.success) return found.output;
  throw refusal(400, codes.requestInvalid, `invalid domains: ${explainShapeFault(found)}`);
}
