import type { Registry } from '../../store/registry.ts';
import { abandonLoading, beginLoading, newLoading, takeOver } from '../../store/take-over.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { clockNow } from './clock.ts';
import type { Exchange, Platform, Route } from './exchange.ts';

/** Routes of the embedded platform that the provider does not have. */
export const platformRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/info', handle: readInfo },
  { method: 'POST', pattern: '/sandbox/reset', handle: resetPlatform },
];

async function readInfo({ platform }: Exchange): Promise<Answer> {
  const { kind, info, edge, served } = platform;
  const edgeUrl = edge === undefined ? {} : { edgeUrl: edge.url };
  const own = kind === 'local' ? {} : readOwnIds(platform.registry());
  const now = kind === 'local' ? platform.now() : clockNow(platform);
  return ok({
    kind,
    now: new Date(now).toISOString(),
    ...own,
    ...edgeUrl,
    ...served,
    ...(await listOtherServers(platform)),
    ...info,
  });
}

/** Returns the id of the sandbox's zone and, if there are other accounts, of the sandbox's account. */
function readOwnIds(registry: Registry): { readonly zoneId: string; readonly accountId?: string } {
  const isOne = registry.furtherAccounts.list().length === 0;
  return { zoneId: registry.zoneId(), ...(!isOne && { accountId: registry.account().id }) };
}

/**
 * Returns the ports of servers outside the platform, if any. A diagnosis queries these servers, as an authority would.
 */
async function listOtherServers(
  platform: Platform,
): Promise<{ readonly servers?: Readonly<Record<string, number>> }> {
  if (platform.kind === 'local') return {};
  const { readServers } = await import('../hostnames/origins.ts');
  const servers = readServers(platform);
  return Object.keys(servers).length === 0 ? {} : { servers };
}

/**
 * Removes all workers, all namespaces and buckets with their data, all zones and custom hostnames, and the simulated DNS and pages of
 * customers. Accounts, credentials and the sandbox's own zone are kept.
 */
async function resetPlatform({ platform }: Exchange): Promise<Answer> {
  return ok(await resetAll(platform));
}

/** Removes all data. Returns the number of removed items by kind. */
export async function resetAll(platform: Platform): Promise<Readonly<Record<string, number>>> {
  const workers = await resetWorkers(platform);
  const folders = platform.kv().namespaceFolders();
  const named = platform.kind === 'sandbox' ? await dropNamespaces(platform) : [];
  const ids = new Set([...folders, ...named]);
  for (const id of ids) platform.kv().removeNamespace(id);
  return {
    removed_namespaces: ids.size,
    removed_buckets: resetBuckets(platform),
    removed_workers: workers,
    removed_hostnames: await resetHostnames(platform),
  };
}

/** Removes the namespaces of all accounts from the registry. Returns their ids. */
async function dropNamespaces(platform: Platform): Promise<string[]> {
  const { listAccountPlatforms } = await import('../session/account-platform.ts');
  return listAccountPlatforms(platform).flatMap((seen) => {
    const { namespaces } = seen.registry();
    const ids = namespaces.list().map(({ id }) => id);
    for (const id of ids) namespaces.remove(id);
    return ids;
  });
}

/** Removes all workers, before the data that they use. Returns their number. */
async function resetWorkers(platform: Platform): Promise<number> {
  if (platform.kind === 'local') return 0;
  const { workers } = platform.registry();
  const all = workers.everywhere();
  for (const { name } of all) workers.remove(name);
  await platform.edge?.refreshWorkers();
  return all.length;
}

/** Removes all buckets and their objects. Returns the number of buckets. */
function resetBuckets(platform: Platform): number {
  const folders = platform.objects().bucketFolders();
  const named = platform.kind === 'sandbox' ? platform.registry().buckets.everywhere() : [];
  const names = new Set([...folders, ...named.map(({ name }) => name)]);
  for (const name of names) platform.objects().removeBucket(name);
  for (const { name } of named) platform.registry().buckets.remove(name);
  return names.size;
}

/** Removes all custom hostnames. Returns their number. */
async function resetHostnames(platform: Platform): Promise<number> {
  if (platform.kind === 'local') return 0;
  const { removeHostnames } = await import('../hostnames/reset.ts');
  return removeHostnames(platform);
}

interface Replaced {
  readonly platform: Platform;
  readonly folder: string;
  /** Closes the data stores; the next use opens them again. */
  closeData(): void;
  /** Opens an empty platform of the same account in a folder. */
  openBeside(folder: string): { readonly platform: Platform; close(): void };
}

/** Atomically replaces all data of a platform with the data that `fill` writes to an empty platform next to it. */
export async function replaceData(
  { platform, folder, closeData, openBeside }: Replaced,
  fill: (beside: Platform) => Promise<void>,
): Promise<void> {
  const registry = platform.registry();
  const id = newLoading(platform);
  const loading = beginLoading(folder, id);
  const beside = openBeside(loading);
  try {
    await fill(beside.platform);
    beside.close();
    const exchange = async (): Promise<void> => {
      closeData();
      takeOver(folder, id, () => registry.takeFrom(loading, id));
    };
    await (platform.edge === undefined ? exchange() : platform.edge.alone(exchange));
  } finally {
    beside.close();
    // Once the registry has stored the id, the next process that opens the data completes the replacement.
    if (registry.taken() !== id) abandonLoading(loading);
  }
  await platform.edge?.refreshWorkers();
}
