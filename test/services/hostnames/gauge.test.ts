import { expect, test } from 'vitest';
import { ensureHostname } from '../../../src/services/hostnames/create.ts';
import { readIssuanceWindow } from '../../../src/services/hostnames/overview.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { refusal, result, stubPlatform } from './platform.ts';

const record = { id: '1', hostname: 'shop.acme.com', status: 'pending', ssl: { status: 'initializing' } };

/** Returns a session with a clock that the test sets, and with a platform that refuses requests if the test requires it. */
function platform() {
  const state = { now: 1_000_000, refuses: false, retryAfter: '12' };
  const { session } = stubPlatform(({ method }) =>
    method === 'POST' && state.refuses ? refusal(429, 1100, 'too many') : result(record),
  );
  const timed: Session = {
    ...session,
    world: { ...session.world, now: () => state.now },
    async send(call) {
      const answer = await session.send(call);
      return { ...answer, headers: { ...answer.headers, 'retry-after': state.retryAfter } };
    },
  };
  const wanted = { hostname: 'shop.acme.com' };
  const create = async () => (await ensureHostname(timed, 'z', wanted, { takeExisting: false })).record;
  return { state, session: timed, create };
}

test('counts the hostnames that were created in the last minute', async () => {
  const { state, session, create } = platform();
  expect(await readIssuanceWindow(session, 'z')).toEqual({ limit: 15, issued: [] });
  expect((await create()).hostname).toBe('shop.acme.com');
  state.now += 59_000;
  expect((await readIssuanceWindow(session, 'z')).issued).toEqual([1_000_000]);
  state.now += 2000;
  expect((await readIssuanceWindow(session, 'z')).issued).toEqual([]);
});

test('saves how long the platform refuses to issue, and starts with an empty minute afterward', async () => {
  const { state, session, create } = platform();
  await create();
  state.refuses = true;
  await expect(create()).rejects.toMatchObject({ code: 'rate-limited' });
  expect(await readIssuanceWindow(session, 'z')).toEqual({
    limit: 15,
    issued: [1_000_000],
    blockedUntil: 1_012_000,
  });
  state.now += 12_000;
  expect(await readIssuanceWindow(session, 'z')).toEqual({ limit: 15, issued: [] });
});

test('assumes a wait of thirty seconds if the platform does not specify a time', async () => {
  const { state, session, create } = platform();
  Object.assign(state, { refuses: true, retryAfter: '' });
  await expect(create()).rejects.toMatchObject({ code: 'rate-limited' });
  expect((await readIssuanceWindow(session, 'z')).blockedUntil).toBe(1_030_000);
});
