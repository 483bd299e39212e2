import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen, stopServer } from '../../../src/sandbox/http/listen.ts';

test('answers a request to an address other than 127.0.0.1 even if the server stops before the request ends', async () => {
  const gate = Promise.withResolvers<void>();
  const events: string[] = [];
  const server = createServer((_, response) => {
    response.once('finish', () => events.push('answered'));
    gate.promise.then(() => response.end('late'));
  });
  const port = await listen(server, { port: 0, address: '127.0.0.2', of: 'api' });
  const socket = connect(port, '127.0.0.2');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(server, 'request');
  server.once('close', gate.resolve);
  await stopServer(server, 3000);
  events.push('stopped');
  expect(events).toEqual(['answered', 'stopped']);
  expect(String(Buffer.concat(await socket.toArray()))).toMatch(/late$/);
});
