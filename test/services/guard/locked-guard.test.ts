import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Auth } from '../../../src/model/target.ts';
import { openGuard } from '../../../src/services/guard/open-guard.ts';
import { listAudit } from '../../../src/services/guard/read-audit.ts';
import type { SessionLock } from '../../../src/services/session/lock.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { sleepers } from '../../support/sleepers.ts';
import { testWorld } from '../../support/world.ts';

let platform: Server;
let apiBaseUrl: string;
/** The credentials that the platform received. */
const seen: string[] = [];

beforeAll(async () => {
  platform = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.authorization}`);
    if (request.url?.endsWith('/slow')) response.writeHead(429, { 'retry-after': '7' });
    response.end('{"success":true,"result":{},"errors":[],"messages":[]}');
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  apiBaseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/client/v4`;
});
afterAll(() => void platform.close());

/** Opens a guard of a locked profile. `open` is the result of the passphrase prompt. */
async function openLocked(open: 'typed' | 'no terminal', readToken: string | undefined, unlockedMs?: number) {
  const { Problem } = await import('../../../src/model/problem.ts');
  let auth: Auth | undefined;
  const lock: SessionLock = {
    profile: 'acme',
    auth: () => auth,
    async unlock() {
      if (open === 'no terminal') throw new Problem('not-signed-in', 'Profile "acme" is locked.');
      auth = { token: 'writes' };
      return auth;
    },
    check: async (typed) => typed === 'correct horse',
    forget: () => {
      auth = undefined;
    },
  };
  const env = {
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_API_TOKEN: 'unused',
    EDGECTL_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
  };
  const clock = sleepers();
  const world = { ...testWorld({ env }), sleep: clock.sleep };
  const warned: string[] = [];
  const guard = await openGuard(world, {
    policy: undefined,
    proxy: false,
    client: 'test',
    endsWithProgram: false,
    port: 0,
    waitMs: 1000,
    unlockedMs,
    undo: true,
    openSession: async () => {
      const session = await openSession(world, plainChoice, { note: () => undefined });
      const access = { apiBaseUrl, auth: readToken === undefined ? undefined : { token: readToken } };
      return { ...session, lock, apiAccess: () => access };
    },
    warn: (message) => warned.push(message),
    version: '0.0.0',
  });
  const call = async (method: string, path = '/zones/0123456789abcdef0123456789abcdef') => {
    const headers = { authorization: `Bearer ${guard.token}` };
    const { status } = await fetch(guard.apiBaseUrl + path, { method, headers });
    return status;
  };
  return { guard, world, warned, call, lock, clock };
}

test('a guard of a locked profile can change data until its time limit, and then only reads', async () => {
  seen.length = 0;
  const { guard, call, lock, warned } = await openLocked('typed', 'reads', 1500);
  expect([await call('GET'), await call('PATCH')]).toEqual([200, 200]);
  expect(seen).toEqual(['GET Bearer reads', 'PATCH Bearer writes']);
  expect(guard.danger).toBeUndefined();
  await expect.poll(() => lock.auth(), { timeout: 10_000 }).toBeUndefined();
  expect([await call('GET'), await call('PATCH')]).toEqual([200, 403]);
  expect(warned.some((message) => message === 'Profile "acme" is locked again: this guard only reads.')).toBe(
    true,
  );
  expect(seen).toEqual(['GET Bearer reads', 'PATCH Bearer writes', 'GET Bearer reads']);
  await guard.close();
});

test('without a token for reading, a guard after its time limit refuses everything', async () => {
  const { guard, call, lock } = await openLocked('typed', undefined, 1500);
  expect([await call('GET'), await call('PATCH')]).toEqual([200, 200]);
  await expect.poll(() => lock.auth(), { timeout: 10_000 }).toBeUndefined();
  expect([await call('GET'), await call('PATCH')]).toEqual([403, 403]);
  await guard.close();
  expect(lock.auth()).toBeUndefined();
});

test('without a terminal, a guard of a locked profile only reads, or does not start', async () => {
  const { guard, call, warned } = await openLocked('no terminal', 'reads');
  expect([await call('GET'), await call('PATCH')]).toEqual([200, 403]);
  expect(warned[0]).toBe('Profile "acme" is locked. This guard allows only reads.');
  await guard.close();
  await expect(openLocked('no terminal', undefined)).rejects.toThrow('Profile "acme" is locked.');
});

test('a change that waits for the request budget is not sent if the profile is locked during the wait', async () => {
  seen.length = 0;
  const { guard, world, call, lock, clock } = await openLocked('typed', 'reads');
  expect(await call('PATCH', '/zones/0123456789abcdef0123456789abcdef/settings/slow')).toBe(429);
  const changed = call('PATCH');
  await expect.poll(() => clock.count()).toBe(1);
  lock.forget();
  clock.pass(7000);
  expect(await changed).toBe(403);
  expect(seen).toEqual(['PATCH Bearer writes']);
  await guard.close();
  expect((await listAudit(world)).at(-1)).toMatchObject({ status: 403 });
});

test('an approval does not send a change if the profile was locked during the wait', async () => {
  seen.length = 0;
  const { guard, call, lock } = await openLocked('typed', 'reads');
  guard.held.hasTerminal = true;
  const changed = call('DELETE');
  await expect.poll(() => guard.held.list()).toHaveLength(1);
  const other = call('DELETE', '/zones/fedcba9876543210fedcba9876543210');
  await expect.poll(() => guard.held.list()).toHaveLength(2);
  const [{ number = '' } = {}, { number: next = '' } = {}] = guard.held.list();
  const approver = { user: 'ann', by: 'terminal', passphrase: 'correct horse' } as const;
  // The profile is locked while the passphrase is being checked.
  const answered = guard.held.answer(number, 'approve', approver);
  lock.forget();
  expect(await answered).toBeUndefined();
  expect(await changed).toBe(403);
  // After that, the guard asks nobody for a passphrase.
  const blocked =
    'Not approved: profile "acme" is locked, so the guard cannot send the request. Start the guard again to unlock the profile.';
  expect(guard.held.list()).toMatchObject([{ number: next, blocked }]);
  expect(await guard.held.answer(next, 'approve', { user: 'ann', by: 'terminal' })).toBe(blocked);
  expect(await guard.held.answer(next, 'refuse', { user: 'ann', by: 'terminal' })).toBeUndefined();
  expect(await other).toBe(403);
  expect(seen).toEqual([]);
  await guard.close();
});
