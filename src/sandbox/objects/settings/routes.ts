import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { isWithin, plainName } from '../../../model/dns/dns.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { objstoreWord } from '../../../v4/wire.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, param, readJson, refusal } from '../../http/exchange.ts';
import { faultLine, parseShape, shapeFaultOf } from '../../http/shape-faults.ts';
import { zonesOf } from '../../session/account-platform.ts';
import { requireBucket } from '../buckets.ts';
import { objectCodes } from '../codes.ts';
import {
  type BucketDomain,
  type BucketEvents,
  type BucketSettings,
  bucketSettings,
  changeBucketSettings,
} from './kept.ts';
import {
  corsShape,
  domainChangeShape,
  domainShape,
  eventsShape,
  lifecycleShape,
  lockShape,
  managedShape,
} from './shapes.ts';

const bodyLimit = 256 * 1024;

/** Parses the body of a request by a shape. Refuses an invalid one, naming the field. */
export async function readShape<S extends v.GenericSchema>(
  exchange: Exchange,
  what: string,
  shape: S,
): Promise<v.InferOutput<S>> {
  const read = parseShape(shape, await readJson(exchange, what, bodyLimit));
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw refusal(
    400,
    objectCodes.argumentInvalid,
    `${what}: ${faultLine(shapeFaultOf(shape, issue), 'the body')}`,
  );
}

function kept(exchange: Exchange): BucketSettings {
  return bucketSettings(exchange.platform, requireBucket(exchange).name);
}

function change(exchange: Exchange, more: (before: BucketSettings) => BucketSettings): void {
  replace(exchange, (before) => ({ ...before, ...more(before) }));
}

function replace(exchange: Exchange, work: (before: BucketSettings) => BucketSettings): void {
  const { name } = requireBucket(exchange);
  refuseLocal(exchange);
  changeBucketSettings(exchange.platform, name, work);
}

function refuseLocal({ platform }: Exchange): void {
  if (platform.kind === 'local')
    throw refusal(400, objectCodes.argumentInvalid, 'Local data has no bucket settings.');
}

export function getCors(exchange: Exchange): Answer {
  const { cors } = kept(exchange);
  if (cors !== undefined) return ok({ rules: cors });
  throw refusal(404, objectCodes.corsNotFound, 'The CORS configuration does not exist.');
}

export async function putCors(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the CORS policy', corsShape);
  change(exchange, () => ({ cors: rules }));
  return ok({});
}

export function removeCors(exchange: Exchange): Answer {
  replace(exchange, ({ cors: _, ...rest }) => rest);
  return ok({});
}

/** The rule of every bucket until its rules are set. */
const usualLifecycle = [
  {
    id: 'Default Multipart Abort Rule',
    enabled: true,
    conditions: { prefix: '' },
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 604_800 } },
  },
];

export function getLifecycle(exchange: Exchange): Answer {
  return ok({ rules: kept(exchange).lifecycle ?? usualLifecycle });
}

export async function putLifecycle(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the lifecycle', lifecycleShape);
  change(exchange, () => ({ lifecycle: rules }));
  return ok({});
}

export function getLock(exchange: Exchange): Answer {
  return ok({ rules: kept(exchange).lock ?? [] });
}

export async function putLock(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the lock', lockShape);
  change(exchange, () => ({ lock: rules }));
  return ok({});
}

/** `pub-<id>.r2.dev`, where the objects are public while it is enabled. */
export function getManaged(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  const bucketId = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const domain = `pub-${bucketId}.${objstoreWord}.dev`;
  return ok({ bucketId, domain, enabled: kept(exchange).isPublic ?? false });
}

export async function putManaged(exchange: Exchange): Promise<Answer> {
  const { enabled } = await readShape(exchange, 'the managed domain', managedShape);
  change(exchange, () => ({ isPublic: enabled }));
  return getManaged(exchange);
}

export function listDomains(exchange: Exchange): Answer {
  return ok({ domains: (kept(exchange).domains ?? []).map((domain) => shownDomain(exchange, domain)) });
}

export function getDomain(exchange: Exchange): Answer {
  return ok(shownDomain(exchange, domainOf(exchange)));
}

function shownDomain({ platform }: Exchange, domain: BucketDomain): object {
  const zone = platform.registry().zones.find(domain.zoneId);
  return {
    ...domain,
    status: { ownership: 'active', ssl: 'active' },
    ...(zone !== undefined && { zoneName: zone.name }),
  };
}

function domainOf(exchange: Exchange): BucketDomain {
  const wanted = plainName(param(exchange, 'domain'));
  const found = kept(exchange).domains?.find(({ domain }) => domain === wanted);
  if (found !== undefined) return found;
  throw refusal(404, objectCodes.domainNotFound, 'The custom domain does not exist.');
}

export async function createDomain(exchange: Exchange): Promise<Answer> {
  const read = await readShape(exchange, 'the custom domain', domainShape);
  refuseLocal(exchange);
  const domain = { ...read, domain: plainName(read.domain) };
  const zone = zonesOf(exchange.platform).find(({ id }) => id === domain.zoneId);
  if (zone === undefined || !isWithin(domain.domain, zone.name)) {
    const message = `${domain.domain} is not in the zone ${zone?.name ?? domain.zoneId}.`;
    throw refusal(400, objectCodes.argumentInvalid, message);
  }
  putDomain(exchange, domain);
  return ok(domain);
}

export async function changeDomain(exchange: Exchange): Promise<Answer> {
  const read = await readShape(exchange, 'the custom domain', domainChangeShape);
  const { zoneId: _, ...shown } = putDomain(exchange, { ...domainOf(exchange), ...read });
  return ok(shown);
}

function putDomain(exchange: Exchange, domain: BucketDomain): BucketDomain {
  change(exchange, ({ domains = [] }) => ({
    domains: [...domains.filter((one) => one.domain !== domain.domain), domain],
  }));
  return domain;
}

export function removeDomain(exchange: Exchange): Answer {
  const { domain } = domainOf(exchange);
  change(exchange, ({ domains = [] }) => ({ domains: domains.filter((one) => one.domain !== domain) }));
  return ok({ domain });
}

export function listEvents(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  return ok({ bucketName: name, queues: (kept(exchange).events ?? []).map(shownEvents) });
}

export function getEvents(exchange: Exchange): Answer {
  const found = (kept(exchange).events ?? []).find(({ queueId }) => queueId === param(exchange, 'queue'));
  if (found === undefined)
    throw refusal(404, objectCodes.eventsNotFound, 'No event notification configuration was found.');
  return ok(shownEvents(found));
}

function shownEvents({ queueId, rules }: BucketEvents): object {
  return { queueId, queueName: queueId, rules };
}

/** Adds rules to those of a queue. The sandbox has no queues, so no notifications are sent. */
export async function putEvents(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the event notification', eventsShape);
  const { platform } = exchange;
  const queueId = param(exchange, 'queue');
  const createdAt = new Date(clockNow(platform)).toISOString();
  const added = rules.map((rule) => ({
    ...rule,
    ruleId: Buffer.from(platform.random(16)).toString('hex'),
    createdAt,
  }));
  change(exchange, ({ events = [] }) => {
    const before = events.find((one) => one.queueId === queueId)?.rules ?? [];
    const others = events.filter((one) => one.queueId !== queueId);
    return { events: [...others, { queueId, rules: [...before, ...added] }] };
  });
  return ok({});
}

export function removeEvents(exchange: Exchange): Answer {
  getEvents(exchange);
  const queue = param(exchange, 'queue');
  change(exchange, ({ events = [] }) => ({ events: events.filter(({ queueId }) => queueId !== queue) }));
  return ok({});
}
