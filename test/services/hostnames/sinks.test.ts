import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FleetEvent } from '../../../src/model/hostnames/fleet/events.ts';
import { makeCertificate, trustedRoots } from '../../../src/sandbox/hostnames/certificates.ts';
import { serveMetrics } from '../../../src/services/hostnames/fleet/metrics-server.ts';
import { programSink, webhookSink } from '../../../src/services/hostnames/fleet/sinks.ts';
import { openRegistry } from '../../../src/store/registry.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const event: FleetEvent = {
  version: 1,
  id: '1',
  type: 'appeared',
  at: '2026-11-21T10:00:00.000Z',
  zoneId: 'z',
  hostname: 'shop.acme.com',
  hostnameId: 'h',
};

describe('a program that receives events', () => {
  const report = async (script: string, one = event, env = {}, timeoutMs?: number) => {
    const world = testWorld({ env: { PATH: process.env['PATH'], ...env } });
    await programSink(world, ['sh', '-c', script], timeoutMs).deliver(one);
    return readFileSync(join(world.cwd, 'told.txt'), 'utf8');
  };

  test('is killed if it ignores a request to exit', async () => {
    await expect(report('trap "" TERM; exec sleep 600', event, {}, 100)).rejects.toThrow(
      'sh exited with SIGKILL.',
    );
  });

  test('gets the event as a line of JSON, with an empty previous state if none exists', async () => {
    const before = { status: 'active', certificate: 'active', kind: 'moved', who: 'customer' };
    const gone: FleetEvent = { ...event, type: 'gone', hostname: 'shop\0.acme.com', before };
    const script = 'cat > told.txt; env | grep ^EDGECTL_ | sort >> told.txt';
    const [line = '', ...variables] = (await report(script, gone, { EDGECTL_WEBHOOK_SECRET: 's' }))
      .trim()
      .split('\n');
    expect(JSON.parse(line)).toEqual(gone);
    expect(variables).toEqual([
      'EDGECTL_EVENT_CERTIFICATE=active',
      'EDGECTL_EVENT_HOSTNAME=shop.acme.com',
      'EDGECTL_EVENT_HOSTNAME_ID=h',
      'EDGECTL_EVENT_ID=1',
      'EDGECTL_EVENT_KIND=moved',
      'EDGECTL_EVENT_STATUS=active',
      'EDGECTL_EVENT_TYPE=gone',
      'EDGECTL_EVENT_WHO=customer',
      'EDGECTL_EVENT_ZONE_ID=z',
    ]);
    const after = { status: 'moved', certificate: 'expired' };
    const script2 = 'echo "$EDGECTL_EVENT_STATUS $EDGECTL_EVENT_CERTIFICATE" > told.txt';
    expect(await report(script2, { ...event, before, after })).toBe('moved expired\n');
  });

  test('is reported with its exit code and the first line of its output if it fails', async () => {
    await expect(report('echo >&2; exit 3')).rejects.toThrow(/^sh exited with 3\.$/);
    await expect(report('(echo; echo late; echo later) >&2; exit 4')).rejects.toThrow(
      /^sh exited with 4: late\.$/,
    );
    // The background process may write its message after the command has ended.
    await expect(report('(sleep 0.1; echo late >&2) & exit 5')).rejects.toThrow(/^sh exited with 5: late\.$/);
    await expect(report('head -c 9000 /dev/zero | tr "\\0" x >&2; exit 6')).rejects.toThrow(
      /^sh exited with 6: x{500}\.$/,
    );
  });

  test('is reported if it is missing, and is not a failure if it reads nothing', async () => {
    const sink = programSink(testWorld(), ['no-such-program', 'x']);
    expect(sink.name).toEqual(['exec', 'no-such-program', 'x']);
    await expect(sink.deliver(event)).rejects.toMatchObject({
      code: 'system',
      message: expect.stringMatching(/^Cannot run no-such-program: .*ENOENT\.$/),
    });
    // The event is longer than the capacity of a pipe. An environment variable could not contain it.
    const before = { status: 'active', certificate: 'active', basis: 'x'.repeat(1_000_000) };
    expect(await report('exec <&-; echo done > told.txt', { ...event, before })).toBe('done\n');
  });
});

test("an event counts as delivered after the timeout if the webhook's answer never ends", async () => {
  const server = createServer((_, answer) => {
    answer.writeHead(200);
    const drip = setInterval(() => answer.write('x'), 10);
    answer.once('close', () => clearInterval(drip));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await webhookSink(testWorld(), `http://127.0.0.1:${port}/`, 'a long random text', 200).deliver(event);
});

/** Starts a server that answers each connection with this text, or never if the text is empty. Records the received requests. */
async function answering(text: string) {
  const got: string[] = [];
  const server = createTcpServer((client) => {
    client.on('error', () => undefined);
    client.once('data', (data) => {
      got.push(data.toString());
      if (text !== '') client.end(text);
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}/`, got };
}

describe('a webhook', () => {
  const secret = 'a long random text';

  test.each([
    '',
    'hooks.acme.example',
    'ftp://hooks.acme.example/',
    'http://hooks.acme.example/',
    'http://10.0.0.1/',
  ])('is refused at %j: only HTTPS addresses, or this machine', (url) => {
    expect(() => webhookSink(testWorld(), url, secret)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test('is identified by its address, without the secret part of the address', () => {
    const { name } = webhookSink(testWorld(), 'https://me:pass@hooks.acme.example/edge?token=1#x', secret);
    expect(name).toEqual(['webhook', 'https://hooks.acme.example/edge']);
    expect(webhookSink(testWorld(), 'http://localhost:9/', secret).name).toEqual([
      'webhook',
      'http://localhost:9/',
    ]);
  });

  test('receives JSON with its length, and the time of the signature in seconds', async () => {
    const { url, got } = await answering(
      'HTTP/1.1 299 Fine\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    const named = { ...event, hostname: 'b\u00fccher.acme.com' };
    await webhookSink(testWorld({ now: () => 1_700_000_000_999 }), url, secret).deliver(named);
    const [head = '', body = ''] = (got[0] ?? '').split('\r\n\r\n');
    expect(head).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
    expect(head).toMatch(/^edgectl-timestamp: 1700000000\r?$/m);
    expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(JSON.stringify(named))}\r?$`, 'm'));
    // The next request uses the same connection.
    expect(head).toMatch(/^connection: keep-alive\r?$/im);
    expect(head).toMatch(/^content-type: application\/json\r?$/m);
    expect(JSON.parse(body)).toEqual(named);
  });

  test.each([
    ['HTTP/1.1 300 Several\r\nContent-Length: 0\r\n\r\n', 'refused', 'responded to the event with HTTP 300.'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'refused', 'responded to the event with HTTP 101.'],
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
      'unreachable',
      'the server closed the connection without a response.',
    ],
    ['HTTP/1.1 100 Continue\r\n\r\n', 'unreachable', 'socket hang up.'],
    ['\x15\x03\x01\x00\x02\x02\x0a', 'unreachable', 'Parse Error'],
  ])('leaves an event undelivered if it answers %j', async (text, code, message) => {
    const { url } = await answering(text);
    const sink = webhookSink(testWorld(), url, secret, 5000);
    await expect(sink.deliver(event)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('is reported as unreachable if it times out or does not exist', async () => {
    const { url } = await answering('');
    const late = webhookSink(testWorld(), url, secret, 50).deliver(event);
    await expect(late).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/^Cannot reach 127\.0\.0\.1:\d+: no response in time\.$/),
    });
    const nobody = webhookSink(testWorld(), 'http://127.0.0.1:1/', secret).deliver(event);
    await expect(nobody).rejects.toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  });

  test('is abandoned on an interruption, which does not count as a failure', async () => {
    const { url, got } = await answering('');
    const stop = new AbortController();
    const sent = webhookSink(testWorld({ interrupted: stop.signal }), url, secret).deliver(event);
    while (got.length === 0) await new Promise((settle) => setImmediate(settle));
    stop.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('metrics', () => {
  /** Returns the status, the content type and the text of the server's response to these lines. */
  async function ask(port: string, ...lines: readonly string[]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
    const text = Buffer.concat(await socket.toArray()).toString();
    return { status: Number(text.split(' ')[1]), type: /content-type: (.*)\r/i.exec(text)?.[1], text };
  }

  test('are served only to requests from this machine by its name', async () => {
    let count = 0;
    const server = await serveMetrics(0, () => {
      count += 1;
      return `edgectl_asked ${count}\n`;
    });
    onTestFinished(() => server.close());
    const [, port = ''] = /^http:\/\/127\.0\.0\.1:(\d+)\/metrics$/.exec(server.url) ?? [];
    const get = (path: string, host: string) =>
      ask(port, `GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
    const first = await get('/metrics', `127.0.0.1:${port}`);
    expect(first).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4' });
    expect(first.text).toContain('edgectl_asked 1\n');
    expect((await get('/metrics?by=prometheus', `localhost:${port}`)).text).toContain('edgectl_asked 2\n');
    expect((await get('/metric', `127.0.0.1:${port}`)).status).toBe(404);
    expect((await get('/', `127.0.0.1:${port}`)).status).toBe(404);
    for (const host of ['rebound.example', `127.0.0.1.example:${port}`, '[', 'a b', ''])
      expect((await get('/metrics', host)).status, host).toBe(403);
    expect((await ask(port, 'GET /metrics HTTP/1.0')).status).toBe(403);
    const post = [
      'POST /metrics HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Content-Length: 0',
      'Connection: close',
    ];
    expect((await ask(port, ...post)).status).toBe(403);
    expect(count).toBe(2);
  });

  test('report the reason if their port is in use', async () => {
    const server = await serveMetrics(0, () => '');
    onTestFinished(() => server.close());
    const port = Number(new URL(server.url).port);
    await expect(serveMetrics(port, () => '')).rejects.toMatchObject({
      code: 'system',
      message: expect.stringMatching(new RegExp(`^Cannot serve metrics on port ${port}: .*EADDRINUSE`)),
      cause: expect.objectContaining({ code: 'EADDRINUSE' }),
    });
  });

  test('end with the watch, even if a client is connected', async () => {
    const server = await serveMetrics(0, () => '');
    const port = Number(new URL(server.url).port);
    const idle = connect(port, '127.0.0.1').resume();
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    server.close();
    await ended;
    const again = connect(port, '127.0.0.1');
    await expect(once(again, 'connect')).rejects.toThrow('ECONNREFUSED');
  });
});

test('sends to a webhook over HTTPS through the proxy, and trusts the authorities in NODE_EXTRA_CA_CERTS', async () => {
  const { port, roots, got } = await receiverOverTls('hooks.acme.example');
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    asked.push(String(request.url));
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    const far = connect(port, '127.0.0.1');
    // Either side may close the connection while the last bytes of the other side are in transit.
    client.on('error', () => far.destroy());
    far.on('error', () => client.destroy());
    client.pipe(far).pipe(client);
  });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}` };
  const url = 'https://hooks.acme.example/edge';
  await expect(webhookSink(testWorld({ env }), url, 'a long random text').deliver(event)).rejects.toThrow(
    /Cannot reach hooks\.acme\.example: .*certificate/,
  );
  expect(got).toEqual([]);
  const authorities = join(scratchFolder('ca'), 'ca.pem');
  writeFileSync(authorities, roots);
  const script = join(import.meta.dirname, 'teller.ts');
  const child = spawn(process.execPath, [script, url], {
    env: { ...env, NODE_EXTRA_CA_CERTS: authorities },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(JSON.stringify(event));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(got).toEqual([JSON.stringify(event)]);
  expect(asked).toEqual(['hooks.acme.example:443', 'hooks.acme.example:443']);
});

/** Starts a receiver whose certificate is from its own authority. */
async function receiverOverTls(hostname: string) {
  const registry = openRegistry(scratchFolder('authority'), { now: () => Date.now(), random: randomBytes });
  onTestFinished(() => registry.close());
  const { settings } = registry;
  const order = { hostname, wildcard: false, branding: false, authority: 'google' } as const;
  const { keyed } = await makeCertificate(settings, randomBytes, { ...order, since: Date.now() - 60_000 });
  const got: string[] = [];
  const server = createTlsServer(
    { cert: keyed.certificate, key: keyed.privateKey },
    async (request, answer) => {
      got.push(Buffer.concat(await request.toArray()).toString());
      answer.writeHead(204, { connection: 'close' }).end();
    },
  );
  return { port: await listening(server), roots: trustedRoots(settings), got };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
