import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/liveness.ts';
import { writeSetting } from '../../../src/profiles/settings.ts';
import { newerVersionCheck } from '../../../src/services/doctor/newer-version.ts';
import { personWith } from '../../support/restricted.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed } from '../../support/served.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';
import { type FakeNpm, makeNpm } from './fake-npm.ts';

const question = { package: 'edgectl', version: '0.1.0', timeoutMs: 5000 };

/** Returns a user whose commands act on a platform that is not on this machine. */
function openUser(npm: FakeNpm, env: Readonly<Record<string, string>> = {}) {
  const clock = { now: 1_795_526_926_000 };
  const home = scratchFolder('home');
  const world = testWorld({
    folders: foldersIn(home),
    env: { PATH: npm.path, EDGECTL_API_TOKEN: 'secret-token', ...env },
    now: () => clock.now,
  });
  const ask = (options: Partial<typeof question> = {}, apiBaseUrl = 'https://api.example.com/client/v4') =>
    newerVersionCheck(
      world,
      {
        kind: 'platform',
        apiBaseUrl,
        auth: { token: 'secret-token' },
        brand: 'cloudflare',
        source: { kind: 'environment', family: 'EDGECTL', variables: 'EDGECTL_API_TOKEN' },
      },
      { ...question, ...options },
    );
  return { world, clock, ask, saved: join(world.folders.state, 'newest-version.json') };
}

test('reports a newer version, and queries npm once a day', async () => {
  const npm = makeNpm('echo 0.2.0');
  const { ask, clock, saved } = openUser(npm);
  const found = await ask();
  expect(found).toMatchObject({ name: 'newer-version', grade: 'ok', facts: { latest: '0.2.0' } });
  expect(found?.message).toContain('npm install -g edgectl');
  expect(await ask()).toEqual(found);
  expect(await ask({ version: '0.2.0' })).toBeUndefined();
  expect(npm.runs()).toEqual(['view edgectl version']);
  expect(statSync(saved).mode & 0o777).toBe(0o600);
  clock.now += 24 * 60 * 60 * 1000;
  expect(await ask()).toEqual(found);
  expect(npm.runs()).toHaveLength(2);
  // A package with another name requires a separate request.
  await ask({ package: '@acme/edgectl' });
  expect(npm.runs()[2]).toBe('view @acme/edgectl version');
});

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.0.9', '0.1.0', false],
  ['0.1.1', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.99', true],
  ['1.0.0', '1.0.0-beta.2', true],
  ['1.0.1-beta.1', '1.0.0', false],
])('reports whether %s is newer than %s: %s', async (latest, version, isNewer) => {
  const { ask } = openUser(makeNpm(`echo ${latest}`));
  expect((await ask({ version })) !== undefined).toBe(isNewer);
});

test.each([
  ['fails', 'echo 9.9.9; exit 1'],
  ['prints nothing', 'exit 0'],
  ['prints control characters', `printf '\\033[31m9.9.9\\033]0;title\\007'`],
  ['prints several lines', `printf '9.9.9\\nrm -rf /\\n'`],
  ['prints HTML', `echo '<html>9.9.9</html>'`],
  ['prints a huge number', 'echo 99999999999999999999.0.0'],
  ['never stops printing', 'while :; do echo 9.9.9; done'],
  ['prints only to stderr', 'echo 9.9.9 >&2'],
])('reports nothing if npm %s, and retries the next day', async (_what, lines) => {
  const npm = makeNpm(lines);
  const { ask, clock } = openUser(npm);
  expect(await ask()).toBeUndefined();
  expect(await ask()).toBeUndefined();
  expect(npm.runs()).toHaveLength(1);
  clock.now += 25 * 60 * 60 * 1000;
  await ask();
  expect(npm.runs()).toHaveLength(2);
});

test('ends a slow npm and the processes that it has started when the time limit is reached', async () => {
  const npm = makeNpm(`sleep 300 & echo $! > "$0.child"; echo $$ > "$0.pid"; echo 9.9.9; wait`);
  const { ask } = openUser(npm);
  const begun = performance.now();
  expect(await ask({ timeoutMs: 500 })).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(2000);
  const pids = ['pid', 'child'].map((name) => Number(readFileSync(join(npm.folder, `npm.${name}`), 'utf8')));
  await expect.poll(() => pids.some(isRunning)).toBe(false);
});

test('passes neither the credentials of edgectl nor the settings of the working directory to npm', async () => {
  const npm = makeNpm(`pwd > "$0.cwd"; env > "$0.env"; echo 0.2.0`);
  const { ask, world } = openUser(npm, { npm_config_registry: 'https://npm.example.com' });
  await ask();
  const env = readFileSync(join(npm.folder, 'npm.env'), 'utf8');
  expect(env).not.toContain('secret-token');
  expect(env).toContain('npm_config_registry=https://npm.example.com');
  expect(readFileSync(join(npm.folder, 'npm.cwd'), 'utf8').trim()).toBe(world.folders.state);
});

test('does not run an npm of the working directory', async () => {
  const npm = makeNpm('echo 9.9.9');
  const { ask, world } = openUser({ ...npm, path: '.:bin::/nowhere' });
  mkdirSync(join(world.cwd, 'bin'));
  for (const name of ['npm', 'bin/npm'])
    writeFileSync(join(world.cwd, name), readFileSync(join(npm.folder, 'npm')), { mode: 0o755 });
  expect(await ask()).toBeUndefined();
  expect(npm.runs()).toEqual([]);
});

test('does not query npm in CI, for this machine, or if the user has turned off the check', async () => {
  const npm = makeNpm('echo 9.9.9');
  for (const env of [{ CI: 'true' }, { CI: '1' }, { NO_UPDATE_NOTIFIER: '1' }])
    expect(await openUser(npm, env).ask()).toBeUndefined();
  const user = openUser(npm);
  for (const url of ['http://127.0.0.1:8787/client/v4', 'http://localhost:1/client/v4'])
    expect(await user.ask({}, url)).toBeUndefined();
  expect(
    await newerVersionCheck(user.world, {
      kind: 'sandbox',
      source: { kind: 'profile', name: 'sandbox', by: 'flag' },
    }),
  ).toBeUndefined();
  expect(await newerVersionCheck(user.world, undefined)).toBeUndefined();
  await writeSetting(user.world.folders.config, 'update-check', 'off');
  expect(await user.ask()).toBeUndefined();
  expect(npm.runs()).toEqual([]);
  expect(existsSync(user.saved)).toBe(false);
});

test('does not query npm if it cannot save the time of the query', async () => {
  const npm = makeNpm('echo 9.9.9');
  const { ask, world } = openUser(npm);
  mkdirSync(join(world.folders.state, '..'), { recursive: true });
  writeFileSync(world.folders.state, 'not a folder');
  expect(await ask()).toBeUndefined();
  expect(npm.runs()).toEqual([]);
});

test('prints a newer version in doctor as information, except for a sandbox', async () => {
  const npm = makeNpm('echo 9.9.9');
  const env = {
    PATH: npm.path,
    EDGECTL_API_BASE_URL: 'https://platform.invalid/client/v4',
    EDGECTL_API_TOKEN: 'token',
    EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
  };
  const person: Person = newPerson(env);
  const { out } = await runCommand(person, ['doctor']);
  expect(out).toMatch(/^ok +newer-version +edgectl 9\.9\.9 is available; /m);
  const { checks } = JSON.parse((await runCommand(person, ['doctor', '--json'])).out);
  expect(checks[1]).toMatchObject({ name: 'newer-version', grade: 'ok', latest: '9.9.9' });
  expect(npm.runs()).toHaveLength(1);
  const sandbox = await runCommand(newPerson({ PATH: npm.path }), ['doctor', '--sandbox']);
  expect(sandbox.out).not.toContain('newer-version');
  const served = await openServed();
  const local = await personWith(served, ['API Tokens Read']);
  await runCommand({ ...local, env: { ...local.env, PATH: npm.path } }, ['doctor']);
  await served.close();
  expect(npm.runs()).toHaveLength(1);
});
