import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { targetNotice } from '../../src/cli/run.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let account: string;

beforeAll(async () => {
  served = await openServed();
  account = served.sandbox.access().accountId;
});
afterEach(() => served.proxy.use(() => undefined));
afterAll(() => served.close());

const unknown = 'f'.repeat(32);
const source = 'the environment (EDGECTL_API_TOKEN)';

function refuseWith(status: number, code: number, message: string): void {
  const body = JSON.stringify({ success: false, result: null, errors: [{ code, message }], messages: [] });
  served.proxy.use(() => ({ answer: { status, headers: { 'content-type': 'application/json' }, body } }));
}

test('prints the target, the account and the source of the credentials before a change on a platform', () => {
  const where = { kind: 'remote', baseUrl: 'https://api.cloudflare.com/client/v4' } as const;
  const path = `/accounts/${account}/storage/kv/namespaces`;
  for (const target of ['production', 'preview'] as const) {
    const said = targetNotice({ where, target, label: source }, path);
    expect(said).toBe(`Acting on ${target}: account ${account} of ${source}.`);
  }
});

test('prints the address of the local data before a change on this machine, and does not mention production', async () => {
  const id = await served.createNamespace();
  const person = newPerson(served.person.env);
  writeFileSync(
    join(person.cwd, 'edgectl.toml'),
    `kv_namespaces = [{ binding = "KV", id = "${id}", preview_id = "${id}" }]\n`,
  );
  const put = ['kv', 'key', 'put', 'k', 'v', '--binding', 'KV'];
  expect((await runCommand(person, put)).err).toContain(
    `Acting on account ${account} of ${source}, at http://127.0.0.1:`,
  );
  expect((await runCommand(person, [...put, '--preview'])).err).toContain(
    `Acting on preview: account ${account} of ${source}, at http://127.0.0.1:`,
  );
});

test.each([
  'key put k v --namespace-id ID --preview',
  'key delete k --namespace-id ID --preview',
  'namespace delete --namespace-id ID --preview --yes',
  'bulk delete keys.json --namespace-id ID --preview --yes',
  'copy --namespace-id ID --to-local --to-namespace-id x --to-preview',
])('rejects kv %s before any request, because the id may be the production id', async (line) => {
  const id = await served.createNamespace();
  const ran = await runCommand(served.person, ['kv', ...line.replace('ID', id).split(' ')]);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toMatch(/--(?:to-)?preview does not apply to --(?:to-)?namespace-id; nothing was sent\./);
});

test('a read with --namespace-id notes that --preview has no effect', async () => {
  const id = await served.createNamespace();
  const { code, err } = await runCommand(served.person, [
    'kv',
    'key',
    'list',
    '--namespace-id',
    id,
    '--preview',
  ]);
  expect(code).toBe(0);
  expect(err).toContain('--preview has no effect with --namespace-id.');
});

test('reports an unknown namespace with the account, the source of the credentials, and advice', async () => {
  for (const command of [
    ['kv', 'key', 'list'],
    ['kv', 'namespace', 'delete', '--yes'],
    ['kv', 'key', 'get', 'k'],
  ]) {
    const { code, err } = await runCommand(served.person, [...command, '--namespace-id', unknown]);
    expect(code).toBe(3);
    expect(err).toContain(
      `Namespace ${unknown} is not in account ${account} of ${source}: edgectl kv namespace list`,
    );
  }
});

test('reports a denied request with the missing permission, the account, and the source of the credentials', async () => {
  refuseWith(403, 10000, 'Authentication error');
  const { code, err } = await runCommand(served.person, ['kv', 'key', 'list', '--namespace-id', unknown]);
  expect(code).toBe(4);
  expect(err).toContain(
    `The credentials of ${source} need "Workers KV Storage: Read" for namespace ${unknown} in account ${account}.`,
  );
});

test('reports an unknown path with the account, the source of the credentials, and what to check', async () => {
  refuseWith(404, 7003, 'Could not route to /accounts/x/storage, perhaps your object identifier is invalid?');
  const { err } = await runCommand(served.person, ['kv', 'namespace', 'list']);
  expect(err).toContain(`Requested account ${account} with the credentials of ${source}: check the id`);
});

const keyFlags = ['--namespace-id', unknown];

test.each([
  ['GET', ['kv', 'key', 'get', 'k', ...keyFlags]],
  ['DELETE', ['kv', 'key', 'delete', 'k', '--no-undo', ...keyFlags]],
  ['GET', ['objstore', 'object', 'get', 'assets/k']],
  ['DELETE', ['objstore', 'object', 'delete', 'assets/k', '--no-undo']],
  ['GET', ['secret', 'list', '--name', 'w']],
  ['GET', ['hostname', 'fallback-origin', 'get', '--zone-id', unknown]],
])('distinguishes an unsupported route from an empty result: %s of %s', async (method, command) => {
  for (const code of [7000, 7003]) {
    refuseWith(404, code, 'No route for that URI');
    const ran = await runCommand(served.person, command);
    expect(ran, command.join(' ')).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain(`The platform has no route for ${method} /`);
    expect(ran.err).toContain('If the id is correct, this server does not support the request.');
  }
});
