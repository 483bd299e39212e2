import type { Registry } from '../../store/registry.ts';
import { abandonLoading, beginLoading, newLoading, takeOver } from '../../store/take-over.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { clockNow } from './clock.ts';
import type { Exchange, Platform, Route } from './exchange.ts';

/** Routes of the embedded platform that the provider does not have. */
export const platformRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/info', handle: readInfo },
  { method: 'POST', pattern: '/sandbox/reset', handle: reset },
];

async function readInfo({ platform }: Exchange): Promise<Answer> {
  const { kind, info, edge, served } = platform;
  const edgeUrl = edge === undefined ? {} : { edgeUrl: edge.url };
  const own = kind === 'local' ? {} : ownIds(platform.registry());
  const now = kind === 'local' ? platform.now() : clockNow(platform);
  return ok({
    kind,
    now: new Date(now).toISOString(),
    ...own,
    ...edgeUrl,
    ...served,
    ...(await others(platform)),
    ...info,
  });
}

/** The own account is named where there are others. */
function ownIds(registry: Registry): { readonly zoneId: string; readonly accountId?: string } {
  const isOne = registry.furtherAccounts.list().length === 0;
  return { zoneId: registry.zoneId(), ...(!isOne && { accountId: registry.account().id }) };
}

/** Where the servers of others answer, where there are any: a diagnosis asks them as an authority would. */
async function others(platform: Platform): Promise<{ readonly servers?: Readonly<Record<string, number>> }> {
  if (platform.kind === 'local') return {};
  const { serversOf } = await import('../hostnames/origins.ts');
  const servers = serversOf(platform);
  return Object.keys(servers).length === 0 ? {} : { servers };
}

/**
 * Removes all workers, namespaces and buckets with their data, zones, custom hostnames, and the DNS and pages
 * set for them; accounts, credentials and own zone stay. Asks nothing.
 */
async function reset({ platform }: Exchange): Promise<Answer> {
  return ok(await resetAll(platform));
}

/** Removes all data; returns how many there were. */
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

/** Forgets the namespaces of all accounts; returns their ids. */
async function dropNamespaces(platform: Platform): Promise<string[]> {
  const { everyAccount } = await import('../session/account-platform.ts');
  return everyAccount(platform).flatMap((seen) => {
    const { namespaces } = seen.registry();
    const ids = namespaces.list().map(({ id }) => id);
    for (const id of ids) namespaces.remove(id);
    return ids;
  });
}

/** Removes all workers, before the data that they use; returns how many. */
async function resetWorkers(platform: Platform): Promise<number> {
  if (platform.kind === 'local') return 0;
  const { workers } = platform.registry();
  const all = workers.everywhere();
  for (const { name } of all) workers.remove(name);
  await platform.edge?.refreshWorkers();
  return all.length;
}

/** Removes all buckets and their objects; returns how many buckets. */
function resetBuckets(platform: Platform): number {
  const folders = platform.objects().bucketFolders();
  const named = platform.kind === 'sandbox' ? platform.registry().buckets.everywhere() : [];
  const names = new Set([...folders, ...named.map(({ name }) => name)]);
  for (const name of names) platform.objects().removeBucket(name);
  for (const { name } of named) platform.registry().buckets.remove(name);
  return names.size;
}

/** Removes all custom hostnames; returns how many. */
async function resetHostnames(platform: Platform): Promise<number> {
  if (platform.kind === 'local') return 0;
  const { removeHostnames } = await import('../hostnames/reset.ts');
  return removeHostnames(platform);
}

interface Replaced {
  readonly platform: Platform;
  readonly folder: string;
  /** Closes its values; the next use opens them again. */
  closeData(): void;
  /** Opens an empty platform of the same account in a folder. */
  openBeside(folder: string): { readonly platform: Platform; close(): void };
}

/** Replaces all data of a platform by what `fill` writes to an empty one next to it, atomically. */
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
    // After the registry has stored it, the next process that opens the data completes what failed here.
    if (registry.taken() !== id) abandonLoading(loading);
  }
  await platform.edge?.refreshWorkers();
}
