import { isProblem } from '../../model/problem.ts';
import type { Seed, SeedBucket, SeedNamespace, SeedZone } from '../../model/sandbox/seed.ts';
import { readFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { listHostnames } from '../hostnames/hostnames.ts';
import { readValuesOf } from '../kv/bulk/values.ts';
import { listKeys } from '../kv/kv.ts';
import { listNamespaces } from '../kv/namespaces.ts';
import { entryOf } from '../kv/transfer/export.ts';
import { listBuckets } from '../objects/buckets.ts';
import { listObjects } from '../objects/objects.ts';
import { listWorkers } from '../workers/workers.ts';
import { readHold } from '../zones/hold.ts';
import { listZoneRecords, listZones } from '../zones/zones.ts';
import { recordedHostname, timeField } from './record-hostname.ts';
import { recordedWorker } from './record-worker.ts';
import type { Recording } from './recording.ts';
import { masked, maskedKey } from './redaction.ts';

/** Bytes of an object's stand-in. */
const longestObject = 64 * 1024;

/**
 * An account as a seed, by reading only. Secrets cannot be read and objects are not: theirs is a text of the same length, up to
 * 64 KiB. A part that the credentials may not read is left out, and told.
 */
export async function recordAccount(recording: Recording): Promise<Seed> {
  const { session } = recording;
  const namespaces = await collected(listNamespaces(session));
  const buckets = await part(recording, 'buckets', () => collected(listBuckets(session)));
  const workers = await part(recording, 'workers', () => listWorkers(session));
  const zones = await part(recording, 'zones', () => collected(listZones(session)));
  const recordedZones = await inTurn(zones, async (zone) => ({
    zone: await recordedZone(recording, zone),
    hostnames: await part(recording, `hostnames of ${zone.name}`, () =>
      collected(listHostnames(session, zone.id)),
    ),
  }));
  return {
    namespaces: await inTurn(namespaces, (namespace) => recordedNamespace(recording, namespace)),
    buckets: await inTurn(buckets, ({ name }) => recordedBucket(recording, name)),
    workers: await inTurn(workers, ({ name }) => recordedWorker(recording, name, namespaces)),
    zones: recordedZones.map(({ zone }) => zone),
    hostnames: recordedZones.flatMap(({ zone, hostnames }) =>
      hostnames.map((hostname) => recordedHostname(hostname, zone.name, recording.withValues)),
    ),
  };
}

async function collected<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** One after the other: a large account keeps to the budget of requests by that. */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

/** The result of a part; nothing where the credentials do not reach it, which is told. */
async function part<T>({ note }: Recording, what: string, work: () => Promise<T[]>): Promise<T[]> {
  try {
    return await work();
  } catch (error) {
    if (!isProblem(error) || !['not-permitted', 'not-found'].includes(error.code)) throw error;
    note(`The ${what} are left out: ${error.message}`);
    return [];
  }
}

async function recordedNamespace(
  recording: Recording,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<SeedNamespace> {
  const { session, withValues, most, note } = recording;
  const keys: NonNullable<SeedNamespace['keys']>[number][] = [];
  const source = { session, namespaceId: id };
  const pages = firstOf(listKeys(session, id), most, () =>
    note(`Of ${title} the first ${most} keys are recorded.`),
  );
  for await (const group of readValuesOf(source, pages, ({ name }) => name)) {
    for (const { item, value } of group) {
      if (value === undefined) continue;
      const entry = entryOf(item, value);
      keys.push(withValues ? entry : maskedKey(entry));
    }
  }
  return { title, ...(/^[0-9a-f]{32}$/.test(id) && { id }), keys };
}

/** The first so many of a list that comes page by page. */
async function* firstOf<T>(pages: AsyncIterable<T[]>, most: number, cut: () => void): AsyncGenerator<T[]> {
  let left = most;
  for await (const page of pages) {
    yield page.slice(0, left);
    left -= page.length;
    if (left < 0) return cut();
  }
}

async function recordedBucket(recording: Recording, name: string): Promise<SeedBucket> {
  const { session, most, note, withValues } = recording;
  const objects: NonNullable<SeedBucket['objects']>[number][] = [];
  const pages = listObjects(session, name);
  const listed = (async function* () {
    for await (const page of pages) yield [...page.objects];
  })();
  for await (const page of firstOf(listed, most, () =>
    note(`Of ${name} the first ${most} objects are recorded.`),
  )) {
    for (const { key, size, uploaded, httpMetadata, customMetadata } of page) {
      const { cacheExpiry: _, ...http } = httpMetadata;
      const metadata = Object.entries(customMetadata).map(([field, text]) => [
        field,
        withValues ? text : masked(text),
      ]);
      objects.push({
        key,
        body: 'x'.repeat(Math.min(size, longestObject)),
        ...(Object.keys(http).length > 0 && { http_metadata: http }),
        ...(metadata.length > 0 && { custom_metadata: Object.fromEntries(metadata) }),
        ...timeField('uploaded', uploaded),
      });
    }
  }
  return { name, objects };
}

/** Types that a sandbox keeps. */
const recordTypes = /^(?:A|AAAA|CNAME|TXT|CAA|NS|MX|SRV|PTR|HTTPS|SVCB|TLSA|DS|SSHFP|URI)$/;

async function recordedZone(
  recording: Recording,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<SeedZone> {
  const { session, note } = recording;
  const found = await part(recording, `records of ${name}`, async () => [
    ...(await listZoneRecords(session, id, {})),
  ]);
  const records = found.filter(({ type }) => recordTypes.test(type));
  if (records.length < found.length)
    note(`${name}: ${found.length - records.length} records of other types are left out.`);
  const [fallback] = await part(recording, `fallback origin of ${name}`, async () => {
    const origin = await readFallbackOrigin(session, id);
    return origin === undefined ? [] : [origin];
  });
  const [hold] = await part(recording, `hold of ${name}`, async () => [await readHold(session, id)]);
  const hasOrigin = records.some((record) => record.name === fallback?.origin);
  return {
    name,
    ...(name !== 'saas.sandbox' && { id }),
    ...(hold?.hold && { hold: { hold: true, include_subdomains: hold.includeSubdomains } }),
    ...(fallback !== undefined && hasOrigin && { fallback_origin: fallback.origin }),
    records,
  };
}
