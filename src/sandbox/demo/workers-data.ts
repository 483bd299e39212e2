import type { WorkerBinding, WorkerCode } from '../../model/workers/worker.ts';

/** A deployed version of the demo worker. The bindings of this version also apply to later versions. */
export interface DemoRelease {
  readonly daysAgo: number;
  readonly source: 'wrangler' | 'edgectl' | 'api';
  readonly message: string;
  readonly bindings: readonly WorkerBinding[];
}

export const demoWorker = 'shop-edge';

export const demoCompatibilityDate = '2026-11-01';

/** Names of the worker's secrets. The values of the secrets are random and different on every machine. */
export const demoSecrets = { checkout: 'CHECKOUT_API_TOKEN', preview: 'PREVIEW_KEY' } as const;

/** The resources that the releases bind: namespace ids by title, and secret values by name. */
export interface DemoResources {
  namespace(title: string): string;
  secret(name: string): string;
}

/** Returns the releases, oldest first. */
export function demoReleases({ namespace, secret }: DemoResources): DemoRelease[] {
  const kv = (name: string, title: string) =>
    ({ type: 'kv_namespace', name, namespace_id: namespace(title) }) as const;
  const secretText = (name: string) => ({ type: 'secret_text', name, text: secret(name) }) as const;
  return [
    {
      daysAgo: 41,
      source: 'wrangler',
      message: 'Products and pages from the edge',
      bindings: [
        kv('CATALOGUE', 'shop-CATALOGUE'),
        { type: 'r2_bucket', name: 'ASSETS', bucket_name: 'shop-assets' },
        { type: 'plain_text', name: 'CURRENCY', text: 'EUR' },
      ],
    },
    {
      daysAgo: 9,
      source: 'wrangler',
      message: 'Old addresses redirect',
      bindings: [
        kv('REDIRECTS', 'shop-REDIRECTS'),
        { type: 'json', name: 'MARKETS', json: { de: 'EUR', pl: 'PLN', jp: 'JPY' } },
      ],
    },
    {
      daysAgo: 8.9,
      source: 'api',
      message: 'Secrets',
      bindings: [secretText(demoSecrets.checkout), secretText(demoSecrets.preview)],
    },
    {
      daysAgo: 0.1,
      source: 'edgectl',
      message: 'Flags for callers with the preview key',
      bindings: [kv('FLAGS', 'shop-FEATURE_FLAGS')],
    },
  ];
}

/** Returns the code of the demo worker, which is one small module. */
export function demoCode(): WorkerCode {
  const content = Buffer.from(source);
  return { format: 'modules', entry: 'index.js', modules: [{ name: 'index.js', kind: 'esm', content }] };
}

const source = `/** The shop's edge: old addresses redirect, products come from the catalogue, and everything else comes from the assets. */
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const { value: target, metadata } = await env.REDIRECTS.getWithMetadata(pathname);
    if (target !== null) {
      console.log(pathname, 'redirects to', target);
      return Response.redirect(target, metadata?.status ?? 302);
    }
    if (pathname.startsWith('/products/')) return answer(await env.CATALOGUE.get(pathname.slice(1)));
    if (pathname.startsWith('/prices/')) return prices(env, pathname.slice('/prices/'.length));
    if (pathname.startsWith('/flags/')) return flag(request, env, pathname.slice('/flags/'.length));
    return asset(await env.ASSETS.get(pathname.slice(1) || 'index.html'));
  },
};

function prices(env, market) {
  const currency = env.MARKETS[market].toUpperCase();
  return answer(JSON.stringify({ market, currency }));
}

async function flag(request, env, name) {
  const given = await digest(request.headers.get('X-Preview-Key') ?? '');
  if (!crypto.subtle.timingSafeEqual(given, await digest(env.PREVIEW_KEY))) {
    console.warn('the flag', name, 'was requested without the preview key');
    return new Response('Forbidden\\n', { status: 403 });
  }
  return answer(await env.FLAGS.get(name));
}

function digest(text) {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}

function answer(json) {
  if (json === null) return new Response('Not found\\n', { status: 404 });
  return new Response(json, { headers: { 'content-type': 'application/json' } });
}

function asset(object) {
  if (object === null) return new Response('Not found\\n', { status: 404 });
  const headers = new Headers({ etag: object.httpEtag });
  object.writeHttpMetadata(headers);
  return new Response(object.body, { headers });
}
`;
