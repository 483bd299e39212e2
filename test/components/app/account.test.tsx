import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { openKeys } from '../open-console.tsx';
import { openPlatform } from '../open-objects.tsx';

test('offers the accounts if several exist and none is chosen', async () => {
  const { open } = await openPlatform();
  const opened: unknown[] = [];
  const app = await openKeys({
    openSession: () => open(),
    refuse(target, choice) {
      if (target !== 'production') return undefined;
      opened.push(choice);
      return choice.accountId === undefined
        ? new Problem('account-not-chosen', 'The credentials reach 2 accounts.')
        : undefined;
    },
  });
  await app.go(['t', 'up', 'up', 'enter'], 'in account:');
  await app.screen.waitFor('Accounts');
  await app.go(['enter'], 'PRODUCTION');
  expect(opened).toEqual([
    { target: 'production' },
    { target: 'production', profile: undefined, accountId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  expect(app.sessions()).toBe(1);
});

test('offers only profiles while the target is local data, which has no accounts; Esc changes nothing', async () => {
  const app = await openKeys({ label: { where: { kind: 'local', folder: '/data' } } });
  await app.go(['Z'], 'Profiles');
  expect(app.screen.text()).not.toContain('Accounts');
  await app.go(['esc'], 'user:2');
});
