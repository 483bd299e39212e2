import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { isWithin, plainName } from '../../../model/dns/dns.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { objstoreWord } from '../../../v4/wire.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, param, readJson, refusal } from '../../http/exchange.ts';
import { formatShapeFault, parseShape, toShapeFault } from '../../http/shape-faults.ts';
import { listAccountZones } from '../../session/account-platform.ts';
import { requireBucket } from '../buckets.ts';
import { objectCodes } from '../codes.ts';
import { defaultLifecycle } from '../lifecycle.ts';
import {
  type BucketDomain,
  type BucketEvents,
  type BucketSettings,
  readBucketSettings,
  updateBucketSettings,
} from './bucket-settings.ts';
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

/**
 * Parses the body of a request against a shape. Refuses the request if the bucket is missing, or if the body is invalid; the message then
 * names the invalid field.
 */
export async function readShape<S extends v.GenericSchema>(
  exchange: Exchange,
  what: string,
  shape: S,
): Promise<v.InferOutput<S>> {
  if (exchange.params['bucket'] !== undefined) requireBucket(exchange);
  const read = parseShape(shape, await readJson(exchange, what, bodyLimit));
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw refusal(
    400,
    objectCodes.argumentInvalid,
    `${what}: ${formatShapeFault(toShapeFault(shape, issue), 'the body')}`,
  );
}

function readSettings(exchange: Exchange): BucketSettings {
  return readBucketSettings(exchange.platform, requireBucket(exchange).name);
}

function updateSettings(exchange: Exchange, more: (before: BucketSettings) => BucketSettings): void {
  replaceSettings(exchange, (before) => ({ ...before, ...more(before) }));
}

function replaceSettings(exchange: Exchange, work: (before: BucketSettings) => BucketSettings): void {
  const { name } = requireBucket(exchange);
  refuseLocal(exchange);
  updateBucketSettings(exchange.platform, name, work);
}

function refuseLocal({ platform }: Exchange): void {
  if (platform.kind === 'local')
    throw refusal(400, objectCodes.argumentInvalid, 'Local data has no bucket settings.');
}

export function getCors(exchange: Exchange): Answer {
  const { cors } = readSettings(exchange);
  if (cors !== undefined) return ok({ rules: cors });
  throw refusal(404, objectCodes.corsNotFound, 'The CORS configuration does not exist.');
}

export async function putCors(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the CORS policy', corsShape);
  updateSettings(exchange, () => ({ cors: rules }));
  return ok({});
}

export function removeCors(exchange: Exchange): Answer {
  replaceSettings(exchange, ({ cors: _, ...rest }) => rest);
  return ok({});
}

export function getLifecycle(exchange: Exchange): Answer {
  return ok({ rules: readSettings(exchange).lifecycle ?? defaultLifecycle });
}

export async function putLifecycle(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the lifecycle', lifecycleShape);
  updateSettings(exchange, () => ({ lifecycle: rules }));
  return ok({});
}

export function getLock(exchange: Exchange): Answer {
  return ok({ rules: readSettings(exchange).lock ?? [] });
}

export async function putLock(exchange: Exchange): Promise<Answer> {
  const { rules } = await readShape(exchange, 'the lock', lockShape);
  updateSettings(exchange, () => ({ lock: rules }));
  return ok({});
}

/**
 * Returns the public address of a bucket, `pub-<id>.r2.dev`. While the address is enabled on the real platform, anyone can read the
 * bucket's objects at this address.
 */
export function getManagedDomain(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  const bucketId = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const domain = `pub-${bucketId}.${objstoreWord}.dev`;
  return ok({ bucketId, domain, enabled: readSettings(exchange).isPublic ?? false });
}

export async function putManagedDomain(exchange: Exchange): Promise<Answer> {
  const { enabled } = await readShape(exchange, 'the managed domain', managedShape);
  updateSettings(exchange, () => ({ isPublic: enabled }));
  return getManagedDomain(exchange);
}

export function listBucketDomains(exchange: Exchange): Answer {
  return ok({
    domains: (readSettings(exchange).domains ?? []).map((domain) => formatDomain(exchange, domain)),
  });
}

export function getBucketDomain(exchange: Exchange): Answer {
  return ok(formatDomain(exchange, requireDomain(exchange)));
}

function formatDomain({ platform }: Exchange, domain: BucketDomain): object {
  const zone = platform.registry().zones.find(domain.zoneId);
  return {
    ...domain,
    status: { ownership: 'active', ssl: 'active' },
    ...(zone !== undefined && { zoneName: zone.name }),
  };
}

function requireDomain(exchange: Exchange): BucketDomain {
  const wanted = plainName(param(exchange, 'domain'));
  const found = readSettings(exchange).domains?.find(({ domain }) => domain === wanted);
  if (found !== undefined) return found;
  throw refusal(404, objectCodes.domainNotFound, 'The custom domain does not exist.');
}

export async function createBucketDomain(exchange: Exchange): Promise<Answer> {
  const read = await readShape(exchange, 'the custom domain', domainShape);
  refuseLocal(exchange);
  const domain = { ...read, domain: plainName(read.domain) };
  const zone = listAccountZones(exchange.platform).find(({ id }) => id === domain.zoneId);
  if (zone === undefined || !isWithin(domain.domain, zone.name)) {
    const message = `${domain.domain} is not in the zone ${zone?.name ?? domain.zoneId}.`;
    throw refusal(400, objectCodes.argumentInvalid, message);
  }
  putDomain(exchange, domain);
  return ok(domain);
}

export async function changeBucketDomain(exchange: Exchange): Promise<Answer> {
  const read = await readShape(exchange, 'the custom domain', domainChangeShape);
  const { zoneId: _, ...shown } = putDomain(exchange, { ...requireDomain(exchange), ...read });
  return ok(shown);
}

function putDomain(exchange: Exchange, domain: BucketDomain): BucketDomain {
  updateSettings(exchange, ({ domains = [] }) => ({
    domains: [...domains.filter((one) => one.domain !== domain.domain), domain],
  }));
  return domain;
}

export function removeBucketDomain(exchange: Exchange): Answer {
  const { domain } = requireDomain(exchange);
  updateSettings(exchange, ({ domains = [] }) => ({
    domains: domains.filter((one) => one.domain !== domain),
  }));
  return ok({ domain });
}

export function listEvents(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  return ok({ bucketName: name, queues: (readSettings(exchange).events ?? []).map(formatEvents) });
}

export function getEvents(exchange: Exchange): Answer {
  const found = (readSettings(exchange).events ?? []).find(
    ({ queueId }) => queueId === param(exchange, 'queue'),
  );
  if (found === undefined)
    throw refusal(404, objectCodes.eventsNotFound, 'No event notification configuration was found.');
  return ok(formatEvents(found));
}

function formatEvents({ queueId, rules }: BucketEvents): object {
  return { queueId, queueName: queueId, rules };
}

/** Adds rules to the rules of a queue. The sandbox has no queues, so no notifications are sent. */
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
  updateSettings(exchange, ({ events = [] }) => {
    const before = events.find((one) => one.queueId === queueId)?.rules ?? [];
    const others = events.filter((one) => one.queueId !== queueId);
    return { events: [...others, { queueId, rules: [...before, ...added] }] };
  });
  return ok({});
}

export function removeEvents(exchange: Exchange): Answer {
  getEvents(exchange);
  const queue = param(exchange, 'queue');
  updateSettings(exchange, ({ events = [] }) => ({
    events: events.filter(({ queueId }) => queueId !== queue),
  }));
  return ok({});
}
