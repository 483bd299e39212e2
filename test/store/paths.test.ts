import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blobIds, blobTime, folderName, isBlobId, kvPaths } from '../../src/store/paths.ts';

it('finds the database that Miniflare has created for a namespace id', () => {
  // The path was observed on disk after `wrangler kv key put --namespace-id test --local`.
  expect(kvPaths('/root', 'test').database).toBe(
    '/root/v3/kv/miniflare-KVNamespaceObject/c7c78e8472e5f2fc5f078a5293b5db9f98beb8c4fae0c01eee0f43819ce88d6b.sqlite',
  );
});

it.each([
  ['0f2ac74b498b48028cb68387c421e279', '0f2ac74b498b48028cb68387c421e279'],
  ['..', '__'],
  ['../../etc/passwd', '______etc_passwd'],
  ['a/./b\\..\\c', 'a___b____c'],
  ['con', '_'],
  ['NUL.txt', '_'],
  ['  x ', '__x_'],
  ['a:b*c?d"e', 'a_b_c_d_e'],
  ['名前', '名前'],
  ['\u0000\u009f', '__'],
  ['   ', '___'],
  [' a  ', '_a__'],
  ['a.', 'a.'],
  ['...', '___'],
  ['a...b', 'a...b'],
  ['com1', '_'],
  ['com', 'com'],
  ['LPT9.tar.gz', '_'],
  ['console', 'console'],
  ['\u001f \u0080', '_ _'],
  ['x'.repeat(256), 'x'.repeat(255)],
])('gives the namespace %j the folder %j', (id, folder) => {
  expect(folderName(id)).toBe(folder);
});

it('never creates a folder whose name points outside the root', () => {
  const hostile = fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ' ', '\0', 'é') });
  fc.assert(
    fc.property(hostile, (id) => {
      const name = folderName(id);
      expect(name).not.toMatch(/[/\\\0]/);
      expect(['.', '..']).not.toContain(name);
    }),
  );
});

it('creates blob ids that contain their time, and recognizes such ids', () => {
  const ids = blobIds(3, (bytes) => new Uint8Array(bytes).fill(7), 1_795_000_000_000);
  expect(ids).toHaveLength(3);
  for (const id of ids) {
    expect(isBlobId(id)).toBe(true);
    expect(blobTime(id)).toBe(1_795_000_000_000);
    expect(blobTime(`.${id}.17.1.tmp`)).toBe(1_795_000_000_000);
  }
  expect(isBlobId(`../${ids[0]}`)).toBe(false);
  expect(blobTime(`.${ids[0]}.17.1.tmp/../x`)).toBeUndefined();
});

it('creates ids with the time in whole milliseconds, and parses no other string as an id', () => {
  const [id = ''] = blobIds(1, (bytes) => new Uint8Array(bytes).fill(0xab), 1_795_000_000_000.9);
  expect(id).toHaveLength(80);
  expect([id.slice(0, 64), blobTime(id)]).toEqual(['ab'.repeat(32), 1_795_000_000_000]);
  for (const other of [id.toUpperCase(), id.slice(1), `${id}0`, `${id}\n`, ''])
    expect([isBlobId(other), blobTime(other)]).toEqual([false, undefined]);
  expect(isBlobId(`.${id}.17.1.tmp`)).toBe(false);
});

it('uses different random bytes for each id', () => {
  let next = 0;
  const ids = blobIds(2, (bytes) => Uint8Array.from({ length: bytes }, () => next++), 0);
  expect(ids.map((id) => Buffer.from(id.slice(0, 64), 'hex')[0])).toEqual([0, 32]);
  expect(ids.map((id) => blobTime(id))).toEqual([0, 0]);
});
