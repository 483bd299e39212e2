import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { Services } from '../../src/services/console/services.ts';
import { compareBytes } from '../ui/lists/row-kind.ts';
import type { ExpiringKeys, HomeParts } from './home-state.ts';

/**
 * Limits of the lists on Home. Home sends up to 16 requests: two for the zone, seven for hostnames (`readUrgentHostnames`), two pages of
 * namespaces, one page of keys in each of three namespaces, one page of buckets, and one page of workers. For a small account, Home sends
 * eight requests.
 */
const limits = { namespacePages: 2, namespaces: 100, keyLists: 3, buckets: 1000, keys: 1000 } as const;

/** Home shows keys that expire in less than this number of seconds. */
const soonSeconds = 24 * 60 * 60;

/** Reads up to `count` pages of a list. `isWhole`: whether these are all pages; a page with fewer than `full` rows is the last. */
async function firstPages<T>(pages: AsyncGenerator<readonly T[]>, count: number, full: number) {
  const rows: T[] = [];
  for (let left = count; left > 0; left--) {
    const page = await pages.next();
    if (page.done === true) return { rows, isWhole: true };
    rows.push(...page.value);
    if (page.value.length < full) break;
  }
  await pages.return(undefined);
  return { rows, isWhole: rows.length < count * full };
}

export async function readNamespaces(services: Services, signal: AbortSignal) {
  return firstPages<Namespace>(services.kv.listNamespaces(signal), limits.namespacePages, limits.namespaces);
}

export async function readBuckets(services: Services, signal: AbortSignal) {
  if (services.objects === undefined) return { rows: [], isWhole: true };
  return firstPages<Bucket>(services.objects.listBuckets(signal), 1, limits.buckets);
}

export async function readWorkers(services: Services, signal: AbortSignal) {
  const found = (await services.workers?.list(signal)) ?? [];
  return found.toSorted((one, other) => compareBytes(one.name, other.name));
}

/** Returns the zone; undefined if the user must choose one of several zones. */
export async function readZone({ hostnames }: Services, signal: AbortSignal): Promise<Zone | undefined> {
  const found = await hostnames?.findZone(signal);
  return found !== undefined && 'zone' in found ? found.zone : undefined;
}

export async function readHostnames(
  { hostnames }: Services,
  zone: Zone | undefined,
  signal: AbortSignal,
): Promise<HomeParts['hostnames']> {
  if (hostnames === undefined || zone === undefined) return undefined;
  return { zone, ...(await hostnames.urgent(zone.id, signal)) };
}

/** Returns the keys that expire soon in the first three namespaces, from the first page of each. `now` is in milliseconds. */
export async function readExpiring(
  { kv }: Services,
  namespaces: readonly Namespace[],
  now: number,
  signal: AbortSignal,
): Promise<readonly ExpiringKeys[]> {
  const lists = namespaces.slice(0, limits.keyLists).map(async (namespace): Promise<ExpiringKeys[]> => {
    const options = { prefix: '', limit: limits.keys, signal };
    const { rows } = await firstPages(kv.listKeys(namespace.id, options), 1, limits.keys);
    const ending = rows
      .flatMap(({ name, expiration }) => (expiration === undefined ? [] : [{ name, expiration }]))
      .filter(({ expiration }) => expiration - now / 1000 < soonSeconds)
      .sort((one, other) => one.expiration - other.expiration);
    const [first] = ending;
    if (first === undefined) return [];
    return [{ namespace, count: ending.length, first: first.name, expiration: first.expiration }];
  });
  return (await Promise.all(lists)).flat();
}
