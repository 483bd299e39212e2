import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandboxServer } from '../../src/services/sandbox/sandbox.ts';
import type { RunningSandbox } from '../../src/services/sandbox/start-options.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

// Listens on every address of this machine, not only on loopback, so other machines can connect.
const elsewhere = '0.0.0.0';
const origin = createServer((_, response) => response.end('from the origin'));
const free = { port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 };
const options = {
  ...free,
  issuanceLimit: undefined,
  demo: false,
  readyFile: undefined,
  version: '0',
  onWorkerLog: () => undefined,
  warn: () => undefined,
};
let running: RunningSandbox;

beforeAll(async () => {
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const dir = scratchFolder('sandbox');
  const before = await startSandboxServer(testWorld(), { ...options, dir });
  // The origin was set before other machines could reach the sandbox.
  await setOrigin(before, { name: 'old.saas.sandbox', port: getPort(origin) });
  await before.close();
  running = await startSandboxServer(testWorld(), {
    ...options,
    dir,
    origins: { 'app.saas.sandbox': getPort(origin) },
    exposure: { address: elsewhere, hosts: [elsewhere, 'box'] },
    demo: true,
  });
});
afterAll(async () => {
  await running.close();
  origin.close();
});

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function setOrigin({ ready }: RunningSandbox, body: object) {
  const headers = { authorization: `Bearer ${ready.apiToken}` };
  const answer = await fetch(`${ready.apiBaseUrl}/sandbox/origins`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

test('proxies only the ports named at startup if other machines can reach the sandbox', async () => {
  const port = getPort(origin);
  const refused = await setOrigin(running, { name: 'any.demo', port });
  expect(refused).toMatchObject({
    status: 400,
    text: expect.stringContaining('specified when it was started'),
  });
  const moved = await setOrigin(running, { name: 'app.saas.sandbox', port: 22 });
  expect(moved.status).toBe(400);
  // An origin without a port is accepted.
  expect((await setOrigin(running, { name: 'any.demo', fault: 522 })).status).toBe(200);
  expect((await setOrigin(running, { name: 'app.saas.sandbox', port, tls: 'off' })).status).toBe(200);
  const headers = { authorization: `Bearer ${running.ready.apiToken}` };
  const listed = await fetch(`${running.ready.apiBaseUrl}/sandbox/origins`, { headers });
  expect(await listed.json()).toMatchObject({
    result: { 'app.saas.sandbox': { port }, 'any.demo': { fault: 522 } },
  });
});

test('the edge returns the answer of an origin that was named at startup', async () => {
  const { apiBaseUrl, apiToken, zoneId, edgeUrl } = running.ready;
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
  for (const name of ['app', 'old']) {
    const record = { type: 'A', name, content: '192.0.2.1', proxied: true };
    const body = JSON.stringify(record);
    await fetch(`${apiBaseUrl}/zones/${zoneId}/dns_records`, { method: 'POST', headers, body });
  }
  const visit = async (host: string) => {
    const sent = request(edgeUrl, { headers: { host } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return text(answer);
  };
  expect(await visit('app.saas.sandbox')).toBe('from the origin');
  expect(await visit('old.saas.sandbox')).toContain('The origin old.saas.sandbox serves');
});

function environment(
  allowed: Readonly<Record<string, string>> = { EDGECTL_ALLOW_HTTP_HOST: `box, ${elsewhere}` },
) {
  const { port, pathname } = new URL(running.ready.apiBaseUrl);
  const EDGECTL_API_BASE_URL = `http://${elsewhere}:${port}${pathname}`;
  return { EDGECTL_API_BASE_URL, EDGECTL_API_TOKEN: running.ready.apiToken, ...allowed };
}

test('uses a sandbox on another address, with its DNS and its edge, if the environment allows the address', async () => {
  const person = newPerson(environment());
  const diagnosed = await runCommand(person, ['hostname', 'diagnose', 'shop.tea-house.demo']);
  expect(diagnosed).toMatchObject({ code: 0, err: '' });
  expect(diagnosed.out).toContain(`https://shop.tea-house.demo/ at ${elsewhere}: 200`);
  const put = await runCommand(person, ['kv', 'namespace', 'create', 'N']);
  expect(put.err).toContain(`at http://${elsewhere}:`);
  const link = await runCommand(person, ['objstore', 'object', 'presign', 'shop-reports/a']);
  expect(link.out).toContain(`http://${elsewhere}:${new URL(running.ready.s3Endpoint).port}/shop-reports/a`);
});

test('sends no request to another machine if a profile is selected or the environment does not allow the address', async () => {
  const refused = await runCommand(newPerson(environment({})), ['kv', 'namespace', 'list']);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('the hosts in EDGECTL_ALLOW_HTTP_HOST');
  const person = newPerson({ EDGECTL_ALLOW_HTTP_HOST: elsewhere });
  const { EDGECTL_API_BASE_URL: url } = environment();
  const added = await runCommand(person, ['profile', 'add', 'box', '--api-base-url', url], {
    stdin: 'token',
  });
  expect(added).toMatchObject({ code: 2, out: '' });
});

test('answers only requests for allowed host names', async () => {
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
  [
    '--listen 0.0.0.0',
    '--listen 0.0.0.0 opens the sandbox to other machines, and therefore requires --allow-host NAME.',
  ],
  ['--listen :: --json', 'opens the sandbox to other machines'],
  ['--listen everywhere', '--listen requires an IP address, not "everywhere".'],
  ['--origin app', '--origin requires NAME=PORT, not "app".'],
  ['--origin app.demo=0', 'not "app.demo=0"'],
  ['--origin app.demo=70000', 'not "app.demo=70000"'],
  ['--origin a..b=80', 'not "a..b=80"'],
  ['--allow-host http://box', '--allow-host requires a host name, not "http://box".'],
  ['--allow-host box:8787', 'not "box:8787"'],
];

test.for(refused)('sandbox start %s fails before creating anything', async ([flags, words]) => {
  const { code, err } = await runCommand(newPerson(), ['sandbox', 'start', ...flags.split(' ')]);
  expect(code).toBe(2);
  expect(err).toContain(words.replaceAll('"', err.startsWith('{') ? '\\"' : '"'));
});

test('rejects a listening address that belongs to another machine, and does not suggest --listen for the address', async () => {
  const flags = ['--ephemeral', '--port', '0', '--listen', '203.0.113.7', '--allow-host', 'box'];
  const { code, err } = await runCommand(newPerson(), ['sandbox', 'start', ...flags]);
  expect({ code, err }).toMatchObject({
    code: 1,
    err: 'error: 203.0.113.7 is not an address of this machine.\n',
  });
});
