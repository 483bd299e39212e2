import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { FleetEvent } from '../../../src/model/hostnames/fleet/events.ts';
import { programSink, webhookSink } from '../../../src/services/hostnames/fleet/sinks.ts';
import { testWorld } from '../../support/world.ts';

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
