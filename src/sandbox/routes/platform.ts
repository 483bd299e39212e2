import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import type { Exchange, Platform, Route } from '../exchange.ts';

/** What the embedded platform can and the provider cannot. */
export const platformRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/info', handle: readInfo, open: true },
  { method: 'POST', pattern: '/sandbox/reset', handle: reset },
];

function readInfo({ platform }: Exchange): Answer {
  const { kind, info, edge } = platform;
  const edgeUrl = edge === undefined ? {} : { edgeUrl: edge.url };
  return ok({ kind, now: new Date(platform.now()).toISOString(), ...edgeUrl, ...info });
}

/** Removes all workers, namespaces and buckets with their data; account and credentials stay. Asks nothing. */
async function reset({ platform }: Exchange): Promise<Answer> {
  const workers = await resetWorkers(platform);
  const folders = platform.kv().namespaceFolders();
  const named = platform.kind === 'sandbox' ? platform.registry().namespaces.list() : [];
  const ids = new Set([...folders, ...named.map(({ id }) => id)]);
  for (const id of ids) platform.kv().removeNamespace(id);
  for (const { id } of named) platform.registry().namespaces.remove(id);
  return ok({
    removed_namespaces: ids.size,
    removed_buckets: resetBuckets(platform),
    removed_workers: workers,
  });
}

/** Gives how many there were. They go first, so that none uses data that are removed. */
async function resetWorkers(platform: Platform): Promise<number> {
  if (platform.kind === 'local') return 0;
  const { workers } = platform.registry();
  const all = workers.list();
  for (const { name } of all) workers.remove(name);
  await platform.edge?.refreshWorkers();
  return all.length;
}

/** Gives how many there were. */
function resetBuckets(platform: Platform): number {
  const folders = platform.objects().bucketFolders();
  const named = platform.kind === 'sandbox' ? platform.registry().buckets.list() : [];
  const names = new Set([...folders, ...named.map(({ name }) => name)]);
  for (const name of names) platform.objects().removeBucket(name);
  for (const { name } of named) platform.registry().buckets.remove(name);
  return names.size;
}
