import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import type { Exchange, Platform, Route } from '../exchange.ts';

/** What the embedded platform can and the provider cannot. */
export const platformRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/info', handle: readInfo, open: true },
  { method: 'POST', pattern: '/sandbox/reset', handle: reset },
];

function readInfo({ platform }: Exchange): Answer {
  return ok({ kind: platform.kind, now: new Date(platform.now()).toISOString(), ...platform.info });
}

/** Removes all namespaces and buckets with their data; account and credentials stay. Asks nothing: the command does. */
function reset({ platform }: Exchange): Answer {
  const folders = platform.kv().namespaceFolders();
  const named = platform.kind === 'sandbox' ? platform.registry().namespaces.list() : [];
  const ids = new Set([...folders, ...named.map(({ id }) => id)]);
  for (const id of ids) platform.kv().removeNamespace(id);
  for (const { id } of named) platform.registry().namespaces.remove(id);
  return ok({ removed_namespaces: ids.size, removed_buckets: resetBuckets(platform) });
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
