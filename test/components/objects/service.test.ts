import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectService } from '../../../src/services/console/objects.ts';
import type { Session } from '../../../src/services/session/session.ts';
import type { Answer } from '../../../src/v4/send.ts';
import { openPlatform, stockDemo } from '../open-objects.tsx';

const address = { bucket: 'assets', key: 'hello.txt' };
const never = new AbortController().signal;

async function openService(change: (session: Session) => Session = (session) => session) {
  const platform = await openPlatform();
  await stockDemo(platform);
  return { platform, service: objectService(change(platform.session)) };
}

test('reads the beginning of an object, all of a short object, and nothing of an empty object', async () => {
  const { service } = await openService();
  const head = async (key: string, length: number) => {
    const bytes = await service.readHead({ bucket: 'assets', key }, length, never);
    return bytes && Buffer.from(bytes).toString();
  };
  expect(await head('hello.txt', 5)).toBe('hello');
  expect(await head('docs/a.txt', 5000)).toBe('docs');
  expect(await head('zero', 5)).toBe('');
  expect(await head('missing', 5)).toBeUndefined();
});

test('stops reading if a platform answers a range request with all bytes', async () => {
  let given = 0;
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        given += 1000;
        yield Buffer.alloc(1000, 'x');
      }
    } finally {
      ended = true;
    }
  }
  const answer: Answer = { status: 200, headers: {}, body: endless() };
  const { service } = await openService((session) => ({ ...session, send: async () => answer }));
  expect(await service.readHead(address, 2500, never)).toHaveLength(2500);
  expect({ given, ended }).toEqual({ given: 3000, ended: true });
});

test('distinguishes a file to upload from a folder, and rejects special files and files that are too long', async () => {
  const { platform, service } = await openService();
  platform.write('site/a.css', 'a{}');
  const check = (name: string) => service.checkSource(join(platform.folder, name), name);
  expect(await check('site/a.css')).toBe('file');
  expect(await check('site')).toBe('folder');
  await expect(check('missing')).rejects.toThrow('File not found: missing.');
  await expect(service.checkSource('/dev/null', '/dev/null')).rejects.toThrow('not a regular file');
  platform.write('huge', '');
  truncateSync(join(platform.folder, 'huge'), 5 * 1024 ** 4 + 1);
  await expect(check('huge')).rejects.toThrow('an object can be at most');
});

test('sends no requests after the service was stopped', async () => {
  const { service } = await openService();
  await expect(service.count('assets', '', AbortSignal.abort())).rejects.toThrow();
});
