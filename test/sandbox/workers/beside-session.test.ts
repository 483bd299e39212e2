import { expect, test } from 'vitest';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';

const choice = { ...plainChoice, profile: 'sandbox' };
const quiet = { note: () => undefined };

test('a session that was opened beside a log reads keys and objects, and goes on when the log is left', async () => {
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
