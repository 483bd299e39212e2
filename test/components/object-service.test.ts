import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectsOver } from '../../components/object-service.ts';
import type { Session } from '../../src/services/session.ts';
import type { Answer } from '../../src/v4/send.ts';
import { openPlatform, stockDemo } from './open-objects.tsx';

const address = { bucket: 'assets', key: 'hello.txt' };
const never = new AbortController().signal;
const quiet = { signal: never, progress: () => undefined };

async function openService(change: (session: Session) => Session = (session) => session) {
  const platform = await openPlatform();
  await stockDemo(platform);
  return { platform, service: objectsOver(change(platform.session)) };
}

test('reads the beginning of an object, all of a short one, nothing of an empty one, and misses none that is there', async () => {
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

test('stops reading where a platform answers a range with all of the bytes', async () => {
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

test('stores a file under the type that its name or the key stands for, unless one is given', async () => {
  const { platform, service } = await openService();
  platform.write('a.css', 'a{}');
  platform.write('plain', 'x');
  const typeOf = async (path: string, key: string, type?: string) =>
    (await service.upload(path, { bucket: 'assets', key }, type, quiet))?.httpMetadata.contentType;
  expect(await typeOf('a.css', 'k')).toBe('text/css');
  expect(await typeOf('plain', 'k.json')).toBe('application/json');
  expect(await typeOf('plain', 'k')).toBe('application/octet-stream');
  expect(await typeOf('a.css', 'k', 'text/x-own')).toBe('text/x-own');
});

test('replaces a file only when it may, makes missing folders, and refuses a folder', async () => {
  const { platform, service } = await openService();
  const file = join(platform.folder, 'new', 'hello.txt');
  expect(await service.download(address, 'new/hello.txt', false, quiet)).toEqual({ bytes: 23 });
  writeFileSync(file, 'mine');
  expect(await service.download(address, 'new/hello.txt', false, quiet)).toBe('exists');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await service.download(address, 'new/hello.txt', true, quiet);
  expect(readFileSync(file, 'utf8')).toContain('hello there');
  mkdirSync(join(platform.folder, 'folder'));
  await expect(service.download(address, 'folder', true, quiet)).rejects.toThrow('is a folder');
});

test('leaves the file as it was, and no other one, when a download is stopped or its object is missing', async () => {
  const { platform, service } = await openService();
  platform.write('hello.txt', 'mine');
  const stop = new AbortController();
  const under = { signal: stop.signal, progress: () => stop.abort() };
  await platform.put('assets', 'long', Buffer.alloc(1_000_000));
  const long = { bucket: 'assets', key: 'long' };
  await expect(service.download(long, 'hello.txt', true, under)).rejects.toThrow();
  const missing = { bucket: 'assets', key: 'missing' };
  await expect(service.download(missing, 'hello.txt', true, quiet)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(readFileSync(join(platform.folder, 'hello.txt'), 'utf8')).toBe('mine');
  expect(readdirSync(platform.folder)).toEqual(['hello.txt']);
});

test('deletes a bucket with all that is in it, and tells how far it is', async () => {
  const { service } = await openService();
  const told: string[] = [];
  const progress = ({ phase, done, total }: { phase: string; done: number; total?: number | undefined }) =>
    told.push(`${phase} ${done}/${total}`);
  await service.deleteBucket('assets', { signal: never, progress });
  expect(told).toEqual(['deleting 6/6']);
  const left: string[] = [];
  for await (const page of service.listBuckets(never)) left.push(...page.map(({ name }) => name));
  expect(left).toEqual(['backups']);
});

test('asks nothing more once it is stopped', async () => {
  const { service } = await openService();
  await expect(service.count('assets', '', AbortSignal.abort())).rejects.toThrow();
});
