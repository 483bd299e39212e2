/** The fields of a read object that this worker uses. */
interface StoredObject {
  readonly body: ReadableStream;
  readonly httpEtag: string;
  writeHttpMetadata(headers: Headers): void;
}

/** The methods of the bucket that this worker uses. */
interface Bucket {
  get(key: string): Promise<StoredObject | null>;
  put(key: string, value: ReadableStream | null): Promise<unknown>;
  delete(key: string): Promise<void>;
}

export interface Env {
  readonly MY_BUCKET: Bucket;
  /** Set by `edgectl secret put AUTH_KEY_SECRET`, never written in code. */
  readonly AUTH_KEY_SECRET?: string;
}

/** The path without its leading slash, unchanged: `%20` stays `%20`. */
export function keyOf(request: Request): string {
  return new URL(request.url).pathname.slice(1);
}

/**
 * Stores, returns and deletes objects for any caller: a bucket has no access control. `index.ts` decides which
 * requests reach it.
 */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const key = keyOf(request);
    switch (request.method) {
      case 'PUT':
        if (key === '') return keyNeeded();
        await env.MY_BUCKET.put(key, request.body);
        return new Response(`Put ${key} successfully!`);
      case 'GET':
        return give(key === '' ? null : await env.MY_BUCKET.get(key));
      case 'DELETE':
        if (key === '') return keyNeeded();
        await env.MY_BUCKET.delete(key);
        return new Response('Deleted!');
      default:
        return new Response('Method Not Allowed', { status: 405, headers: { Allow: 'PUT, GET, DELETE' } });
    }
  },
};

/** `/` names no object: a bucket would store one under an empty key, which no tool can name. */
function keyNeeded(): Response {
  return new Response('Bad Request: the path names no key', { status: 400 });
}

function give(object: StoredObject | null): Response {
  if (object === null) return new Response('Object Not Found', { status: 404 });
  const headers = new Headers();
  object.writeHttpMetadata(headers);
  headers.set('etag', object.httpEtag);
  return new Response(object.body, { headers });
}
