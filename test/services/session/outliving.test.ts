import { expect, test } from 'vitest';
import { listNamespaces } from '../../../src/services/kv/namespaces.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { foldersIn, testWorld } from '../../support/world.ts';
import { openStage } from '../hostnames/stage.ts';

test('continues a session when its server, which is in another process, stops', async () => {
  const stage = await openStage({ prepared: false, served: true });
  const world = testWorld({ now: () => stage.clock.now, folders: foldersIn(stage.home) });
  const notes: string[] = [];
  const choice = { ...plainChoice, profile: 'sandbox' };
  const session = await openSession({ ...world, sleep: async () => undefined }, choice, {
    note: (message) => notes.push(message),
  });
  const titles = async () => {
    const found: string[] = [];
    for await (const page of listNamespaces(session)) found.push(...page.map(({ title }) => title));
    return found;
  };
  expect(session.where).toMatchObject({ kind: 'sandbox', baseUrl: stage.ready?.apiBaseUrl });
  await stage.edgectl('kv', 'namespace', 'create', 'kept');
  const before = await titles();
  expect(before).toHaveLength(1);
  await stage.close();
  expect(await titles()).toEqual(before);
  expect(notes.at(-1)).toBe('The server has stopped; accessing the files directly.');
  const told = notes.length;
  expect(await titles()).toEqual(before);
  expect(notes).toHaveLength(told);
  await session.close();
});
