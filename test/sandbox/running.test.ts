import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRunning, holdFolder } from '../../src/sandbox/running.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'edgectl-running-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const world = { pid: process.pid, now: () => 1_800_000_000_000, random: randomBytes };
const server = { port: 4321, apiBaseUrl: 'http://127.0.0.1:4321/client/v4' };

test('an announced server is found until it gives the folder free', () => {
  const hold = holdFolder(folder, world);
  expect(findRunning(folder)).toBeUndefined();
  hold.announce(server);
  expect(findRunning(folder)).toMatchObject({ pid: process.pid, apiBaseUrl: server.apiBaseUrl });
  hold.release();
  expect(findRunning(folder)).toBeUndefined();
});

test('a folder that is served cannot be held, and the refusal names the process', () => {
  const first = holdFolder(folder, world);
  first.announce(server);
  const refusal = { code: 'store-busy', message: expect.stringContaining(String(process.pid)) };
  expect(() => holdFolder(folder, world)).toThrow(expect.objectContaining(refusal));
  first.release();
  expect(() => holdFolder(folder, world)).not.toThrow();
});

test('of two that start at once only the first is announced, and the other leaves it alone', () => {
  const [first, second] = [holdFolder(folder, world), holdFolder(folder, world)];
  first.announce(server);
  expect(() =>
    second.announce({ ...server, port: 1234, apiBaseUrl: 'http://127.0.0.1:1234/client/v4' }),
  ).toThrow(expect.objectContaining({ code: 'store-busy' }));
  second.release();
  expect(findRunning(folder)?.apiBaseUrl).toBe(server.apiBaseUrl);
  first.release();
});
