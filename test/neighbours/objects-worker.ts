import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';

/** An operation that the worker performs on its bucket. Bytes are encoded as base64. */
export type BucketAction =
  | { readonly does: 'get' | 'head' | 'delete'; readonly key: string }
  | { readonly does: 'list'; readonly options: object }
  | { readonly does: 'put'; readonly key: string; readonly value: string; readonly options?: object }
  | {
      readonly does: 'upload in parts';
      readonly key: string;
      readonly partSize: number;
      readonly parts: number;
    };

const script = `
  const base64 = (buffer) => {
    let text = '';
    for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const facts = ({ key, size, etag, httpMetadata, customMetadata }) => ({ key, size, etag, httpMetadata, customMetadata });
  const deeds = {
    async get({ key }, bucket) {
      const found = await bucket.get(key);
      return found === null ? null : { ...facts(found), value: base64(await found.arrayBuffer()) };
    },
    async head({ key }, bucket) {
      const found = await bucket.head(key);
      return found === null ? null : facts(found);
    },
    delete: ({ key }, bucket) => bucket.delete(key).then(() => null),
    async list({ options }, bucket) {
      const { objects, delimitedPrefixes, truncated } = await bucket.list(options);
      return { keys: objects.map(({ key }) => key), delimitedPrefixes, truncated };
    },
    async put({ key, value, options }, bucket) {
      return facts(await bucket.put(key, Uint8Array.from(atob(value), (c) => c.charCodeAt(0)), options));
    },
    async 'upload in parts'({ key, partSize, parts }, bucket) {
      const upload = await bucket.createMultipartUpload(key, { httpMetadata: { contentType: 'text/plain' } });
      const uploaded = [];
      for (let n = 1; n <= parts; n += 1) {
        const size = n === parts ? 10 : partSize;
        uploaded.push(await upload.uploadPart(n, new Uint8Array(size).fill(n)));
      }
      return facts(await upload.complete(uploaded));
    },
  };
  export default {
    async fetch(request, env) {
      const deed = await request.json();
      return Response.json(await deeds[deed.does](deed, env.BUCKET));
    },
  };`;

/** A running workerd with a worker that accesses one bucket of a persist root. */
export interface BucketWorker extends AsyncDisposable {
  /** Performs an operation, and returns its result. Rejects if the operation fails. */
  act(deed: BucketAction): Promise<unknown>;
}

/** Starts Miniflare as wrangler does, on `<root>/v3`. */
export async function startBucketWorker(root: string, bucket: string): Promise<BucketWorker> {
  const settings = convertV4MiniflareOptions({
    modules: true,
    script,
    compatibilityDate: '2026-01-01',
    r2Buckets: { BUCKET: bucket },
    resourcePersistencePath: join(root, 'v3'),
    log: new NoOpLog(),
    cf: false,
  });
  const miniflare = new Miniflare(settings);
  await miniflare.ready;
  return {
    async act(deed) {
      const answer = await miniflare.dispatchFetch('http://worker/', {
        method: 'POST',
        body: JSON.stringify(deed),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}
