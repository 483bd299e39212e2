import { expect, test } from 'vitest';
import { workerService } from '../../../src/services/console/workers.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';

const choice = { ...plainChoice, profile: 'sandbox' };
const quiet = { note: () => undefined };

test('a session opened during a live log reads keys and objects, and continues after the log is closed', async () => {
  const world = testWorld({ now: Date.now });
  const reader = await openSession(world, choice, quiet);
  const log = new AbortController();
  await reader.runWorkers?.(log.signal);
  const other = await openSession(world, choice, quiet);
  expect(other.where).toMatchObject({ baseUrl: expect.stringMatching(/^http:/) });
  expect(await other.s3Access()).toMatchObject({ endpoint: expect.stringMatching(/^http:/) });
  log.abort();
  const again = new AbortController();
  await reader.runWorkers?.(again.signal);
  again.abort();
  expect(await createNamespace(other, 'FLAGS')).toMatchObject({ title: 'FLAGS' });
  await other.close();
  await reader.close();
});

test('workers stop when their live log fails, even if its reader has not closed the log', async () => {
  const world = testWorld({ now: Date.now });
  const reader = await openSession(world, choice, quiet);
  const tail = workerService(reader).tail('nobody', new AbortController().signal);
  const log = tail[Symbol.asyncIterator]();
  expect(await log.next()).toMatchObject({ value: { kind: 'notice' } });
  await expect(log.next()).rejects.toMatchObject({ code: 'not-found' });
  const isServed = async () => {
    const session = await openSession(world, choice, quiet);
    await session.close();
    return session.where.kind === 'sandbox' && session.where.baseUrl !== undefined;
  };
  await expect.poll(isServed).toBe(false);
  await reader.close();
});
