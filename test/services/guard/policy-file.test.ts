import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ownUid } from '../../../src/liveness.ts';
import { decide, type RequestFacts } from '../../../src/model/guard/policy.ts';
import { loadPolicies } from '../../../src/services/guard/policy-file.ts';
import { findPolicyPaths } from '../../../src/services/guard/policy-paths.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn, scratchFolder } from '../../support/world.ts';

let served: Served;
let namespace: string;
beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterAll(() => served.close());

let person: Person;
beforeEach(() => {
  person = { ...newPerson(), env: served.person.env };
});

const userPolicy = () => join(foldersIn(person.home).config, 'policy.toml');

function writeUserPolicy(text: string): void {
  mkdirSync(foldersIn(person.home).config, { recursive: true });
  writeFileSync(userPolicy(), text, { mode: 0o600 });
}

test.each([
  ['[[rule]]\ndecision = "maybe"', ':2: "maybe" is not a valid decision. Values: allow, ask, deny.'],
  ['[[rule]]\nname = "x"', ':1: the rule has no decision'],
  [
    '[[rule]]\ndecision = "deny"\nefect = "read"',
    ':3: unknown field "efect" in a rule. Did you mean "effect"?',
  ],
  [
    '[[rule]]\ndecision = "deny"\neffect = "destory"',
    ':3: "destory" is not a valid effect. Did you mean "destroy"?',
  ],
  [
    '[[rule]]\ndecision = "deny"\nnamespace = "FLAGS"',
    ':3: "FLAGS" is not a namespace id: expected 32 lower-case hex digits, or a pattern with *.',
  ],
  [
    '[[rule]]\ndecision = "deny"\nroute = "POST s3:DeleteObject"',
    ':3: the S3 operation "DeleteObject" uses DELETE, not POST.',
  ],
  [
    '[[rule]]\ndecision = "deny"\nroute = "DELETE s3:DeleteObjct"',
    ':3: unknown S3 operation "DeleteObjct". Did you mean "DeleteObject"?',
  ],
  ['[[rule]]\ndecision = "deny"\nroute = "DELET /x"', ':3: unknown method "DELET".'],
  ['[[rule]]\ndecision = "deny"\nroute = "s3:/b1/100%*"', ':3: a path must be percent-encoded UTF-8'],
  ['[[rule]]\ndecision = "deny"\nroute = "DELETE zones"', ':3: the path of a route must begin with "/"'],
  [
    '[[rule]]\ndecision = "deny"\nroute = "s3:DeleteObjct"',
    ':3: unknown S3 operation "DeleteObjct". Did you mean "DeleteObject"?',
  ],
  [
    '[[rule]]\ndecision = "deny"\nroute = "s3:DelObject"',
    ':3: unknown S3 operation "DelObject". Did you mean "DeleteObject"?',
  ],
  ['[[rule]]\ndecision = "deny"\nnoun = ["zone", "tree"]', ':3: "tree" is not a valid noun.'],
  ['[[rule]]\ndecision = "deny"\nzone = 7', ':3: zone must be a string, or a list of strings.'],
  ['[[rule]]\ndecision = "deny"\nzone = []', ':3: zone must be a string, or a list of strings.'],
  ['[[rule]]\ndecision = "deny"\nnames = ""', ':3: names must not be empty.'],
  [
    '[[rule]]\ndecision = "deny"\nhostname = "https://a.example.com"',
    ':3: "https://a.example.com" is not a hostname.',
  ],
  ['[[rule]]\ndecision = "deny"\nhostname = "bücher.example"', ':3: "bücher.example" is not a hostname.'],
  ['[[rule]]\ndecision = "deny"\nover = -1', ':3: over must be a whole number.'],
  ['rules = []', ':1: unknown field "rules"; define each rule as a [[rule]] table.'],
  ['[rule]\ndecision = "deny"', 'define each rule as a [[rule]] table, with double brackets.'],
  ['[[rule]\n', ':1:'],
])('refuses the policy %j with the line of the error', async (text, message) => {
  writeUserPolicy(text);
  const { code, err } = await runCommand(person, ['policy', 'show']);
  expect(code).toBe(2);
  expect(err).toContain(userPolicy());
  expect(err).toContain(message);
});

test('applies the policy to commands, and sends nothing if the policy cannot be read', async () => {
  const put = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', namespace];
  const get = ['kv', 'key', 'get', 'k', '--namespace-id', namespace];
  expect((await runCommand(person, put)).code).toBe(0);
  writeUserPolicy('[[rule]]\nname = "frozen"\ndecision = "deny"\neffect = ["change", "destroy"]\n');
  const refused = await runCommand(person, ['kv', 'key', 'delete', 'k', '--namespace-id', namespace]);
  expect(refused.code).toBe(4);
  expect(refused.err).toContain(`was not sent. Rule "frozen" in ${userPolicy()} forbids this request.`);
  expect((await runCommand(person, get)).out).toBe('v');
  writeUserPolicy('[[rule]]\nname = "blind"\ndecision = "deny"\n');
  expect((await runCommand(person, get)).code).toBe(4);
  writeUserPolicy('not toml');
  expect((await runCommand(person, get)).code).toBe(2);
  const list = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(list.map((entry: { rule: string; outcome: string }) => [entry.rule, entry.outcome])).toEqual([
    ['commands', 'answered'],
    ['frozen', 'refused'],
    ['blind', 'refused'],
  ]);
});

test('requires a person at the terminal for a rule that asks, and otherwise sends nothing', async () => {
  writeUserPolicy('[[rule]]\nname = "deletes"\ndecision = "ask"\neffect = "destroy"\n');
  const remove = ['kv', 'key', 'delete', 'k', '--namespace-id', namespace];
  const alone = await runCommand(person, [...remove, '--yes']);
  expect(alone.code).toBe(4);
  expect(alone.err).toContain("requires a person's approval");
  const asked = await runCommand(person, remove, { answers: ['y'] });
  expect(asked.err).toContain('requires approval: DELETE');
  expect(asked.code).toBe(0);
  expect((await runCommand(person, remove, { answers: ['n'] })).code).toBe(4);
  const list = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(list.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['refused', 'answered', 'refused']);
  expect(list[1].approver).toEqual(expect.any(String));
});

test("a project's policy is found above the working directory, and cannot allow more", async () => {
  const inside = join(person.cwd, 'a', 'b');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(person.cwd, 'edgectl-policy.toml'), '[[rule]]\nname = "all"\ndecision = "allow"\n');
  const facts = (method: string): RequestFacts =>
    readRequestFacts({ method, path: '/zones/z1' }, { target: 'production', client: 'test' });
  const load = async () =>
    loadPolicies(findPolicyPaths({ folders: foldersIn(person.home), cwd: inside }, '/nowhere'), {
      otherwise: 'guard',
    });
  expect(decide(await load(), facts('DELETE'))).toMatchObject({ decision: 'ask', rule: { name: 'deletes' } });
  writeFileSync(join(person.cwd, 'edgectl-policy.toml'), '[[rule]]\nname = "none"\ndecision = "deny"\n');
  expect(decide(await load(), facts('GET'))).toMatchObject({ decision: 'deny', rule: { name: 'none' } });
});

test("root's policy applies before the user's, and must belong to root", {
  skip: ownUid() !== 0,
}, async () => {
  const path = join(scratchFolder('etc'), 'policy.toml');
  writeFileSync(path, '[[rule]]\nname = "by root"\ndecision = "deny"\neffect = "destroy"\n', { mode: 0o644 });
  writeUserPolicy('[[rule]]\nname = "mine"\ndecision = "allow"\n');
  const paths = findPolicyPaths({ folders: foldersIn(person.home), cwd: person.cwd }, path);
  const remove = readRequestFacts(
    { method: 'DELETE', path: '/zones/z1' },
    { target: 'production', client: 'test' },
  );
  const policies = await loadPolicies(paths, { otherwise: 'command' });
  expect(decide(policies, remove)).toMatchObject({ decision: 'deny', rule: { name: 'by root' } });
  chmodSync(path, 0o666);
  await expect(loadPolicies(paths, { otherwise: 'command' })).rejects.toThrow('is open to other users');
});

test('a policy that others can change is refused', async () => {
  writeUserPolicy('');
  chmodSync(userPolicy(), 0o666);
  const { code, err } = await runCommand(person, ['policy', 'show']);
  expect([code, err]).toEqual([2, expect.stringContaining('is open to other users')]);
});

test.each([
  [['DELETE /zones/z1'], 'Requires approval by rule "deletes" in the built-in policy.'],
  [['GET /zones/z1'], 'Allowed by rule "reads"'],
  [['GET s3:/media/logo.svg'], 'Allowed by rule "reads"'],
  [['DELETE s3:/media/logo.svg'], 'Requires approval by rule "deletes"'],
  [['POST s3:/media?delete'], 'Requires approval by rule "deletes"'],
  [['PUT /client/v4/zones/z1/rulesets/r1'], 'Requires approval by rule "unknown writes"'],
  [
    ['--', 'kv', 'key', 'delete', 'k', '--namespace-id', '0123456789abcdef0123456789abcdef'],
    'Allowed by rule "commands"',
  ],
  [['--', 'edgectl', 'kv', 'key', 'get', 'k'], 'Allowed by rule "commands"'],
])('policy test %j prints: %s', async (args, expected) => {
  const { code, out } = await runCommand(person, ['policy', 'test', ...args]);
  expect([code, out]).toEqual([0, expect.stringContaining(expected)]);
  expect(JSON.parse((await runCommand(person, ['policy', 'test', '--json', ...args])).out)).toHaveProperty(
    'rule',
  );
});

test('a rule about a hostname matches in every spelling of the hostname', async () => {
  const domains = 'DELETE /accounts/a1/r2/buckets/b/domains/custom';
  for (const hostname of ['Prod.Example.com', 'prod.example.com.', '*.EXAMPLE.com']) {
    writeUserPolicy(`[[rule]]\nname = "no"\ndecision = "deny"\nhostname = "${hostname}"\n`);
    const { out } = await runCommand(person, ['policy', 'test', `${domains}/prod.example.com`]);
    expect(out).toContain('Denied by rule "no"');
  }
});

test('policy test finds a rule by the noun and the names of a command', async () => {
  writeUserPolicy(
    '[[rule]]\nname = "keep users"\ndecision = "deny"\nnoun = "key"\nnames = "user:*"\neffect = "destroy"\n',
  );
  const run = (key: string) => runCommand(person, ['policy', 'test', '--', 'kv', 'key', 'delete', key]);
  expect((await run('user:1')).out).toContain(`Denied by rule "keep users" in ${userPolicy()}`);
  expect((await run('flag:1')).out).toContain('Allowed');
  expect((await runCommand(person, ['policy', 'show'])).out).toContain(
    'deny  "keep users"; noun key; names user:*; effect destroy',
  );
});

test('policy test counts exactly the items that a command names', async () => {
  const rule = (fields: string) => `[[rule]]\n${fields}\n`;
  writeUserPolicy(
    rule('name = "many"\ndecision = "ask"\nover = 5') +
      rule('name = "media"\ndecision = "deny"\nbucket = "media"\nnames = "img/*"') +
      rule('name = "rest"\ndecision = "allow"'),
  );
  const run = async (line: string) => {
    const { out } = await runCommand(person, ['policy', 'test', '--', ...line.split(' ')]);
    return /^\S+.* by rule "\w+"/.exec(out)?.[0];
  };
  expect(await run('kv key delete k')).toBe('Allowed by rule "rest"');
  expect(await run('kv namespace delete --binding KV')).toBe('Allowed by rule "rest"');
  expect(await run('hostname delete a.example.com --yes')).toBe('Allowed by rule "rest"');
  expect(await run('objstore object delete media/img/a')).toBe('Denied by rule "media"');
  expect(await run('objstore object delete media/a')).toBe('Allowed by rule "rest"');
  for (const many of [
    'objstore object delete media/img --recursive',
    'objstore object delete a/1 media/img/2',
  ])
    expect(await run(many)).toBe('Denied by rule "media"');
  expect(await run('objstore object sync folder media')).toBe('Denied by rule "media"');
  expect(await run('objstore bucket delete logs --empty-first')).toBe('Denied by rule "media"');
  expect(await run('kv bulk delete keys.json')).toBe('Requires approval by rule "many"');
  expect(await run('hostname delete --status moved')).toBe('Requires approval by rule "many"');
});

test.each([
  [['terraform apply'], 'neither an edgectl command nor a request'],
  [['--', 'terraform', 'apply'], 'neither an edgectl command nor a request'],
  [['DELETE /zones/../z1'], 'A guard refuses this request'],
  [['DELETE s3:/b1/../b2/key'], 'A guard refuses this request: The path contains . or ..'],
  [['DELETE s3:/Assets/key'], 'A guard refuses this request: The specified bucket name is not valid.'],
])('policy test refuses the arguments %j', async (args, message) => {
  const { code, err } = await runCommand(person, ['policy', 'test', ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
