import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerPlace, type WorkerPlace } from './workers-place.ts';

let place: WorkerPlace;
beforeAll(async () => {
  place = await openWorkerPlace('over a socket');
});
afterAll(() => place.close());

const hello = (word: string) => ({
  'index.js': `export default { fetch(request, env) { return new Response('${word} ' + env.WHO + ' ' + env.SECRET) } }`,
});

test('an uploaded worker answers at its own hostname once its route is enabled', async () => {
  const bindings = [{ type: 'plain_text', name: 'WHO', text: 'world' }];
  const reply = await place.deploy('hello', hello('Hello'), { bindings });
  expect(reply.envelope()).toMatchObject({ success: true, result: { id: 'hello' } });
  expect((await place.visit('hello', '/')).text).toBe('Hello world undefined');
});

test('keys written through the API while workers write do not make a worker fail', async () => {
  const id = await place.create('busy');
  const source = `export default { async fetch(request, env) {
    await env.KV.put(new URL(request.url).pathname, 'v');
    return new Response('ok');
  } }`;
  const bindings = [{ type: 'kv_namespace', name: 'KV', namespace_id: id }];
  await place.deploy('busy', { 'index.js': source }, { bindings });
  await place.visit('busy', '/first');
  let isBusy = true;
  const answers = new Set<string>();
  const visitor = async (name: string) => {
    for (let count = 0; isBusy; count += 1) answers.add((await place.visit('busy', `/${name}${count}`)).text);
  };
  const visitors = Array.from({ length: 8 }, (_, at) => visitor(`visitor${at}-`));
  for (let count = 0; count < 100; count += 1) {
    expect((await place.kv('PUT', `/${id}/values/api${count}`, 'v')).status).toBe(200);
  }
  isBusy = false;
  await Promise.all(visitors);
  expect([...answers]).toEqual(['ok']);
});
