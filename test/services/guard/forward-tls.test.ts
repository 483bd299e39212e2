import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authority, pair } from '../../probe/certificates.ts';
import { inSoak } from '../../support/in-part.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { scratchFolder } from '../../support/world.ts';

/**
 * A platform whose certificate for shop.acme.com is from the test's authority, and a proxy that connects every host name to this platform.
 */
let platform: Server;
let proxy: Server;
let caFile: string;
/** The requests that the platform received, with their credentials, and the host names that the proxy received. */
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

/**
 * Lists zones with the v4 API, and reads an object with the provider's S3 SDK. Prints a line for each request: the status, and the value or
 * message.
 */
const script = `import { createRequire } from 'node:module';
  const { GetObjectCommand, S3Client } = createRequire(${JSON.stringify(import.meta.url)})('@aws-sdk/client-s3');
  const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = process.env;
  const answer = await fetch(base + '/zones', { headers: { authorization: 'Bearer ' + token } });
  console.log(answer.status, (await answer.json()).errors[0]?.message ?? '');
  const client = new S3Client({ region: 'auto', forcePathStyle: true, maxAttempts: 1 });
  await client.send(new GetObjectCommand({ Bucket: 'media', Key: 'logo.svg' })).then(
    async ({ $metadata, Body }) => console.log($metadata.httpStatusCode, await Body.transformToString()),
    (error) => console.log(error.$metadata?.httpStatusCode, error.message));`;

/** Runs the script behind a guard of the built program, and returns the printed lines. */
async function readBehindGuard(host: string, variables: Record<string, string>): Promise<string[]> {
  seen.length = 0;
  connected.length = 0;
  const child = spawn(
    process.execPath,
    [program, 'guard', 'exec', '--', process.execPath, '--input-type=module', '-e', script],
    {
      env: {
        ...userEnvironment(scratchFolder('home')),
        EDGECTL_API_BASE_URL: `https://${host}/client/v4`,
        EDGECTL_API_TOKEN: 'the-real-token',
        EDGECTL_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
        R2_ENDPOINT: `https://${host}`,
        R2_ACCESS_KEY_ID: 'the-real-key',
        R2_SECRET_ACCESS_KEY: 'the-real-secret',
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
  return text.trim().split('\n');
}

test("a guard trusts the user's own authority, and reaches the platform through the proxy of the environment", async () => {
  const printed = await readBehindGuard('shop.acme.com', { NODE_EXTRA_CA_CERTS: caFile });
  expect(printed).toEqual(['200 ', expect.stringMatching(/^200 \{"success":true/)]);
  expect(new Set(connected)).toEqual(new Set(['shop.acme.com:443']));
  expect(seen).toEqual([
    ['GET', '/client/v4/zones', 'Bearer the-real-token'],
    [
      'GET',
      '/media/logo.svg?x-id=GetObject',
      expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=the-real-key\//),
    ],
  ]);
});

test.each([
  ['from an unknown authority', 'shop.acme.com', false],
  ['for another name', 'other.acme.com', true],
])('a guard sends nothing to a platform whose certificate is %s', async (_, host, trusts) => {
  const printed = await readBehindGuard(host, trusts ? { NODE_EXTRA_CA_CERTS: caFile } : {});
  const refusal = expect.stringMatching(new RegExp(`^502 Guard: cannot reach ${host}: .*certificate`));
  expect(printed).toEqual([refusal, refusal]);
  expect(connected).toContain(`${host}:443`);
  expect(seen).toEqual([]);
});

inSoak(() => {
  test('a guard does not use the proxy for a host in NO_PROXY', async () => {
    // This name never resolves (RFC 6761, 6.4), so the guard can reach the platform only through the proxy.
    const printed = await readBehindGuard('platform.invalid', {
      NODE_EXTRA_CA_CERTS: caFile,
      NO_PROXY: 'platform.invalid',
    });
    const refusal = expect.stringMatching(/^502 Guard: cannot reach platform\.invalid/);
    expect(printed).toEqual([refusal, refusal]);
    expect([connected, seen]).toEqual([[], []]);
  });
});
