import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../src/services/sandbox/sandbox.ts';
import type { RunningSandbox } from '../../src/services/sandbox/start-options.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

// All addresses of this machine, one of which is none of loopback's by its name: what another machine would call.
const elsewhere = '0.0.0.0';
const free = { port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 };
let running: RunningSandbox;

beforeAll(async () => {
  running = await startSandbox(testWorld(), {
    ...free,
    dir: scratchFolder('sandbox'),
    exposure: { address: elsewhere, hosts: [elsewhere, 'box'] },
    issuanceLimit: undefined,
    demo: true,
    readyFile: undefined,
    version: '0',
    onWorkerLog: () => undefined,
    warn: () => undefined,
  });
});
afterAll(() => running.close());

function environment(
  allowed: Readonly<Record<string, string>> = { EDGECTL_ALLOW_HTTP_HOST: `box, ${elsewhere}` },
) {
  const { port, pathname } = new URL(running.ready.apiBaseUrl);
  const EDGECTL_API_BASE_URL = `http://${elsewhere}:${port}${pathname}`;
  return { EDGECTL_API_BASE_URL, EDGECTL_API_TOKEN: running.ready.apiToken, ...allowed };
}

test('a sandbox that listens elsewhere is reached there where the environment allows it, with its DNS and its edge', async () => {
  const person = newPerson(environment());
  const diagnosed = await runCommand(person, ['hostname', 'diagnose', 'shop.tea-house.demo']);
  expect(diagnosed).toMatchObject({ code: 0, err: '' });
  expect(diagnosed.out).toContain(`https://shop.tea-house.demo/ at ${elsewhere}: 200`);
  const put = await runCommand(person, ['kv', 'namespace', 'create', 'N']);
  expect(put.err).toContain(`at http://${elsewhere}:`);
  const link = await runCommand(person, ['objstore', 'object', 'presign', 'shop-reports/a']);
  expect(link.out).toContain(`http://${elsewhere}:${new URL(running.ready.s3Endpoint).port}/shop-reports/a`);
});

test('without that, and by a profile, nothing is sent there', async () => {
  const refused = await runCommand(newPerson(environment({})), ['kv', 'namespace', 'list']);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('hosts that EDGECTL_ALLOW_HTTP_HOST names');
  const person = newPerson({ EDGECTL_ALLOW_HTTP_HOST: elsewhere });
  const { EDGECTL_API_BASE_URL: url } = environment();
  const added = await runCommand(person, ['profile', 'add', 'box', '--api-base-url', url], {
    stdin: 'token',
  });
  expect(added).toMatchObject({ code: 2, out: '' });
});

test('only names that were allowed are answered', async () => {
  const { port, pathname } = new URL(running.ready.apiBaseUrl);
  const asked = async (host: string) => {
    const { request } = await import('node:http');
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const headers = { host, authorization: `Bearer ${running.ready.apiToken}` };
    request({ host: '127.0.0.1', port, path: `${pathname}/accounts`, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).end();
    return promise;
  };
  expect(await asked(`BOX:${port}`)).toBe(200);
  expect(await asked('box')).toBe(200);
  expect(await asked('127.0.0.1')).toBe(200);
  expect(await asked('box.evil.example')).toBe(403);
  expect(await asked('evil.example')).toBe(403);
});

const refused: readonly (readonly [flags: string, words: string])[] = [
  ['--listen 0.0.0.0', '--listen 0.0.0.0 opens the sandbox to other machines, and needs --allow-host NAME.'],
  ['--listen :: --json', 'opens the sandbox to other machines'],
  ['--listen everywhere', '--listen takes an IP address; "everywhere" is none.'],
  ['--allow-host http://box', '--allow-host takes the name of a host; "http://box" is none.'],
  ['--allow-host box:8787', '"box:8787" is none'],
];

test.for(refused)('sandbox start %s is refused before anything is made', async ([flags, words]) => {
  const { code, err } = await runCommand(newPerson(), ['sandbox', 'start', ...flags.split(' ')]);
  expect(code).toBe(2);
  expect(err).toContain(words.replaceAll('"', err.startsWith('{') ? '\\"' : '"'));
});

test('an address of another machine is refused without a word of listening there', async () => {
  const flags = ['--ephemeral', '--port', '0', '--listen', '203.0.113.7', '--allow-host', 'box'];
  const { code, err } = await runCommand(newPerson(), ['sandbox', 'start', ...flags]);
  expect({ code, err }).toMatchObject({
    code: 1,
    err: 'error: 203.0.113.7 is no address of this machine.\n',
  });
});
