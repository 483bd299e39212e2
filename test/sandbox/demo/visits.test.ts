import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { visitDemo } from '../../../src/sandbox/demo/visits.ts';

test('requests paths of the demo worker at its hostname in turn, until it is stopped', async () => {
  const ended = new AbortController();
  const seen: string[] = [];
  const server = createServer(({ headers, url }, response) => {
    seen.push(`${headers.host} ${url}`);
    // The next visit is sent regardless of the worker, even if the worker does not answer.
    if (seen.length === 2) response.destroy();
    else response.writeHead(seen.length === 3 ? 500 : 200).end('x');
    if (seen.length === 9) ended.abort();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  await visitDemo(`http://localhost:${port}`, { sleep }, ended.signal);
  expect(seen.every((one) => one.startsWith('shop-edge.localhost /'))).toBe(true);
  expect(new Set(seen).size).toBe(8);
  expect(seen[8]).toBe(seen[0]);
  expect(new Set(waits)).toEqual(new Set([2500]));
});
