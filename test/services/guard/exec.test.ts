import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgramName } from '../../../src/services/guard/exec.ts';
import { runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { scratchFolder } from '../../support/world.ts';

let served: Served;
let namespace: string;

beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterAll(() => served.close());

/** Runs a Node script behind a guard, and returns the script's output. `guarded` contains the address, the token and `call`. */
async function runGuarded(
  script: string,
  flags: readonly string[] = [],
  env = served.person.env,
  person = served.person,
) {
  const folder = scratchFolder('guarded');
  const file = join(folder, 'child.mjs');
  const result = join(folder, 'result.json');
  writeFileSync(
    file,
    `import { readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = process.env;
const kv = '/accounts/' + account + '/storage/kv/namespaces/${namespace}';
/** Sends a request with exactly this path. */
function call(method, path, { body, headers = {}, auth = 'Bearer ' + token, host } = {}) {
  const { hostname, port, pathname } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: pathname + path,
      headers: { ...(auth && { authorization: auth }), ...(host && { host }), ...headers } });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      const parts = [];
      for await (const part of answer) parts.push(part);
      resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString() });
    });
    sent.end(body);
  });
}
const save = (value) => writeFileSync(${JSON.stringify(result)}, JSON.stringify(value));
${script}`,
  );
  const ran = await runCommand({ ...person, env }, ['guard', 'exec', ...flags, '--', process.execPath, file]);
  return { ran, result: JSON.parse(readFileSync(result, 'utf8')) };
}

const keyPath = (key: string) =>
  `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/storage/kv/namespaces/${namespace}/values/${key}`;

async function storedStatus(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${served.person.env['EDGECTL_API_TOKEN']}` };
  const { status } = await served.sandbox.send({
    method: 'GET',
    path: keyPath(key),
    headers,
    repeatable: true,
  });
  return status;
}

test('passes reads and changes to the platform unchanged, and refuses a delete with the rule that applied', async () => {
  const { ran, result } = await runGuarded(`
    const put = await call('PUT', kv + '/values/a', { body: 'one' });
    const get = await call('GET', kv + '/values/a');
    const remove = await call('DELETE', kv + '/values/a');
    save({ put: put.status, get: [get.status, get.text, get.headers['cf-ray']], remove: [remove.status, JSON.parse(remove.text)] });
    process.exitCode = 7;`);
  expect(ran.code).toBe(7);
  expect(result.put).toBe(200);
  expect(result.get.slice(0, 2)).toEqual([200, 'one']);
  expect(result.get[2]).toMatch(/-SBX$/);
  expect(result.remove[0]).toBe(403);
  expect(result.remove[1]).toMatchObject({ success: false, result: null, errors: [{ code: 40_301 }] });
  expect(result.remove[1].errors[0].message).toContain(
    'rule "deletes" in the built-in policy requires a person',
  );
  expect(ran.err).toContain('Refused DELETE');
  expect(await storedStatus('a')).toBe(200);
});

test('streams bodies of any bytes in both directions', async () => {
  const { result } = await runGuarded(`
    const { createHash, randomBytes } = await import('node:crypto');
    const bytes = randomBytes(3_000_000);
    const put = await call('PUT', kv + '/values/large', { body: bytes, headers: { expect: '100-continue' } });
    const answer = await fetch(base + kv + '/values/large', { headers: { authorization: 'Bearer ' + token } });
    const hash = (data) => createHash('sha256').update(data).digest('hex');
    save([put.status, hash(bytes) === hash(Buffer.from(await answer.arrayBuffer()))]);`);
  expect(result).toEqual([200, true]);
});

test('a request needs the token of the guard, and no web page can use the guard', async () => {
  const { result } = await runGuarded(`
    const statuses = {};
    const answer = async (name, options, method = 'GET') => {
      const { status, headers } = await call(method, '/zones', options);
      statuses[name] = [status, headers['access-control-allow-origin'] ?? null];
    };
    await answer('own', {});
    await answer('none', { auth: '' });
    await answer('wrong', { auth: 'Bearer wrong' });
    await answer('key', { auth: '', headers: { 'x-auth-email': 'a@b.example', 'x-auth-key': token } });
    await answer('rebound', { host: 'attacker.example' });
    await answer('page', { headers: { origin: 'https://attacker.example' } });
    await answer('fetched by a page', { headers: { 'sec-fetch-site': 'cross-site' } });
    await answer('preflight', { headers: { origin: 'https://attacker.example', 'access-control-request-method': 'DELETE' } }, 'OPTIONS');
    save(statuses);`);
  expect(result).toEqual({
    own: [200, null],
    none: [401, null],
    wrong: [401, null],
    key: [401, null],
    rebound: [403, null],
    page: [403, null],
    'fetched by a page': [403, null],
    preflight: [403, null],
  });
});

test('paths and headers that hide a delete do not reach the platform', async () => {
  await runGuarded("save((await call('PUT', kv + '/values/hidden', { body: 'x' })).status);");
  const { result } = await runGuarded(`
    const statuses = [];
    const attempt = async (...one) => statuses.push((await call(...one)).status);
    await attempt('POST', kv + '/values/hidden', { headers: { 'x-http-method-override': 'DELETE' } });
    await attempt('DELETE', '/zones/../' + kv.slice(1) + '/values/hidden');
    await attempt('DELETE', '/' + kv + '/values/hidden');
    await attempt('DELETE', kv + '/values/hidden/');
    await attempt('DELETE', kv.replace('storage', '%73torage') + '/values/hidden');
    await attempt('DELETE', kv.toUpperCase() + '/values/hidden');
    await attempt('POST', kv + '/bulk/delete', { body: '["hidden"]', headers: { 'content-type': 'application/json' } });
    save(statuses);`);
  expect(result).toEqual([400, 400, 400, 403, 400, 400, 403]);
  expect(await storedStatus('hidden')).toBe(200);
});

test('a guard of a read-only session refuses every write', async () => {
  const { result } = await runGuarded(
    "save([(await call('GET', '/zones')).status, (await call('PUT', kv + '/values/x', { body: 'x' })).status]);",
    ['--read-only'],
  );
  expect(result).toEqual([200, 403]);
});

/**
 * Variables that contain credentials: those documented by the platform's tools, S3 clients and cloudflared, and similar names that users
 * choose.
 */
const namesOfCredentials = [
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_ENDPOINT_URL_STS',
  'AWS_SECURITY_TOKEN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONFIG_FILE',
  'CF_TOKEN2',
  'CLOUDFLARE_API_KEY_FILE',
  'CLOUDFLARE_TOKEN_PROD',
  'MC_HOST_r2',
  'MINIO_SECRET_KEY',
  'S3_SECRET_KEY',
  'TF_VAR_cloudflare_api_token',
  'TUNNEL_TOKEN',
  'cloudflare_api_token',
];

test('the real credentials are not in the environment, arguments and open files of the program', async () => {
  const secret = served.person.env['EDGECTL_API_TOKEN'] ?? '';
  const env = {
    ...served.person.env,
    CLOUDFLARE_API_TOKEN: secret,
    CLOUDFLARE_EMAIL: 'me@example.com',
    CLOUDFLARE_API_KEY: 'a-global-key',
    R2_SECRET_ACCESS_KEY: 'a-secret',
    AWS_SECRET_ACCESS_KEY: 'another-secret',
    RCLONE_CONFIG_MINE_SECRET_ACCESS_KEY: 'of-rclone',
    DERIVED: hash('sha256', secret),
    COPIED: 'Secret=another-secret',
    NAMED_OTHERWISE: `--header=${secret}`,
    ...Object.fromEntries(namesOfCredentials.map((name) => [name, 'of-another-tool'])),
    PLAIN: 'stays',
  };
  const { result } = await runGuarded(
    `const read = (path) => { try { return readFileSync(path, 'latin1'); } catch { return ''; } };
    const files = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } });
    save({ env: read('/proc/self/environ'), cmdline: read('/proc/self/cmdline'), files, token });`,
    [],
    env,
  );
  const found = JSON.stringify(result);
  for (const hidden of [
    secret,
    hash('sha256', secret),
    'a-global-key',
    'a-secret',
    'another-secret',
    'of-rclone',
    'of-another-tool',
  ])
    expect(found.includes(hidden), hidden).toBe(false);
  expect(result.env).toContain('PLAIN=stays');
  expect(result.token).toMatch(/^[\w-]{40}$/);
});

test('every write and refusal is in the audit log, without values and credentials', async () => {
  const home = scratchFolder('home');
  const person = { ...served.person, home };
  await runGuarded(
    `await call('PUT', kv + '/values/logged?expiration_ttl=60', { body: 'a-hidden-value', headers: { 'x-hidden': 'a-hidden-header' } });
    await call('GET', kv + '/values/logged');
    await call('DELETE', kv + '/values/logged');
    await call('PUT', '/zones/z1/rulesets/r1', { body: '{}' });
    save(1);`,
    [],
    person.env,
    person,
  );
  const list = await runCommand(person, ['audit', 'list', '--json']);
  const client = basename(process.execPath);
  const common = {
    client,
    target: 'production',
    place: 'the environment (EDGECTL_API_TOKEN)',
    policy: 'built-in',
  };
  expect(JSON.parse(list.out)).toMatchObject([
    {
      ...common,
      method: 'PUT',
      effect: 'change',
      noun: 'key',
      name: 'logged',
      namespace,
      decision: 'allow',
      outcome: 'answered',
      status: 200,
    },
    { ...common, method: 'DELETE', effect: 'destroy', decision: 'ask', rule: 'deletes', outcome: 'refused' },
    {
      ...common,
      method: 'PUT',
      effect: 'unknown',
      path: '/zones/z1/rulesets/r1',
      zone: 'z1',
      rule: 'unknown writes',
    },
  ]);
  const verified = await runCommand(person, ['audit', 'verify']);
  expect([verified.code, verified.out]).toEqual([
    0,
    expect.stringMatching(/^Records: 4; no changes found before the last record\. Last record: 4,/),
  ]);
  const stored = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  expect(stored).toContain('"name":"logged"');
  for (const hidden of [served.person.env['EDGECTL_API_TOKEN'] ?? '', 'hidden', 'expiration_ttl'])
    expect(stored.includes(hidden), hidden).toBe(false);
});

test('a write that cannot be recorded is not sent', async () => {
  const home = scratchFolder('home');
  mkdirSync(join(home, 'state'));
  writeFileSync(join(home, 'state', 'audit'), 'not a folder');
  const { result } = await runGuarded(
    "save([(await call('PUT', kv + '/values/unrecorded', { body: 'x' })).status, (await call('GET', '/zones')).status]);",
    [],
    served.person.env,
    { ...served.person, home },
  );
  expect(result).toEqual([500, 200]);
  expect(await storedStatus('unrecorded')).toBe(404);
});

test('records writes of commands in the audit log, but no reads', async () => {
  const person = { ...served.person, home: scratchFolder('home') };
  await runCommand(person, ['kv', 'key', 'put', 'mine', 'a-hidden-value', '--namespace-id', namespace]);
  await runCommand(person, ['kv', 'key', 'get', 'mine', '--namespace-id', namespace]);
  await runCommand(person, ['kv', 'key', 'delete', 'mine', '--namespace-id', namespace]);
  const { out } = await runCommand(person, ['audit', 'list']);
  expect(out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^ +1 {2}\S+ {2}200 {2}edgectl kv key put {2}PUT \S+\/values\/\*key {2}mine, account \w+$/,
    ),
    expect.stringMatching(/^ +3 {2}\S+ {2}200 {2}edgectl kv key delete {2}DELETE /),
  ]);
  await runCommand(person, ['audit', 'show', '3', '--json']);
  const shown = await runCommand(person, ['audit', 'show', '3']);
  expect(shown.out).toContain('command    kv key delete');
  expect((await runCommand(person, ['audit', 'show', '2'])).code).toBe(3);
  const exported = await runCommand(person, ['audit', 'export']);
  expect(exported.out.trimEnd().split('\n').length).toBe(4);
  expect(exported.out).not.toContain('hidden');
});

test('refuses an argument with the real credentials before the program starts', async () => {
  const secret = served.person.env['EDGECTL_API_TOKEN'] ?? '';
  const ran = await runCommand(served.person, ['guard', 'exec', '--', 'curl', `--header=${secret}`]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('Argument 1 of the program contains the credentials');
  expect(ran.err).not.toContain(secret);
});

test('returns 502 in the envelope if the platform cannot be reached', async () => {
  const env = { ...served.person.env, EDGECTL_API_BASE_URL: 'http://127.0.0.1:9/client/v4' };
  const { result } = await runGuarded(
    "const { status, text } = await call('GET', '/zones'); save([status, JSON.parse(text)]);",
    [],
    env,
  );
  expect(result[0]).toBe(502);
  expect(result[1].errors[0].message).toContain('cannot reach 127.0.0.1:9');
});

test('edgectl works behind a guard without changes', async () => {
  const { ran, result } = await runGuarded(`
    const { spawnSync } = await import('node:child_process');
    const edgectl = (...args) => { const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/edgectl.cjs', ...args], { cwd: ${JSON.stringify(process.cwd())}, encoding: 'utf8' }); return { status, stdout, stderr }; };
    save([edgectl('kv', 'key', 'put', 'own', 'v', '--namespace-id', '${namespace}'), edgectl('kv', 'key', 'get', 'own', '--namespace-id', '${namespace}'), edgectl('kv', 'key', 'delete', 'own', '--namespace-id', '${namespace}')]);`);
  expect(ran.code).toBe(0);
  expect(result[0].status).toBe(0);
  expect(result[1]).toMatchObject({ status: 0, stdout: 'v' });
  expect(result[2].status).toBe(4);
  expect(result[2].stderr).toContain("requires a person's approval");
  expect(result[2].stderr).not.toContain('need "Workers KV Storage: Edit"');
});

const policyText = `
[[rule]]
name = "flags only"
decision = "allow"
effect = "destroy"
noun = ["key"]
names = "flag:*"

[[rule]]
name = "no changes by others"
decision = "deny"
effect = ["change", "unknown"]
client = "other"
`;

test('a policy file can allow requests that the built-in policy refuses, and its digest is shown and recorded', async () => {
  const person = { ...served.person, home: scratchFolder('home'), cwd: scratchFolder('cwd') };
  writeFileSync(join(person.cwd, 'mine.toml'), policyText);
  const { ran, result } = await runGuarded(
    `await call('PUT', kv + '/values/flag%3Aold', { body: 'x' });
    save([(await call('DELETE', kv + '/values/flag%3Aold')).status, (await call('DELETE', kv + '/values/user')).status]);`,
    ['--policy', 'mine.toml'],
    person.env,
    person,
  );
  expect(result).toEqual([200, 403]);
  const digest = hash('sha256', policyText, 'hex');
  expect(ran.err).toContain(`with the policy ${join(person.cwd, 'mine.toml')} (SHA-256 ${digest})`);
  const entries = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(entries[1]).toMatchObject({ rule: 'flags only', digest, outcome: 'answered' });
});

test('--client requires a name', async () => {
  const { code, err } = await runCommand(served.person, ['guard', 'exec', '--client', ' ', '--', 'true']);
  expect([code, err]).toEqual([2, expect.stringContaining('--client must contain a name.')]);
});

test('a rule can name the program by --client', async () => {
  const person = { ...served.person, home: scratchFolder('home'), cwd: scratchFolder('cwd') };
  writeFileSync(join(person.cwd, 'mine.toml'), policyText);
  const { result } = await runGuarded(
    "save((await call('PUT', kv + '/values/named', { body: 'x' })).status);",
    ['--policy', 'mine.toml', '--client', 'other'],
    person.env,
    person,
  );
  expect(result).toBe(403);
  const [entry] = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(entry).toMatchObject({ client: 'other', rule: 'no changes by others' });
});

test('a program that npx runs has the name of the program, not of npx', async () => {
  const person = { ...served.person, home: scratchFolder('home'), cwd: scratchFolder('cwd') };
  symlinkSync(process.execPath, join(person.cwd, 'npx'));
  writeFileSync(
    join(person.cwd, 'wrangler@4'),
    `const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = process.env;
    fetch(base + '${keyPath('run')}', { method: 'PUT', body: 'x', headers: { authorization: 'Bearer ' + token } });`,
  );
  const command = ['./npx', '--no-warnings', 'wrangler@4', 'deploy'];
  expect((await runCommand(person, ['guard', 'exec', '--', ...command])).code).toBe(0);
  const [entry] = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(entry).toMatchObject({ client: 'wrangler', status: 200 });
});

test.each([
  ['npx wrangler deploy', 'wrangler'],
  ['/usr/bin/npx --yes wrangler@4.2.0 deploy', 'wrangler'],
  ['npx @cloudflare/next-on-pages@1', '@cloudflare/next-on-pages'],
  ['npx --version', 'npx'],
  ['npx --package wrangler other', 'npx'],
  ['npx -p wrangler other', 'npx'],
  ['npx --registry http://registry.example wrangler', 'npx'],
  ['npx -c wrangler', 'npx'],
  ['bin/terraform apply', 'terraform'],
  ['node build/wrangler.js deploy', 'node'],
])('%s has the name %s', (command, name) => {
  expect(findProgramName(command.split(' '))).toBe(name);
});

test('the guard names the files with credentials that the program can read', async () => {
  const person = { ...served.person, home: scratchFolder('home'), cwd: scratchFolder('cwd') };
  const wrangler = join(person.home, '.wrangler', 'config');
  mkdirSync(wrangler, { recursive: true });
  writeFileSync(join(wrangler, 'default.toml'), 'oauth_token = "a-hidden-token"');
  writeFileSync(join(person.cwd, '.dev.vars'), 'KEY=a-hidden-token');
  const { ran } = await runGuarded('save(1);', [], { ...person.env, HOME: person.home }, person);
  expect(ran.err).toContain(`${join(wrangler, 'default.toml')}, ${join(person.cwd, '.dev.vars')}.`);
  expect(ran.err).not.toContain('a-hidden-token');
});

test('the proxy guards a program that only knows the host of the platform', async () => {
  const { result } = await runGuarded(
    `const { execFileSync } = await import('node:child_process');
    const curl = (...args) => { try { return execFileSync('curl', ['-sS', '-w', ' %{http_code}', ...args], { encoding: 'utf8' }); } catch (error) { return 'failed: ' + error.stderr; } };
    const zones = 'https://api.cloudflare.com/client/v4/zones';
    const own = ['-H', 'Authorization: Bearer ' + token];
    save([curl(...own, zones), curl(zones), curl(...own, '-X', 'DELETE', zones + '/z1'), curl('https://other.example/')]);`,
    ['--proxy'],
  );
  expect(result[0]).toMatch(/"success":true.* 200$/);
  expect(result[1]).toMatch(/ 401$/);
  expect(result[2]).toMatch(/requires a person's approval.* 403$/);
  expect(result[3]).toContain('failed');
});
