import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerSandbox, type WorkerSandbox } from './test-sandbox.ts';

// "With --listen, only origins named at start are accepted": a token with permission to deploy a worker must not bypass this rule.

/** A server that listens only on loopback, and records the received requests. */
let machine: Server;
let port: number;
const hits: string[] = [];
let place: WorkerSandbox;

beforeAll(async () => {
  machine = createServer((request, response) => {
    hits.push(`${request.headers.host}${request.url}`);
    response.end('of this machine');
  });
  machine.on('upgrade', (request, socket) => {
    hits.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
  port = (machine.address() as AddressInfo).port;
  place = await openWorkerSandbox('over a socket', {
    origins: { ports: { 'app.saas.sandbox': port }, only: true },
  });
});
afterAll(async () => {
  await place.close();
  machine.close();
});

const source = `import { connect } from 'cloudflare:sockets';
const tried = async (what) => what().then((text) => ({ text }), (error) => ({ error: error.message }));
export default { async fetch(request) {
  const { urls, headers, tcp } = await request.json();
  const tries = {};
  for (const url of urls) tries[url] = await tried(async () => (await fetch(url, { headers })).text());
  if (tcp !== undefined) tries.tcp = await tried(async () => {
    const socket = connect(tcp);
    await socket.writable.getWriter().write(new TextEncoder().encode('GET /tcp HTTP/1.0\\r\\n\\r\\n'));
    return new Response(socket.readable).text();
  });
  return Response.json(tries);
} }`;

type Tries = Record<string, { readonly text?: string; readonly error?: string }>;

async function tries(given: {
  urls: string[];
  headers?: Record<string, string>;
  tcp?: string;
}): Promise<Tries> {
  const visited = await place.visit('prober', '/', { method: 'POST', body: JSON.stringify(given) });
  return JSON.parse(visited.text) as Tries;
}

test('a worker of a sandbox with --listen can fetch from named origins, and from no other port of this machine', async () => {
  await place.deploy('prober', { 'index.js': source });
  const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'];
  const urls = [
    ...hosts.map((host) => `http://${host}:${port}/`),
    'http://10.0.0.1/',
    'http://169.254.169.254/',
  ];
  const refused = await tries({ urls, tcp: `127.0.0.1:${port}` });
  expect(Object.keys(refused)).toHaveLength(urls.length + 1);
  for (const one of Object.values(refused)) expect(one).toEqual({ error: expect.any(String) });
  expect(refused[urls[0] as string]?.error).toMatch(
    /can only reach public addresses and the origins specified when it was started/,
  );
  const upgraded = await tries({ urls: [`http://127.0.0.1:${port}/`], headers: { upgrade: 'websocket' } });
  expect(Object.values(upgraded)).toEqual([{ error: expect.any(String) }]);
  const otherPort = await tries({ urls: [`http://app.saas.sandbox:${port}/`] });
  expect(Object.values(otherPort)).toEqual([{ error: expect.any(String) }]);
  expect(hits).toEqual([]);
  const named = await tries({ urls: ['http://app.saas.sandbox/page', 'https://app.saas.sandbox/tls'] });
  expect(Object.values(named)).toEqual([{ text: 'of this machine' }, { text: 'of this machine' }]);
  expect(hits).toEqual(['app.saas.sandbox/page', 'app.saas.sandbox/tls']);
});
