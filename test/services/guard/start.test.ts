import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { startGuard } from './start-guard.ts';

let served: Served;
let kv: string;

beforeAll(async () => {
  served = await openServed();
  const namespace = await served.createNamespace();
  kv = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/storage/kv/namespaces/${namespace}`;
});
afterAll(() => served.close());

function newClient(): Person {
  return newPerson(served.person.env);
}

test('a guard serves several clients with its own token until it is interrupted', async () => {
  const person = newClient();
  const guard = await startGuard(person, ['--client', 'ci']);
  expect(guard.apiToken).not.toBe(served.person.env['EDGECTL_API_TOKEN']);
  const put = (key: string) => guard.call('PUT', `${kv}/values/${key}`, { body: key });
  const answers = await Promise.all([put('a'), put('b'), guard.call('GET', '/zones')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { code, err } = await guard.stop();
  expect(code).toBe(0);
  expect(err).toContain(`Guarding the environment (EDGECTL_API_TOKEN) at ${guard.apiBaseUrl}`);
  expect(err).not.toContain(served.person.env['EDGECTL_API_TOKEN']);
  const list = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(list).toMatchObject([{ client: 'ci' }, { client: 'ci' }]);
  const negative = await runCommand(person, ['audit', 'list', '--limit', '-1']);
  expect([negative.code, negative.err]).toEqual([2, expect.stringContaining('--limit must be at least 0')]);
});

test('escapes text of a client in its message about a refusal', async () => {
  const guard = await startGuard(newClient());
  const { status } = await guard.call('DELETE', `${kv}/values/%1B%5B2J`);
  expect(status).toBe(403);
  expect((await guard.stop()).err).not.toContain('\u001b');
});

test('a guard names each policy that decides, and warns about a rule without effect', async () => {
  const person = newClient();
  const project = join(person.cwd, 'edgectl-policy.toml');
  const named = join(person.cwd, 'own.toml');
  for (const path of [project, named])
    writeFileSync(path, '[[rule]]\nname = "all"\ndecision = "allow"\n', { mode: 0o600 });
  const guard = await startGuard(person, ['--policy', named]);
  const { err } = await guard.stop();
  expect(err).toMatch(
    /own\.toml \(SHA-256 \w{64}\), then the built-in policy, made stricter by the policy .*edgectl-policy/,
  );
  expect(err).toContain('has no effect, because a project');
  const tested = await runCommand(person, ['policy', 'test', 'GET /zones']);
  expect(tested.err).toContain(`${project}: rule "all" has no effect`);
});

test('a guard, policy show and policy test warn about a rule by path that does not cover bulk requests', async () => {
  const person = newClient();
  const route = 'DELETE /accounts/*/storage/kv/namespaces/*/values/prod:*';
  writeFileSync(
    join(person.cwd, 'own.toml'),
    `[[rule]]\nname = "prod"\ndecision = "deny"\nroute = "${route}"\n`,
    { mode: 0o600 },
  );
  const guard = await startGuard(person, ['--policy', 'own.toml']);
  const all = [
    await guard.stop(),
    await runCommand(person, ['policy', 'show', '--policy', 'own.toml']),
    await runCommand(person, ['policy', 'test', 'GET /zones', '--policy', 'own.toml']),
  ];
  for (const { err } of all)
    expect(err).toMatch(/rule \\?"prod\\?" in \S+own\.toml does not cover POST \S+\/bulk\/delete, because/);
});

test('reports a port in use with its number', async () => {
  const { port } = new URL(served.proxy.apiBaseUrl);
  const ran = await runCommand(newClient(), ['guard', 'start', '--port', port]);
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`Port ${port} is in use.`)]);
});
