import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authority, pair } from '../../probe/certificates.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { scratchFolder } from '../../support/world.ts';

/** A platform with a certificate of the test's authority for shop.acme.com, and a proxy that leads there from every host. */
let platform: Server;
let proxy: Server;
let caFile: string;
/** The requests that the platform got, with their credentials, and the hosts for which the proxy was asked. */
const seen: [method: string | undefined, url: string | undefined, authorization: string | undefined][] = [];
const connected: string[] = [];

beforeAll(async () => {
  platform = createHttps(pair, ({ method, url, headers }, response) => {
    seen.push([method, url, headers.authorization]);
    response.setHeader('content-type', 'application/json');
    response.end('{"success":true,"errors":[],"messages":[],"result":[]}');
  });
  await once(platform.listen(0, '127.0.0.1'), 'listening');
  const { port } = platform.address() as AddressInfo;
  proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    connected.push(url);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const onward = connect(port, '127.0.0.1');
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  caFile = join(scratchFolder('authority'), 'ca.pem');
  writeFileSync(caFile, authority);
});
afterAll(() => {
  for (const server of [platform, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Sends a read through a guard of the built program, and returns the status and the message of the answer. */
async function readThroughGuard(host: string, variables: Record<string, string>): Promise<string> {
  seen.length = 0;
  connected.length = 0;
  const script = `const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = process.env;
    const answer = await fetch(base + '/zones', { headers: { authorization: 'Bearer ' + token } });
    console.log(answer.status, (await answer.json()).errors[0]?.message ?? '');`;
  const child = spawn(
    process.execPath,
    [program, 'guard', 'exec', '--', process.execPath, '--input-type=module', '-e', script],
    {
      env: {
        ...userEnvironment(scratchFolder('home')),
        EDGECTL_API_BASE_URL: `https://${host}/client/v4`,
        EDGECTL_API_TOKEN: 'the-real-token',
        EDGECTL_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
        HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        ...variables,
      },
      cwd: scratchFolder('cwd'),
    },
  );
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  await once(child, 'close');
  return text.trim();
}

test("a guard trusts the user's own authority, and reaches the platform through the proxy of the environment", async () => {
  expect(await readThroughGuard('shop.acme.com', { NODE_EXTRA_CA_CERTS: caFile })).toBe('200');
  expect(connected).toContain('shop.acme.com:443');
  expect(seen).toContainEqual(['GET', '/client/v4/zones', 'Bearer the-real-token']);
});

test.each([
  ['from an unknown authority', 'shop.acme.com', false],
  ['for another name', 'other.acme.com', true],
])('a guard sends nothing to a platform whose certificate is %s', async (_, host, trusts) => {
  const answer = await readThroughGuard(host, trusts ? { NODE_EXTRA_CA_CERTS: caFile } : {});
  expect(answer).toMatch(new RegExp(`^502 Guard: cannot reach ${host}: .*certificate`));
  expect(connected).toContain(`${host}:443`);
  expect(seen).toEqual([]);
});

test('a guard does not use the proxy for a host in NO_PROXY', async () => {
  // This name never resolves (RFC 6761, 6.4), so only the proxy could lead to the platform.
  const answer = await readThroughGuard('platform.invalid', {
    NODE_EXTRA_CA_CERTS: caFile,
    NO_PROXY: 'platform.invalid',
  });
  expect(answer).toMatch(/^502 Guard: cannot reach platform\.invalid/);
  expect([connected, seen]).toEqual([[], []]);
});
