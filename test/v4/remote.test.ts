import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { topicHelp } from '../../src/cli/output/topics.ts';
import { openRemote, type RemoteSend } from '../../src/v4/remote.ts';
import { withRetries } from '../../src/v4/retry.ts';
import { type Call, closeBody, readBody } from '../../src/v4/send.ts';

import { authority, pair } from '../probe/certificates.ts';

const leave: (() => void)[] = [];
afterEach(() => {
  for (const step of leave.splice(0)) step();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(
  handle: Handle,
  now?: () => number,
  silence?: number,
): Promise<{ remote: RemoteSend; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const remote = openRemote({
    apiBaseUrl: `http://127.0.0.1:${port}/client/v4`,
    auth: { token: 'secret' },
    userAgent: 'edgectl/test',
    env: {},
    ...(now && { now }),
    ...(silence !== undefined && { silence }),
  });
  leave.push(
    () => server.closeAllConnections(),
    () => server.close(),
    remote.close,
  );
  return { remote, seen };
}

function call(part: Partial<Call> = {}): Call {
  return { method: 'GET', path: '/x', headers: {}, repeatable: true, ...part };
}

test('sends a call with its path, headers and credentials', async () => {
  const { remote, seen } = await serve((_, response) => response.end('{}'));
  await remote.send(call({ path: '/values/a%2Fb?x=1', headers: { 'x-one': '1' } }));
  expect(seen[0]?.url).toBe('/client/v4/values/a%2Fb?x=1');
  expect(seen[0]?.headers).toMatchObject({
    'x-one': '1',
    authorization: 'Bearer secret',
    'user-agent': 'edgectl/test',
  });
});

test('streams bodies in both directions, and sends a DELETE without a body', async () => {
  const { remote, seen } = await serve((request, response) => request.pipe(response));
  async function* parts() {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  }
  const echoed = await remote.send(call({ method: 'PUT', body: () => parts() }));
  expect(Buffer.from(await readBody(echoed.body)).toString()).toBe('one two');
  const bytes = await remote.send(call({ method: 'POST', body: new Uint8Array([1, 2]) }));
  expect([...(await readBody(bytes.body))]).toEqual([1, 2]);
  await remote.send(call({ method: 'DELETE' }));
  expect(seen[2]?.method).toBe('DELETE');
});

test('allows a reader to pause for longer than a server may be silent', async () => {
  const value = randomBytes(16 * 1024 * 1024);
  const { remote, seen } = await serve((_, response) => response.end(value), undefined, 500);
  const chunks: Uint8Array[] = [];
  const { body } = await remote.send(call());
  for await (const chunk of body instanceof Uint8Array ? [] : body) {
    if (chunks.push(chunk) === 1) await sleep(1500);
  }
  expect(Buffer.concat(chunks).equals(value)).toBe(true);
  // On the reused connection, a silent server is detected again.
  expect(seen[0]?.socket.destroyed).toBe(false);
});

test.each(['without an answer', 'in the middle of an answer'])(
  'stops waiting for a server that becomes silent %s',
  async (when) => {
    const handle: Handle = (request, response) => {
      if (request.url?.endsWith('/first')) response.end('{}');
      else if (when !== 'without an answer') response.write('x');
    };
    const { remote } = await serve(handle, undefined, 100);
    await readBody((await remote.send(call({ path: '/first' }))).body);
    const silent = async () => readBody((await remote.send(call())).body);
    await expect(silent()).rejects.toMatchObject({ code: 'unreachable' });
  },
);

test('refuses an answer that sends one byte per second', async () => {
  let time = 0;
  let timer: NodeJS.Timeout | undefined;
  const handle: Handle = (_, response) => {
    timer = setInterval(() => response.write('x'), 1);
    response.on('close', () => clearInterval(timer));
  };
  const { remote } = await serve(handle, () => (time += 500));
  const answer = await remote.send(call({ wholeAnswer: 1000 }));
  await expect(readBody(answer.body)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/is too slow: \d+ bytes in 30 seconds/),
  });
});

test('treats an answer whose first bytes come late as silent, not as slow', async () => {
  let time = 0;
  const { remote } = await serve(
    (_, response) => void response.writeHead(200).write('{}', () => response.end()),
    () => (time += 45_000),
  );
  const answer = await remote.send(call({ wholeAnswer: 1000 }));
  expect(Buffer.from(await readBody(answer.body)).toString()).toBe('{}');
});

test('refuses an endless fast answer after its time limit, but not a download', async () => {
  let time = 0;
  const chunk = Buffer.alloc(8192);
  const handle: Handle = (_, response) => {
    const more = (): unknown =>
      response.destroyed || (response.write(chunk) ? setImmediate(more) : undefined);
    response.on('drain', more);
    more();
  };
  const { remote } = await serve(handle, () => (time += 10_000));
  const whole = await remote.send(call({ wholeAnswer: 1e9 }));
  await expect(readBody(whole.body)).rejects.toMatchObject({ code: 'refused' });
  const download = await remote.send(call());
  let chunks = 0;
  for await (const _ of download.body as AsyncIterable<Uint8Array>) {
    chunks += 1;
    if (chunks === 200) break;
  }
  expect(chunks).toBe(200);
});

test('stops reading early if a refusal does not end', async () => {
  let time = 0;
  const handle: Handle = (_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(2000)), 1);
    response.on('close', () => clearInterval(timer));
    response.writeHead(404);
  };
  const { remote } = await serve(handle, () => (time += 500));
  const answer = await remote.send(call());
  await expect(readBody(answer.body)).rejects.toMatchObject({
    code: 'refused',
    message: 'The response has not ended after 30 seconds; the rest was not read.',
  });
});

test('does not read an endless refusal before the next attempt, and closes its connection', async () => {
  let closed = 0;
  let asked = 0;
  const { remote } = await serve((_, response) => {
    asked += 1;
    if (asked === 2) return void response.end('{}');
    response.writeHead(503);
    const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
    response.on('close', () => {
      clearInterval(timer);
      closed += 1;
    });
  });
  const send = withRetries(remote.send, { sleep: async () => undefined, jitter: () => 0 });
  const answer = await send(call());
  expect(Buffer.from(await readBody(answer.body)).toString()).toBe('{}');
  await expect.poll(() => closed).toBe(1);
});

test.each([
  ['Sun, 22 Nov 2026 00:00:07 GMT', '7'],
  ['Sunday, 22-Nov-26 00:00:07 GMT', '7'],
  ['Sun Nov 22 00:00:07 2026', '7'],
  ['Sat, 21 Nov 2026 00:00:00 GMT', '0'],
  ['9', '9'],
  ['Sun, never', 'Sun, never'],
])('converts Retry-After: %s to %s', async (said, seconds) => {
  const now = (): number => Date.UTC(2026, 10, 22);
  const { remote } = await serve(
    (_, response) => response.writeHead(503, { 'retry-after': said }).end(),
    now,
  );
  expect((await remote.send(call())).headers['retry-after']).toBe(seconds);
});

test('returns a redirect without following it, so credentials are not forwarded', async () => {
  const { remote, seen } = await serve((_, response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  );
  const answer = await remote.send(call());
  expect(answer.status).toBe(302);
  expect(seen).toHaveLength(1);
});

test('reports a closed connection as unreachable, and does not accept half an answer', async () => {
  const { remote } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const answer = await remote.send(call());
  await expect(readBody(answer.body)).rejects.toMatchObject({ code: 'unreachable' });
});

test('reads an answer to its end even if the answer starts before the request body is sent', async () => {
  const { remote } = await serve(async (request, response) => {
    let received = 0;
    for await (const chunk of request) {
      if (!response.headersSent) response.writeHead(200, { 'content-length': '7' }).flushHeaders();
      received += chunk.length;
    }
    response.end(String(received).padStart(7));
  });
  const put = async () => {
    const answer = await remote.send(call({ method: 'PUT', body: new Uint8Array(1_500_000) }));
    return Buffer.from(await readBody(answer.body)).toString();
  };
  const answers = await Promise.all(Array.from({ length: 20 }, put));
  expect(new Set(answers)).toEqual(new Set(['1500000']));
});

test('accepts a refusal that arrives before the server has read the body', async () => {
  const { remote } = await serve((_, response) => response.writeHead(413, { connection: 'close' }).end('{}'));
  const answers = Array.from({ length: 8 }, async () => {
    const answer = await remote.send(call({ method: 'PUT', body: new Uint8Array(8_000_000) }));
    return [answer.status, Buffer.from(await readBody(answer.body)).toString()];
  });
  expect(await Promise.all(answers)).toEqual(Array(8).fill([413, '{}']));
});

test('sends bytes with their length, even if there are no bytes', async () => {
  const { remote, seen } = await serve((request, response) => request.pipe(response));
  await remote.send(call({ method: 'PUT', body: new Uint8Array(200_000) }));
  await remote.send(call({ method: 'PUT', body: new Uint8Array() }));
  expect(seen.map(({ headers }) => headers['content-length'])).toEqual(['200000', '0']);
  expect(seen.map(({ headers }) => headers['transfer-encoding'])).toEqual([undefined, undefined]);
});

test.each([
  ['with a length, before its first byte', { 'content-length': '100' }, ''],
  ['with a length, before its last byte', { 'content-length': '5' }, 'half'],
  ['in chunks, before its first byte', {}, ''],
  ['in chunks, before its end', {}, 'half'],
])('does not accept an answer whose body is cut %s', async (_, headers, part) => {
  const { remote } = await serve(async (request, response) => {
    await readBody(request);
    response.writeHead(200, headers).flushHeaders();
    if (part === '') response.destroy();
    else response.write(part, () => response.destroy());
  });
  const put = async () => {
    const answer = await remote.send(call({ method: 'PUT', body: new Uint8Array(200_000) }));
    return readBody(answer.body);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, put));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreachable' } });
    expect(String(outcome.status === 'rejected' && outcome.reason)).toContain('the connection was closed');
  }
});

test.each([
  ['before its answer', ''],
  ['in the middle of its answer', 'half'],
])('reports that the platform may have executed a creating call that is cut %s', async (_, part) => {
  const { remote } = await serve(async (request, response) => {
    await readBody(request);
    if (part === '') response.destroy();
    else response.writeHead(200, { 'content-length': '99' }).write(part, () => response.destroy());
  });
  const body = Buffer.from('{"title":"x"}');
  const send = async (repeatable: boolean) =>
    readBody((await remote.send(call({ method: 'POST', path: '/x?y=1', body, repeatable }))).body);
  await expect(send(false)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(
      /^POST \/x was sent to 127\.0\.0\.1:\d+, but no complete response arrived: the connection was closed/,
    ),
    hint: expect.stringContaining('The outcome is unknown: check the current state before you try again.'),
    retryable: false,
  });
  await expect(send(true)).rejects.toMatchObject({ message: expect.stringContaining('Cannot reach') });
});

test('reports that the platform may have executed a creating call whose answer is too slow', async () => {
  const { remote } = await serve((_, response) => void response.write('x'), undefined, 50);
  const create = async () => readBody((await remote.send(call({ method: 'POST', repeatable: false }))).body);
  await expect(create()).rejects.toMatchObject({
    message: 'The response is too slow: no data for 0.05 seconds.',
    hint: expect.stringContaining('The outcome is unknown'),
  });
});

test('reports a refused connection', async () => {
  const remote = openRemote({
    apiBaseUrl: 'http://127.0.0.1:1/client/v4',
    auth: { email: 'a@b', apiKey: 'k' },
    userAgent: 'edgectl/test',
    env: {},
  });
  for (const refused of [call(), call({ method: 'POST', repeatable: false })]) {
    await expect(remote.send(refused)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'Cannot reach 127.0.0.1:1: the connection was refused.',
    });
  }
});

test('stops a call when its signal aborts', async () => {
  const arrived = Promise.withResolvers<void>();
  const { remote } = await serve(() => arrived.resolve());
  const controller = new AbortController();
  const pending = remote.send(call({ signal: controller.signal }));
  await arrived.promise;
  controller.abort();
  await expect(pending).rejects.toMatchObject({ code: 'interrupted' });
});

const waits: number[] = [];
const timeoutMs = {
  sleep: async (milliseconds: number) => void waits.push(milliseconds),
  jitter: () => 0,
};

test('repeats repeatable calls after 503 and 429, and waits as long as Retry-After states', async () => {
  waits.length = 0;
  const statuses = [503, 429, 200];
  const { remote, seen } = await serve((_, response) => {
    const status = statuses.shift() ?? 500;
    response.writeHead(status, status === 429 ? { 'retry-after': '7' } : {}).end('{}');
  });
  const answer = await withRetries(remote.send, timeoutMs)(call());
  expect(answer.status).toBe(200);
  expect(seen).toHaveLength(3);
  expect(waits).toEqual([500, 7000]);
});

// The limits are those in `edgectl help flags`. The provider's budget applies to windows of five minutes (API rate limits).
test.each([
  ['300', [300_000, 300_000, 300_000]],
  ['301', []],
])('waits for a Retry-After of %s seconds as the help of the flags states', async (seconds, slept) => {
  waits.length = 0;
  const { remote, seen } = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': seconds }).end('{}');
  });
  expect((await withRetries(remote.send, timeoutMs)(call())).status).toBe(429);
  expect(waits).toEqual(slept);
  expect(seen).toHaveLength(slept.length + 1);
  const stated = topicHelp('flags').replaceAll(/\s+/g, ' ');
  expect(stated).toContain('sent up to 4 times.');
  expect(stated).toContain(
    'waits up to 5 minutes before each retry; if the platform asks for a longer pause, the command fails',
  );
});

test('does not retry pending calls when the session closes', async () => {
  waits.length = 0;
  const asked = Promise.withResolvers<void>();
  const { remote, seen } = await serve(() => asked.resolve());
  const closed = new AbortController();
  const send = withRetries(remote.send, { ...timeoutMs, closed: closed.signal });
  const answer = expect(send(call())).rejects.toMatchObject({ code: 'unreachable' });
  await asked.promise;
  closed.abort();
  remote.close();
  await answer;
  expect(seen).toHaveLength(1);
  expect(waits).toEqual([]);
});

test('closes a body that is never read, and its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const { remote } = await serve((_, response) => {
    response.once('close', closed.resolve).write('begun');
  });
  await closeBody(await withRetries(remote.send, timeoutMs)(call()));
  await closed.promise;
});

test('reopens a body for each attempt', async () => {
  const bodies: string[] = [];
  const { remote } = await serve(async (request, response) => {
    bodies.push(Buffer.from(await readBody(request)).toString());
    response.writeHead(bodies.length === 1 ? 503 : 200).end('{}');
  });
  const body = async function* () {
    yield Buffer.from('whole');
  };
  await withRetries(remote.send, timeoutMs)(call({ method: 'PUT', body }));
  expect(bodies).toEqual(['whole', 'whole']);
});

test('never repeats a call that creates something, and makes at most four attempts at any other call', async () => {
  const { remote, seen } = await serve((_, response) => response.writeHead(503).end('{}'));
  const created = await withRetries(remote.send, timeoutMs)(call({ method: 'POST', repeatable: false }));
  expect(created.status).toBe(503);
  expect(seen).toHaveLength(1);
  await withRetries(remote.send, timeoutMs)(call());
  expect(seen).toHaveLength(5);
});

/** Opens a proxy that answers requests itself, and records the requested hosts. */
async function openProxyServer(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  leave.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function through(apiBaseUrl: string, env: Record<string, string>): RemoteSend {
  const auth = { token: 'secret' };
  const remote = openRemote({ apiBaseUrl, auth, userAgent: 'edgectl/test', env });
  leave.push(remote.close);
  return remote;
}

test.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])(
  'sends requests to other machines through %s, and requests to this machine directly',
  async (variable) => {
    const proxy = await openProxyServer();
    // The lower-case variable takes precedence; here it is set last.
    const env = { [variable.toUpperCase()]: 'http://127.0.0.1:1', [variable]: proxy.url, NO_PROXY: '' };
    const scheme = variable.slice(0, -'_proxy'.length).toLowerCase();
    const hosts = [
      '127.0.0.1:1',
      '127.9.9.9:1',
      '[::1]:1',
      '[::ffff:127.0.0.1]:1',
      'localhost:1',
      'a.b.localhost:1',
    ];
    for (const host of hosts) {
      const sent = through(`${scheme}://${host}/client/v4`, env).send(call());
      await expect(sent).rejects.toMatchObject({ code: 'unreachable' });
    }
    expect(proxy.asked).toEqual([]);
    await through(`${scheme}://platform.invalid/client/v4`, env)
      .send(call())
      .catch(() => undefined);
    expect(proxy.asked.join()).toContain('platform.invalid');
  },
);

test.each(['NO_PROXY', 'no_proxy'])('excludes a host from the proxy with %s', async (variable) => {
  const proxy = await openProxyServer();
  const env = { HTTP_PROXY: proxy.url, [variable]: 'platform.invalid' };
  const sent = through('http://platform.invalid/client/v4', env).send(call());
  await expect(sent).rejects.toMatchObject({ code: 'unreachable' });
  expect(proxy.asked).toEqual([]);
});

test.each(['http', 'https'])('names an unreachable proxy for %s without its password', async (scheme) => {
  const env = { [`${scheme.toUpperCase()}_PROXY`]: 'http://me:hidden@127.0.0.1:1' };
  const message = `Cannot reach platform.invalid: the connection was refused by the proxy 127.0.0.1:1 (${scheme.toUpperCase()}_PROXY).`;
  const sent = through(`${scheme}://platform.invalid/client/v4`, env).send(call());
  await expect(sent).rejects.toMatchObject({ code: 'unreachable', message });
});

test('verifies a certificate for the host name, even through a proxy', async () => {
  const before = getCACertificates('default');
  leave.push(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, authority]);
  const platform = createHttps(pair, (_, response) => response.end('{}'));
  await new Promise<void>((listening) => platform.listen(0, '127.0.0.1', listening));
  const { port } = platform.address() as AddressInfo;
  const proxy = createServer();
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const onward = connect(port, '127.0.0.1');
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  leave.push(
    () => platform.close(),
    () => platform.closeAllConnections(),
    () => proxy.close(),
    () => proxy.closeAllConnections(),
  );
  const env = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const answer = await through('https://shop.acme.com/client/v4', env).send(call());
  expect(Buffer.from(await readBody(answer.body)).toString()).toBe('{}');
  for (const [url, proxies] of [
    ['https://other.acme.com', env],
    [`https://localhost:${port}`, {}],
  ] as const) {
    for (const made of [call(), call({ method: 'POST', repeatable: false })])
      await expect(through(`${url}/client/v4`, proxies).send(made)).rejects.toMatchObject({
        code: 'unreachable',
        // No request was sent, so the credentials were not forwarded.
        message: expect.stringMatching(
          /^Cannot reach \S+: Hostname\/IP does not match certificate's altnames/,
        ),
      });
  }
});

test.each([
  [{ token: 't' }, { authorization: 'Bearer t' }],
  [
    { email: 'a@b', apiKey: 'k' },
    { 'x-auth-email': 'a@b', 'x-auth-key': 'k' },
  ],
  [{ sign: ({ path }: Call) => ({ 'x-signed': path }), secret: 's' }, { 'x-signed': '/x?y' }],
])('signs a call with %j', async (auth, headers) => {
  const seen: IncomingMessage[] = [];
  const closed: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.end('{}');
  });
  server.on('connection', (socket) => socket.once('close', () => closed.push(socket)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  leave.push(() => server.close());
  const apiBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote = openRemote({ apiBaseUrl, auth, userAgent: 'edgectl/test', env: {} });
  for (const method of ['GET', 'DELETE'] as const)
    await readBody((await remote.send(call({ path: '/x?y', method }))).body);
  for (const { headers: found } of seen) {
    expect(found).toMatchObject(headers);
    const others = ['authorization', 'x-auth-email', 'x-auth-key'].filter((name) => !(name in headers));
    for (const name of others) expect(found).not.toHaveProperty(name);
  }
  // Both requests use one connection, which is released as soon as no more data is needed.
  expect([seen.length, new Set(seen.map(({ socket }) => socket)).size, closed.length]).toEqual([2, 1, 0]);
  remote.close();
  await expect.poll(() => closed.length).toBe(1);
});

test('joins a header that is sent several times, and converts a date in Retry-After to seconds', async () => {
  const { remote } = await serve(
    (_, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader('retry-after', 'Sun, 06 Nov 1994 08:49:37 GMT');
      response.setHeader('last-modified', 'Sun, 06 Nov 1994 08:49:37 GMT');
      response.writeHead(429).end();
    },
    () => Date.UTC(1994, 10, 6, 8, 49, 30),
  );
  expect((await remote.send(call())).headers).toMatchObject({
    'set-cookie': 'a=1, b=2',
    'retry-after': '7',
    'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT',
  });
});

test.each([
  ['http', 'http://127.0.0.1:1', '127.0.0.1:1'],
  ['http', 'https://me:hidden@127.0.0.1:1/', '127.0.0.1:1'],
])('names an unreachable proxy for lower-case %s: %s', async (scheme, url, host) => {
  const sent = through(`${scheme}://platform.invalid/client/v4`, { [`${scheme}_proxy`]: url }).send(call());
  await expect(sent).rejects.toMatchObject({
    message: `Cannot reach platform.invalid: the connection was refused by the proxy ${host} (${scheme}_proxy).`,
    remedy: { kind: 'check-network' },
  });
});

test('advises checking the sandbox if the sandbox refuses a connection', async () => {
  for (const host of ['127.0.0.1:1', 'localhost:1', '[::1]:1'])
    await expect(through(`http://${host}/client/v4`, {}).send(call())).rejects.toMatchObject({
      remedy: { kind: 'look-at-sandbox' },
    });
  // RFC 2606: this name never resolves.
  await expect(through('http://platform.invalid/client/v4', {}).send(call())).rejects.toMatchObject({
    message: 'Cannot reach platform.invalid: the name could not be resolved.',
    remedy: { kind: 'check-network' },
  });
});

test('reports a port without TLS, without a source line of OpenSSL', async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const remote = openRemote({
    apiBaseUrl: `https://127.0.0.1:${port}/client/v4`,
    auth: { token: 'secret' },
    userAgent: 'edgectl/test',
    env: {},
  });
  leave.push(() => server.close(), remote.close);
  await expect(remote.send(call())).rejects.toMatchObject({
    code: 'unreachable',
    message: `Cannot reach 127.0.0.1:${port}: the port does not use TLS (https).`,
  });
});
