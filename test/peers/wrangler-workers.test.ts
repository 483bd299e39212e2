import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/model/sandbox/logged-request.ts';
import { findRequest } from '../../src/model/workers/trace.ts';
import { openWorkerSandbox, type WorkerSandbox } from '../sandbox/workers/test-sandbox.ts';
import { scratchFolder } from '../support/world.ts';
import { openWrangler, type Run } from './wrangler.ts';

let place: WorkerSandbox;
let folder: string;
let namespace: string;

beforeAll(async () => {
  // The clock is real, because wrangler sorts versions by time.
  place = await openWorkerSandbox('over a socket', { now: () => Date.now() });
  namespace = await place.create('for wrangler');
  await place.kv('PUT', `/${namespace}/values/colour`, 'green');
  const { accountId, apiToken } = place.sandbox.access();
  const headers = { authorization: `Bearer ${apiToken}`, 'cf-r2-jurisdiction': 'eu' };
  await place.call('POST', `/accounts/${accountId}/r2/buckets`, { json: { name: 'for-wrangler' } }, headers);
  folder = scratchFolder('wrangler');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/page.txt'), 'page');
  writeFileSync(join(folder, 'src/index.ts'), source);
  configure('first');
});
afterAll(() => place.close());

const source = `import page from './page.txt';
export default { async fetch(request: Request, env: any): Promise<Response> {
  if (request.method === 'PUT') await env.BUCKET.put('seen', request.body);
  const seen = await env.BUCKET.get('seen');
  return Response.json({
    page, word: env.WORD, shape: env.SHAPE, colour: await env.KV.get('colour'), secret: env.TOKEN, other: env.OTHER,
    seen: seen === null ? null : await seen.text(),
  });
} };`;

function configure(word: string, domains: readonly string[] = []): void {
  const config = {
    name: 'peer',
    main: 'src/index.ts',
    compatibility_date: '2026-11-01',
    vars: { WORD: word, SHAPE: { sides: 3 } },
    kv_namespaces: [{ binding: 'KV', id: namespace }],
    r2_buckets: [{ binding: 'BUCKET', bucket_name: 'for-wrangler', jurisdiction: 'eu' }],
    ...(domains.length > 0 && { routes: domains.map((pattern) => ({ pattern, custom_domain: true })) }),
    workers_dev: true,
  };
  writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(config));
}

/** Runs the real wrangler in the project's folder. */
function wrangler(args: readonly string[], stdin?: string): Promise<Run> {
  const { accountId, apiToken } = place.sandbox.access();
  const peer = openWrangler(folder, {
    CLOUDFLARE_API_BASE_URL: place.apiBaseUrl,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
  });
  return stdin === undefined ? peer(...args) : peer.given(stdin, args);
}

async function done(args: readonly string[], stdin?: string): Promise<Run> {
  const run = await wrangler(args, stdin);
  expect(run.code, run.said).toBe(0);
  return run;
}

const seen = async () => JSON.parse((await place.visit('peer', '/')).text);
const deployed = { page: 'page', shape: { sides: 3 }, colour: 'green', seen: null };

describe('the real wrangler', { timeout: 120_000 }, () => {
  test('wrangler deploys a new worker with modules, variables, a namespace and a bucket', async () => {
    const { said } = await done(['deploy']);
    expect(said).toMatch(/Current Version ID: [0-9a-f-]{36}/);
    expect(await seen()).toEqual({ ...deployed, word: 'first' });
  });

  test('the worker uses the same bucket that the API shows', async () => {
    expect(
      JSON.parse((await place.visit('peer', '/', { method: 'PUT', body: 'stored' })).text),
    ).toMatchObject({
      seen: 'stored',
    });
    const eu = ['--remote', '--jurisdiction', 'eu'];
    const { stdout } = await done(['r2', 'object', 'get', 'for-wrangler/seen', ...eu, '--pipe']);
    expect(stdout.toString()).toBe('stored');
    await done(['r2', 'object', 'delete', 'for-wrangler/seen', ...eu]);
    expect(await seen()).toMatchObject({ seen: null });
  });

  test('wrangler tails the worker, as JSON and for people, until the tail is deleted', async () => {
    const { platform } = place.sandbox;
    const { tails } = platform;
    if (tails === undefined) throw new Error('no tails');
    const said = async (format: string) => {
      const [listening, message] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      platform.tails = {
        ...tails,
        listen(id, socket) {
          tails.listen(id, socket);
          listening.resolve();
        },
        publish(worker, runs) {
          tails.publish(worker, runs);
          if (runs.some((run) => findRequest(run)?.method === 'GET')) message.resolve();
        },
      };
      const run = done(['tail', 'peer', '--format', format, '--method', 'GET']);
      await Promise.race([listening.promise, run]);
      await place.visit('peer', '/tailed', { method: 'HEAD' });
      await place.visit('peer', '/tailed');
      await message.promise;
      const { id } =
        (await place.workers('GET', '/scripts/peer/tails')).envelope<{ id: string }>().result ?? {};
      await place.workers('DELETE', `/scripts/peer/tails/${id}`);
      return (await run).stdout.toString();
    };
    const url = `http://peer.localhost:${place.edge.port}/tailed`;
    expect(JSON.parse(await said('json'))).toMatchObject({ outcome: 'ok', event: { request: { url } } });
    expect(await said('pretty')).toContain(`GET ${url} - Ok @ `);
    platform.tails = tails;
  });

  test('wrangler puts, lists and deletes secrets, which the running worker sees', async () => {
    await done(['secret', 'put', 'TOKEN'], 'from wrangler\n');
    expect(await seen()).toMatchObject({ secret: 'from wrangler' });
    expect(JSON.parse((await done(['secret', 'list'])).stdout.toString())).toEqual([
      { name: 'TOKEN', type: 'secret_text' },
    ]);
    await done(['secret', 'bulk'], JSON.stringify({ TOKEN: 'bulk', OTHER: 'other' }));
    expect(await seen()).toMatchObject({ secret: 'bulk', other: 'other' });
    await done(['secret', 'delete', 'OTHER']);
    expect(Object.keys(await seen())).not.toContain('other');
  });

  test('wrangler deploys again as a version and a deployment, and keeps secrets', async () => {
    configure('second');
    await done(['deploy']);
    expect(await seen()).toEqual({ ...deployed, word: 'second', secret: 'bulk' });
    const { said } = await done(['deployments', 'list']);
    expect(said.match(/\(100%\)/g)).toHaveLength(5);
  });

  test('wrangler uploads a version without deploying it, cannot set a secret before it is deployed, and rolls back', async () => {
    configure('third');
    await done(['versions', 'upload', '--message', 'not yet']);
    expect(await seen()).toMatchObject({ word: 'second' });
    const refused = await wrangler(['secret', 'put', 'OTHER'], 'x');
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining("isn't currently deployed")]);
    await done(['versions', 'secret', 'put', 'OTHER'], 'in a version');
    const versions = JSON.parse((await done(['versions', 'list', '--json'])).stdout.toString());
    const latest = versions.at(-1).id;
    expect((await done(['versions', 'view', latest])).said).toContain('OTHER');
    await done(['versions', 'deploy', `${latest}@100%`, '-y']);
    expect(await seen()).toMatchObject({ word: 'third', secret: 'bulk', other: 'in a version' });
    // The sandbox rejects the request with 10220; wrangler then asks, and repeats the request with force.
    expect((await done(['rollback', '-y', '--message', 'back'])).said).toContain('* OTHER');
    expect(await seen()).toMatchObject({ word: 'second', secret: 'bulk' });
  });

  test('wrangler reports a worker that does not start', async () => {
    writeFileSync(join(folder, 'src/broken.ts'), 'throw new Error("at the top"); export default {};');
    const { code, said } = await wrangler(['deploy', 'src/broken.ts', '--name', 'broken']);
    expect([code, said]).toEqual([1, expect.stringMatching(/Uncaught Error: at the top.*10021/s)]);
    expect((await place.workers('GET', '/scripts/broken/settings')).code).toBe(10007);
  });

  test('wrangler reports a namespace that does not exist', async () => {
    const id = 'f'.repeat(32);
    const config = { name: 'lost', main: 'src/index.ts', compatibility_date: '2026-11-01' };
    writeFileSync(
      join(folder, 'lost.json'),
      JSON.stringify({ ...config, kv_namespaces: [{ binding: 'KV', id }] }),
    );
    const { code, said } = await wrangler(['deploy', '--config', 'lost.json']);
    expect([code, said]).toEqual([1, expect.stringContaining('10041')]);
  });

  test('wrangler replaces all custom domains of the worker with the published list', async () => {
    const domains = async () => {
      const { result } = (await place.workers('GET', '/domains')).envelope<{ hostname: string }[]>();
      return result?.map(({ hostname }) => hostname);
    };
    const zone = place.sandbox.platform.registry().zoneId();
    const taken = { type: 'A', name: 'cart.saas.sandbox', content: '192.0.2.1', proxied: true };
    await place.call('POST', `/zones/${zone}/dns_records`, { json: taken });
    configure('second', ['shop.saas.sandbox', 'cart.saas.sandbox']);
    expect((await done(['deploy'])).said).toContain('shop.saas.sandbox (custom domain)');
    expect(await domains()).toEqual(['shop.saas.sandbox', 'cart.saas.sandbox']);
    const { result } = (
      await place.call('GET', `/zones/${zone}/dns_records?name=cart.saas.sandbox`)
    ).envelope<{ content: string }[]>();
    expect(result?.map(({ content }) => content)).toEqual(['100::']);
    configure('second', ['cart.saas.sandbox']);
    await done(['triggers', 'deploy']);
    expect(await domains()).toEqual(['cart.saas.sandbox']);
  });

  test('wrangler deletes the worker, which then no longer answers', async () => {
    await done(['delete', '--name', 'peer']);
    expect((await place.visit('peer', '/')).status).toBe(530);
    const { code, said } = await wrangler(['secret', 'list']);
    expect([code, said]).toEqual([1, expect.stringContaining('Worker "peer" not found')]);
  });

  test('wrangler sends no form part or field that the sandbox ignores', async () => {
    const headers = { authorization: `Bearer ${place.sandbox.access().apiToken}` };
    const answer = await fetch(`${place.apiBaseUrl}/sandbox/requests`, { headers });
    const requests: readonly LoggedRequest[] = JSON.parse(await answer.text()).result;
    expect(
      requests.some(({ method, route }) => method === 'PUT' && route?.endsWith('/scripts/:script')),
    ).toBe(true);
    const notes = requests.flatMap(({ notes: all }) => all);
    expect(notes.filter((note) => /^the (?:part|field (?:metadata|settings)\.)/.test(note))).toEqual([]);
  });
});
