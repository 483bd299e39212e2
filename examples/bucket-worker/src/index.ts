import objects, { type Env, keyOf } from './objects.ts';

declare global {
  interface SubtleCrypto {
    /** Compares in constant time, whatever the content. An addition of the Workers runtime. */
    timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean;
  }
}

/** Public keys: anybody may read them. */
const allowList = ['cat-pic.jpg'];

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (await isAllowed(request, env)) return objects.fetch(request, env);
    return new Response('Forbidden', { status: 403 });
  },
};

/** Writing and deleting require the secret, reading an allowed key; nothing else is permitted. */
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

/** Whether the request contains the secret; always false while none is set. */
async function hasSecret(request: Request, { AUTH_KEY_SECRET: secret }: Env): Promise<boolean> {
  const given = request.headers.get('X-Custom-Auth-Key');
  if (!given || !secret) return false;
  return crypto.subtle.timingSafeEqual(await digest(given), await digest(secret));
}

/** Digests have one length, so the comparison does not reveal the secret's length. */
function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
