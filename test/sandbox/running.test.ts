import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { announce, findRunning } from '../../src/sandbox/running.ts';
import { scratchFolder } from '../support/world.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolder('running');
});

const world = { pid: process.pid, now: () => 1_800_000_000_000, random: randomBytes };

function servedAt(port: number) {
  return { port, apiBaseUrl: `http://127.0.0.1:${port}/client/v4`, close: async () => undefined };
}

test('an announced server is found until it gives the folder free', () => {
  expect(findRunning(folder)).toBeUndefined();
  const lease = announce(folder, servedAt(4321), world);
  expect(findRunning(folder)).toMatchObject({ pid: process.pid, apiBaseUrl: servedAt(4321).apiBaseUrl });
  lease.release();
  expect(findRunning(folder)).toBeUndefined();
});

test('of two servers on a folder the second is refused, told of the first, and changes nothing', () => {
  const first = announce(folder, servedAt(4321), world);
  const refusal = { code: 'store-busy', message: expect.stringContaining(servedAt(4321).apiBaseUrl) };
  expect(() => announce(folder, servedAt(1234), world)).toThrow(expect.objectContaining(refusal));
  expect(findRunning(folder)?.port).toBe(4321);
  first.release();
});
