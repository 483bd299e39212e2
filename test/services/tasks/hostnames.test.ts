import { expect, test } from 'vitest';
import { createHostname } from '../../../src/services/hostnames/hostnames.ts';
import { readPlatformInfo } from '../../../src/services/session/platform-info.ts';
import type { Send } from '../../../src/v4/send.ts';
import { isEnded, openTasks } from './platform.ts';

const names = ['a.acme.com', 'b.acme.com', 'c.acme.com', 'd.acme.com'];

test('a diagnosis that was stopped goes on with those that are left, also where one in their midst was slow', async () => {
  const asked: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const through =
    (send: Send): Send =>
    async (call) => {
      asked.push(call.path);
      if (call.path.includes('answer?name=b.acme.com')) {
        slow.resolve();
        await gate.promise;
      }
      return send(call);
    };
  const tasks = await openTasks(through);
  const { session } = tasks;
  const zone = { id: (await readPlatformInfo(session)).zoneId ?? '', name: 'saas.sandbox' };
  const marked: { id: string; hostname: string }[] = [];
  for (const hostname of names) marked.push(await createHostname(session, zone.id, { hostname }));
  const { id } = await tasks.start({ does: 'diagnose-hostnames', zone }, marked);
  await slow.promise;
  await tasks.until(id, ({ progress }) => progress?.done === 3);
  await tasks.list.stop(id);
  gate.resolve();
  expect(await tasks.until(id, isEnded)).toMatchObject({ state: 'stopped' });
  asked.splice(0);
  await tasks.list.resume(id);
  expect(await tasks.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: 'Diagnosed 4 hostnames of saas.sandbox: 4 with a fault.',
  });
  const found = await tasks.list.listOf<{ hostname: string }>(id);
  expect(found.map(({ hostname }) => hostname)).toEqual(names);
  expect(asked.some((path) => path.includes('name=b.acme.com'))).toBe(true);
  for (const name of ['a', 'c', 'd']) expect(asked.join('\n')).not.toContain(`name=${name}.acme.com`);
});
