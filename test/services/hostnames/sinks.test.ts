import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FleetEvent } from '../../../src/model/hostnames/fleet/events.ts';
import { makeCertificate, trustedRoots } from '../../../src/sandbox/hostnames/certificates.ts';
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

test('a program that takes no notice of a request to end is ended', async () => {
  const script = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);`;
  const sink = programSink(testWorld(), [process.execPath, '-e', script], 1000);
  await expect(sink.deliver(event)).rejects.toThrow('SIGKILL');
});

test('an answer that never ends counts as given once it has taken too long', async () => {
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

test('a webhook over HTTPS goes through the proxy, and trusts the authorities of NODE_EXTRA_CA_CERTS', async () => {
  const { port, roots, got } = await receiverOverTls('hooks.acme.example');
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    asked.push(String(request.url));
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    const far = connect(port, '127.0.0.1');
    // Either side may go first, with the other's last bytes on the way.
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

/** A receiver with a certificate of an authority of its own. */
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
