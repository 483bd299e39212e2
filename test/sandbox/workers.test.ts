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
