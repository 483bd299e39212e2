import objects, { type Env, keyOf } from './objects.ts';

declare global {
  interface SubtleCrypto {
    /** Compares in a time that does not depend on the content. An addition of the Workers runtime. */
    timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean;
  }
}

/** Keys that anybody may read. */
const allowList = ['cat-pic.jpg'];

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (await isAllowed(request, env)) return objects.fetch(request, env);
    return new Response('Forbidden', { status: 403 });
  },
};

/** Writing and deleting need the secret, reading a key of the allow list; nothing else is allowed. */
async function isAllowed(request: Request, env: Env): Promise<boolean> {
  switch (request.method) {
    case 'PUT':
    case 'DELETE':
      return hasSecret(request, env);
    case 'GET':
      return allowList.includes(keyOf(request));
    default:
      return false;
  }
}

/** Whether the request names the secret. While none is set, nobody does. */
async function hasSecret(request: Request, { AUTH_KEY_SECRET: secret }: Env): Promise<boolean> {
  const given = request.headers.get('X-Custom-Auth-Key');
  if (!given || !secret) return false;
  return crypto.subtle.timingSafeEqual(await digest(given), await digest(secret));
}

/** Digests have one length, so that comparing them does not tell how long the secret is. */
function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
