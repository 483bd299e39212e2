// The command promises that the destination then has the same content as the source, and that no data is lost except the named data. Sizes
// are compared first, then MD5 checksums: according to the provider's documentation, the etag of an object stored in one piece is its MD5.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import { listAll } from '../../../src/services/objects/download.ts';
import { readObjectEntry, writeObject } from '../../../src/services/objects/objects.ts';
import { openSync } from '../../../src/services/objects/sync.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const reporter = { progress: () => undefined, warn: () => undefined };
let session: Session;
let made = 0;
beforeAll(async () => {
  session = await openSession(testWorld(), { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
});
afterAll(() => session.close());

/** Creates a folder with files, and a bucket with objects inside and outside of `www/`. */
async function sidesWith(files: Record<string, string>, objects: Record<string, string>) {
  made += 1;
  const bucket = `assets-${made}`;
  await createBucket(session, bucket);
  const folder = join(scratchFolder('sync'), 'site');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const [key, text] of Object.entries({ ...objects, wwwx: 'beside' })) {
    async function* open() {
      yield Buffer.from(text);
    }
    await writeObject(session, { bucket, key }, { size: text.length, open });
  }
  return { folder, folderName: 'site', bucket, prefix: 'www/' };
}

type Sides = Awaited<ReturnType<typeof sidesWith>>;
const syncOf = (sides: Sides, direction: 'upload' | 'download') =>
  openSync(session, sides, direction, ({ name }) => ({ customMetadata: { from: name } }), reporter);
const keysIn = async ({ bucket }: Sides) =>
  (await listAll(session, bucket, '')).map(({ key, size }) => `${key} ${size}`);

test('uploads new and changed files; --delete removes objects that only the bucket has', async () => {
  const sides = await sidesWith(
    { 'same.txt': 'same', 'other.txt': 'mine', 'longer.txt': 'longer', 'css/new.css': 'a{}' },
    {
      'www/same.txt': 'same',
      'www/other.txt': 'ours',
      'www/longer.txt': 'long',
      'www/old.txt': 'old!!',
      'www/': '',
    },
  );
  const sync = await syncOf(sides, 'upload');
  expect(sync.steps).toEqual([
    { action: 'upload', name: 'css/new.css', size: 3, why: 'new' },
    { action: 'upload', name: 'longer.txt', size: 6, why: 'changed' },
    { action: 'upload', name: 'other.txt', size: 4, why: 'changed' },
    { action: 'delete', name: 'old.txt', size: 5, why: 'extra', etag: expect.any(String) },
  ]);
  expect(sync).toMatchObject({ same: 1, failures: [], leftOut: [] });
  expect(await sync.transfer(reporter)).toMatchObject({ failures: [] });
  const after = [
    'www/ 0',
    'www/css/new.css 3',
    'www/longer.txt 6',
    'www/old.txt 5',
    'www/other.txt 4',
    'www/same.txt 4',
    'wwwx 6',
  ];
  expect(await keysIn(sides)).toEqual(after);
  expect(await readObjectEntry(session, { bucket: sides.bucket, key: 'www/css/new.css' })).toMatchObject({
    customMetadata: { from: 'css/new.css' },
  });
  await sync.removeExtra();
  expect(await keysIn(sides)).toEqual(after.filter((key) => key !== 'www/old.txt 5'));
  const again = await syncOf(sides, 'upload');
  expect(again).toMatchObject({ steps: [], same: 4 });
});

test('downloads new and changed objects; --delete removes files that only the folder has', async () => {
  const sides = await sidesWith(
    { 'same.txt': 'same', 'other.txt': 'mine', 'extra/mine.txt': 'only here' },
    {
      'www/same.txt': 'same',
      'www/other.txt': 'ours',
      'www/css/new.css': 'a{}',
      'www/': '',
      'www/css/': '',
      'www/../up': 'no',
    },
  );
  const sync = await syncOf(sides, 'download');
  expect(sync.steps).toEqual([
    { action: 'download', name: 'css/new.css', size: 3, why: 'new' },
    { action: 'download', name: 'other.txt', size: 4, why: 'changed' },
    { action: 'delete', name: 'extra/mine.txt', size: 9, why: 'extra', modified: expect.any(String) },
  ]);
  expect(sync.same).toBe(1);
  expect(sync.leftOut).toEqual([
    { name: '', why: 'it is a folder marker' },
    { name: 'css/', why: 'it is a folder marker' },
  ]);
  expect(sync.failures).toMatchObject([{ name: 'www/../up', problem: { code: 'invalid-input' } }]);
  await sync.transfer(reporter);
  const read = (name: string) => readFileSync(join(sides.folder, name), 'utf8');
  expect(['same.txt', 'other.txt', 'css/new.css', 'extra/mine.txt'].map(read)).toEqual([
    'same',
    'ours',
    'a{}',
    'only here',
  ]);
  await sync.removeExtra();
  await sync.removeExtra();
  expect(existsSync(join(sides.folder, 'extra/mine.txt'))).toBe(false);
  expect(readdirSync(sides.folder).sort()).toEqual(['css', 'extra', 'other.txt', 'same.txt']);
  expect(await syncOf(sides, 'download')).toMatchObject({ steps: [], same: 3 });
});

test('accepts a missing folder as the destination of a download, but not as the source of an upload', async () => {
  const sides = await sidesWith({}, { 'www/a': 'a' });
  await expect(syncOf(sides, 'upload')).rejects.toMatchObject({ code: 'invalid-input' });
  const sync = await syncOf(sides, 'download');
  expect(sync).toMatchObject({ steps: [{ action: 'download', name: 'a' }], leftOut: [], failures: [] });
  await sync.transfer(reporter);
  expect(readdirSync(sides.folder)).toEqual(['a']);
  writeFileSync(join(sides.folder, '..', 'file'), '');
  const atFile = { ...sides, folder: join(sides.folder, '..', 'file') };
  await expect(syncOf(atFile, 'download')).rejects.toMatchObject({ code: 'invalid-input' });
});

test('follows no link in a sync, and neither replaces nor deletes objects and files with the name of a link', async () => {
  const objects = { 'www/link': 'theirs', 'www/second': 'theirs', 'www/a': 'a' };
  const sides = await sidesWith({ a: 'a', target: 'mine' }, objects);
  symlinkSync('target', join(sides.folder, 'link'));
  symlinkSync('target', join(sides.folder, 'second'));
  symlinkSync('target', join(sides.folder, 'other'));
  const up = await syncOf(sides, 'upload');
  expect(up).toMatchObject({ steps: [{ action: 'upload', name: 'target' }], same: 1, failures: [] });
  expect(up.leftOut).toEqual([
    { name: 'link', why: 'it is a link' },
    { name: 'other', why: 'it is a link' },
    { name: 'second', why: 'it is a link' },
  ]);
  const down = await syncOf(sides, 'download');
  expect(down).toMatchObject({ steps: [{ action: 'delete', name: 'target' }], same: 1 });
  expect(down.leftOut).toEqual([{ name: 'other', why: 'it is a link' }]);
  expect(down.failures).toMatchObject([
    {
      name: 'www/link',
      problem: {
        code: 'invalid-input',
        message: 'link is a link or a device on this machine, not a file; it was skipped.',
        hint: 'Rename the link or device, then sync again.',
      },
    },
    { name: 'www/second' },
  ]);
});

test('syncs an entire bucket, without a prefix', async () => {
  const sides = { ...(await sidesWith({ a: 'a' }, { a: 'a' })), prefix: '' };
  expect(await syncOf(sides, 'upload')).toMatchObject({
    steps: [{ action: 'delete', name: 'wwwx', size: 6, why: 'extra' }],
    same: 1,
  });
});
