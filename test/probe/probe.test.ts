import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { ifKnown, unknownReason } from '../../src/model/diagnosis/facts.ts';
import { type Probe, pageCode, probeEdge } from '../../src/probe/probe.ts';
import { authority, pair } from './certificates.ts';

const hostname = 'shop.acme.com';
const open: Server[] = [];
const connections = new Set<Socket>();

afterEach(async () => {
  for (const socket of connections) socket.destroy();
  connections.clear();
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function probe(port: number, change: Partial<Probe> = {}) {
  return probeEdge({
    hostname,
    address: '127.0.0.1',
    port,
    secure: false,
    timeout: 3000,
    now: Date.now,
    ...change,
  });
}

const answering = (listener: RequestListener) => listen(createHttp(listener));

describe('a probe over HTTP', () => {
  it('sends the hostname as Host to the given address, and returns status and time', async () => {
    let seen: IncomingMessage | undefined;
    const port = await answering((request, response) => {
      seen = request;
      response.writeHead(200, { server: 'edge' }).end('hello');
    });
    const answer = ifKnown(await probe(port, { path: '/health?x=1' }));
    expect(seen?.headers.host).toBe(hostname);
    expect(seen?.url).toBe('/health?x=1');
    expect(answer).toMatchObject({
      url: `http://${hostname}/health?x=1`,
      address: '127.0.0.1',
      status: 200,
      server: 'edge',
    });
    expect(answer?.milliseconds).toBeGreaterThanOrEqual(0);
    expect(answer).not.toHaveProperty('pageCode');
  });

  it('finds the error number on a page of the platform', async () => {
    const port = await answering((_request, response) => response.writeHead(530).end('error code: 1016'));
    expect(ifKnown(await probe(port))).toMatchObject({ status: 530, pageCode: 1016 });
  });

  it('does not follow a redirect', async () => {
    let requests = 0;
    const port = await answering((_request, response) => {
      requests += 1;
      response.writeHead(301, { location: `http://127.0.0.1:${port}/again` }).end();
    });
    expect(ifKnown(await probe(port))).toMatchObject({
      status: 301,
      location: `http://127.0.0.1:${port}/again`,
    });
    expect(requests).toBe(1);
  });

  it('reads only the beginning of an endless page', async () => {
    const port = await answering((_request, response) => {
      response.writeHead(530);
      response.write('<h1>Error 1016</h1>');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(ifKnown(await probe(port))?.pageCode).toBe(1016);
  });
});

describe('a probe over TLS', () => {
  it("returns the edge's certificate for the name", async () => {
    let name: string | false | null | undefined;
    const server = createHttps(pair, (request, response) => {
      name = (request.socket as TLSSocket).servername;
      response.end('hello');
    });
    const port = await listen(server);
    const answer = ifKnown(await probe(port, { secure: true, authorities: [authority] }));
    expect(name).toBe(hostname);
    expect(answer).toMatchObject({
      url: `https://${hostname}/`,
      status: 200,
      certificate: {
        subject: 'sni.platform.net',
        names: [hostname, `*.${hostname}`],
        issuer: 'Test Authority, Tests',
        serialNumber: '0A0B',
        covers: true,
      },
    });
    expect(answer?.certificate).not.toHaveProperty('distrust');
    expect(answer?.certificate?.validTo).toBeGreaterThan(Date.now());
  });

  it('reports a certificate that is untrusted or for other names, and sends the request anyway', async () => {
    const port = await listen(createHttps(pair, (_request, response) => response.end()));
    const answer = ifKnown(await probe(port, { secure: true, hostname: 'other.com' }));
    expect(answer).toMatchObject({
      status: 200,
      certificate: { subject: 'sni.platform.net', covers: false },
    });
    expect(answer?.certificate?.distrust).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/);
  });

  it('reports a failed handshake', async () => {
    const port = await answering((_request, response) => response.end());
    expect(unknownReason(await probe(port, { secure: true }))).toMatch(/^127\.0\.0\.1:\d+: /);
    const closing = await listen(createTcp((socket) => socket.end()));
    expect(unknownReason(await probe(closing, { secure: true }))).toBeDefined();
  });
});

describe('the result of a probe', () => {
  it('is unknown if no server listens', async () => {
    const server = createTcp();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(unknownReason(await probe(port))).toContain('ECONNREFUSED');
  });

  it.each([true, false])('is unknown if the edge is silent (TLS: %s)', async (secure) => {
    const port = await listen(createTcp((socket) => socket.on('error', () => socket.destroy())));
    expect(unknownReason(await probe(port, { secure, timeout: 80 }))).toContain('no response within 80 ms');
  });

  it('is unknown if the page never ends', async () => {
    const port = await answering((_request, response) => response.writeHead(200).write('x'));
    expect(unknownReason(await probe(port, { timeout: 80 }))).toContain('no response within 80 ms');
  });

  it('is unknown if the answer is not HTTP', async () => {
    const port = await listen(createTcp((socket) => socket.end('SSH-2.0-x\r\n')));
    expect(unknownReason(await probe(port))).toBeDefined();
  });

  it('is unknown if the probe is interrupted', async () => {
    const port = await listen(createTcp((socket) => socket.on('error', () => socket.destroy())));
    const stop = new AbortController();
    const asked = probe(port, { signal: stop.signal, timeout: 60_000 });
    stop.abort();
    expect(unknownReason(await asked)).toContain('interrupted');
    expect(unknownReason(await probe(port, { signal: stop.signal }))).toContain('interrupted');
  });

  it.each([
    [{ hostname: 'shop.acme.com\r\nx: y' }, 'printable ASCII'],
    [{ address: 'edge.saas.com' }, 'is not an IP address'],
  ])('the result of a probe is unknown if the probe cannot be sent: %j', async (change, reason) => {
    expect(unknownReason(await probe(1, change))).toContain(reason);
  });
});

describe('an error page', () => {
  it.each([
    [530, 'error code: 1016', 1016],
    [530, '<title>x</title><h1>Error 1016</h1>', 1016],
    [409, '<span class="cf-error-code">1014</span>', 1014],
    [530, 'Error&nbsp;1016', undefined],
    [200, 'error code: 1016', undefined],
    [500, 'error code: 2016', undefined],
    [404, 'Object Not Found', undefined],
  ])('parses the error number on a page with HTTP %i: %s', (status, body, code) => {
    expect(pageCode(status, body)).toBe(code);
  });
});
