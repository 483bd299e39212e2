import { expect, test } from 'vitest';
import type { SessionChoice } from '../../../src/services/tasks/context.ts';
import { openPlatformKeys } from '../open-platform-keys.tsx';

test('keeps the profile of a task when the console switches profiles, and shows the profile in the row of the task', async () => {
  const gate = Promise.withResolvers<void>();
  const places: SessionChoice[] = [];
  const app = await openPlatformKeys({
    columns: 110,
    wrap: (send) => async (call) => {
      await gate.promise;
      return send(call);
    },
    refusePlace: (place) => void places.push(place),
    labelOf: ({ profile }) =>
      profile === undefined
        ? {}
        : { where: { kind: 'remote', profile, baseUrl: 'https://api.other.invalid/client/v4' } },
  });
  await app.go(['space', 'space', 'd'], 'Delete 2 keys from sessions?');
  await app.go(['y'], 'PRODUCTION 1 task');
  await app.go(['Z'], 'Profiles');
  await app.go([...'sandbox', 'enter'], (screen) =>
    /^PRODUCTION 1 task +sandbox/.test(screen.lines()[0] ?? ''),
  );
  await app.go(['5'], 'STATE');
  expect(app.screen.text()).toMatch(/│ Delete 2 keys from sessions +demo /);
  await app.go([], (screen) => /where +demo · Demo account ·/.test(screen.text()));
  gate.resolve();
  await app.go([], (screen) => /ended .*, took /.test(screen.text()));
  expect(places).toEqual([expect.objectContaining({ target: 'production', profile: undefined })]);
  expect(await app.keys()).toEqual(['c', 'd', 'e']);
  await app.go(['Z'], 'you are here');
});
