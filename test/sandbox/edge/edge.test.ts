import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunnableWorker } from '../../../src/model/workers/worker.ts';
import { type Edge, serveEdge } from '../../../src/sandbox/edge/edge.ts';
import { forward } from '../../../src/sandbox/http/forward.ts';
import { openWorkerHost, type WorkerHost } from '../../../src/sandbox/workers/host.ts';
import { openRuntime, type Runtime } from '../../../src/sandbox/workers/runtime.ts';
import { readBody } from '../../../src/v4/send.ts';
import { inSoak } from '../../support/in-part.ts';
import { scratchFolder } from '../../support/world.ts';
import { raw } from '../test-sandbox.ts';

const script = `
import text from './greeting.txt';
let hold;
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname === '/echo') {
      const body = await request.text();
      return Response.json({ url: request.url, headers: [...request.headers], body, method: request.method });
    }
    if (url.pathname === '/hold') { await new Promise((resolve) => setTimeout(resolve, 300)); return new Response('held'); }
    if (url.pathname === '/throw') throw new Error('boom');
    if (url.pathname === '/refuse') return new Response('Forbidden', { status: 403 });
    if (url.pathname === '/kv') { await env.KV.put('seen', url.search); return new Response(await env.KV.get('seen')); }
    if (url.pathname === '/bucket') { await env.BUCKET.put('o', 'stored'); return (await env.BUCKET.get('o')).body ? new Response('stored') : null; }
    return new Response(text + ' ' + env.NAME + ' ' + env.SHAPE.sides);
  },
};`;

function worker(name: string, greeting: string): RunnableWorker {
  return {
    name,
    code: {
      format: 'modules',
      entry: 'index.js',
      modules: [
        { name: './greeting.txt', kind: 'text', content: Buffer.from(greeting) },
        { name: 'index.js', kind: 'esm', content: Buffer.from(script) },
      ],
    },
    compatibilityDate: '2026-11-01',
    compatibilityFlags: [],
    bindings: [
      { type: 'plain_text', name: 'NAME', text: name },
      { type: 'json', name: 'SHAPE', json: { sides: 4 } },
      { type: 'kv_namespace', name: 'KV', namespace_id: 'a'.repeat(32) },
      { type: 'r2_bucket', name: 'BUCKET', bucket_name: 'pictures' },
    ],
  };
}

let workers: RunnableWorker[] = [worker('first', 'Hello'), worker('second', 'Good day')];
let runtime: Runtime;
let host: WorkerHost;
let edge: Edge;

beforeAll(async () => {
  runtime = openRuntime({ persistRoot: scratchFolder('edge') });
  host = openWorkerHost({ runtime, workers: () => workers });
  const handlers = [
    async ({ host: name, ...visit }: Parameters<Parameters<typeof serveEdge>[0]['handlers'][0]>[0]) => {
      const found = workers.find((one) => name === `${one.name}.localhost`);
      if (found === undefined) return false;
      await host.visit(found.name, (port) => forward(visit, port));
      return true;
    },
  ];
  edge = await serveEdge({ port: 0, handlers });
});

afterAll(async () => {
  await edge.close();
  await host.close();
});

async function call(path: string, options: { host?: string; method?: string; body?: string } = {}) {
  const { host: name = 'first.localhost', method = 'GET', body } = options;
  const request = { method, path, headers: { host: `${name}:${edge.port}` } };
  const answer = await raw(edge.port, request, body === undefined ? undefined : Buffer.from(body));
  return { ...answer, text: Buffer.from(await readBody(answer.body)).toString('utf8') };
}

test('the edge selects the worker by the Host header, regardless of case', async () => {
  expect((await call('/')).text).toBe('Hello first 4');
  expect((await call('/', { host: 'SECOND.localhost' })).text).toBe('Good day second 4');
});

test('the edge returns error 1016 for a host without a worker', async () => {
  const { status, text } = await call('/', { host: 'third.localhost' });
  expect([status, text]).toEqual([530, 'error code: 1016\n']);
});

test('the edge passes path, query, method, Host and body to the worker unchanged', async () => {
  const { text } = await call('/echo?q=a%2Fb%20c', { method: 'PUT', body: 'payload' });
  const seen = JSON.parse(text);
  expect(seen).toMatchObject({
    url: `http://first.localhost:${edge.port}/echo?q=a%2Fb%20c`,
    body: 'payload',
    method: 'PUT',
  });
});

test('bindings of a worker read and write the data in the folder of the sandbox', async () => {
  expect((await call('/kv?one')).text).toBe('?one');
  expect((await call('/bucket')).text).toBe('stored');
});

test('the edge answers a visit with a long body that the worker rejects unread, and also the next visit', async () => {
  const { status, text } = await call('/refuse', { method: 'PUT', body: 'x'.repeat(20_000_000) });
  expect([status, text]).toEqual([403, 'Forbidden']);
  expect((await call('/')).status).toBe(200);
});

test('the edge returns 500 for a visit to a worker that throws', async () => {
  expect((await call('/throw')).status).toBe(500);
});

test('the edge answers HEAD with headers and no body', async () => {
  const { status, headers, text } = await call('/', { method: 'HEAD' });
  expect([status, headers['content-length'], text]).toEqual([200, '13', '']);
});

test('an update lets running visits finish, and runs the new code for the next visit', async () => {
  const held = call('/hold');
  // The visit counts as running once its request has reached the edge.
  await call('/');
  workers = [worker('first', 'Changed'), worker('second', 'Good day')];
  await host.refresh();
  expect((await call('/')).text).toBe('Changed first 4');
  expect((await held).text).toBe('held');
});

test('rejects code that does not load with the message of the runtime, and runs the next valid code', async () => {
  const good = workers;
  const [first] = workers;
  if (first === undefined) throw new Error('There is no worker.');
  const bad = { name: 'index.js', kind: 'esm' as const, content: Buffer.from('export default {') };
  workers = [{ ...first, code: { ...first.code, modules: [bad] } }];
  await expect(host.refresh()).rejects.toMatchObject({ message: /^Uncaught SyntaxError: Unexpected end/ });
  expect((await call('/')).status).toBe(500);
  workers = good;
  expect((await call('/')).text).toBe('Changed first 4');
});

const patient = { timeout: 10_000 };

inSoak(() => {
  test('restarts a runtime that has exited, after a visit has found the runtime stopped', async () => {
    const children = execFileSync('pgrep', ['-x', 'workerd', '-P', String(process.pid)], {
      encoding: 'utf8',
    });
    for (const pid of children.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    await expect.poll(async () => (await call('/')).status, patient).toBe(502);
    await expect.poll(async () => (await call('/')).text, patient).toBe('Changed first 4');
  });
});
