import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';

/** An operation that the worker performs on a namespace. Values are encoded as base64. */
export type WorkerAction =
  | { readonly does: 'get'; readonly key: string }
  | { readonly does: 'list'; readonly prefix?: string; readonly cursor?: string; readonly limit?: number }
  | { readonly does: 'put'; readonly key: string; readonly value: string; readonly options?: object }
  | { readonly does: 'delete'; readonly key: string };

const script = `
  export default {
    async fetch(request, env) {
      const { binding, does, key, value, options, ...page } = await request.json();
      const kv = env[binding];
      if (does === 'put') await kv.put(key, Uint8Array.from(atob(value), (c) => c.charCodeAt(0)), options);
      if (does === 'delete') await kv.delete(key);
      if (does === 'list') return Response.json(await kv.list(page));
      if (does !== 'get') return Response.json(null);
      const found = await kv.getWithMetadata(key, 'arrayBuffer');
      if (found.value === null) return Response.json(null);
      let text = '';
      for (const byte of new Uint8Array(found.value)) text += String.fromCharCode(byte);
      return Response.json({ value: btoa(text), metadata: found.metadata });
    },
  };`;

/** A running workerd with a worker that accesses the namespaces of a persist root. */
export interface LiveWorker extends AsyncDisposable {
  /**
   * Performs an operation, and returns the result: for `get` `{value, metadata}` or null, for `list` the worker's own answer. Rejects if
   * the operation fails.
   */
  act(namespaceId: string, deed: WorkerAction): Promise<unknown>;
}

/** Starts Miniflare as wrangler does, on `<root>/v3`. */
export async function startWorker(root: string, namespaceIds: readonly string[]): Promise<LiveWorker> {
  const bindings = namespaceIds.map((id, index) => [`KV${index}`, id] as const);
  const settings = convertV4MiniflareOptions({
    modules: true,
    script,
    compatibilityDate: '2026-01-01',
    kvNamespaces: Object.fromEntries(bindings),
    resourcePersistencePath: join(root, 'v3'),
    log: new NoOpLog(),
    cf: false,
  });
  const miniflare = new Miniflare(settings);
  await miniflare.ready;
  return {
    async act(namespaceId, deed) {
      const binding = `KV${namespaceIds.indexOf(namespaceId)}`;
      const body = JSON.stringify({ binding, ...deed });
      const answer = await miniflare.dispatchFetch('http://worker/', { method: 'POST', body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}
