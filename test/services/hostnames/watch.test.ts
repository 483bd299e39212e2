import { expect, test } from 'vitest';
import { readAgain, watchHostname } from '../../../src/services/hostnames/watch.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { result, stubPlatform } from './platform.ts';

/** Returns a session with a clock that only sleeps advance. `statusAt` returns the certificate's status after a number of seconds. */
function clocked(statusAt: (seconds: number) => string) {
  const slept: number[] = [];
  let now = 0;
  const { session } = stubPlatform(() =>
    result({ id: '1', hostname: 'shop.acme.com', status: 'pending', ssl: { status: statusAt(now / 1000) } }),
  );
  const timed: Session = {
    ...session,
    world: {
      ...session.world,
      now: () => now,
      async sleep(milliseconds) {
        slept.push(milliseconds / 1000);
        now += milliseconds;
      },
    },
  };
  return { session: timed, slept };
}

test('reads at growing intervals while nothing changes, and at short intervals after a change', async () => {
  const { session, slept } = clocked((seconds) => (seconds < 90 ? 'initializing' : 'pending_validation'));
  const seen: (string | undefined)[] = [];
  const watching = async () => {
    for await (const { ssl } of watchHostname(session, 'z', '1', { timeout: 100 })) seen.push(ssl?.status);
  };
  await expect(watching()).rejects.toMatchObject({ code: 'check-failed' });
  expect(seen).toEqual(['initializing', 'pending_validation']);
  expect(slept).toEqual([...Array(30).fill(2), ...Array(6).fill(5), ...Array(5).fill(2)]);
});

test('waits half a minute between readings after ten quiet minutes', async () => {
  const { session, slept } = clocked(() => 'pending_validation');
  const watching = watchHostname(session, 'z', '1', { timeout: 3600 });
  await watching.next();
  await expect(watching.next()).rejects.toMatchObject({ code: 'check-failed' });
  expect(slept.filter((seconds) => seconds < 30).reduce((sum, seconds) => sum + seconds)).toBe(610);
  expect(slept.at(-1)).toBe(30);
});

test('omits a deleted hostname from a watch of several hostnames', async () => {
  const { session } = stubPlatform(({ path }) =>
    path.endsWith('/1') ? result({ id: '1', hostname: 'shop.acme.com', status: 'active' }) : undefined,
  );
  expect(await readAgain(session, 'z', ['1', '2'])).toMatchObject([
    { id: '1', row: { record: { status: 'active' } } },
    { id: '2', row: undefined },
  ]);
});
