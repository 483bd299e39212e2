import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketNameFault } from '../../../src/model/objects/bucket.ts';
import { evaluate } from '../../../src/model/objects/condition.ts';
import {
  customMetadataFault,
  objectKeyFault,
  parseAddress,
  parseObjectAddress,
} from '../../../src/model/objects/object.ts';
import { pathFault, planPaths } from '../../../src/model/objects/path.ts';
import { parseRange } from '../../../src/model/objects/range.ts';
import { planSync } from '../../../src/model/objects/sync.ts';

describe('a bucket name', () => {
  it.each(['abc', 'a-b', '0-9', 'x'.repeat(63)])('a bucket name can be %s', (name) => {
    expect(bucketNameFault(name)).toBeUndefined();
  });

  it.each(['', 'ab', 'x'.repeat(64), 'a_b', 'A-b', '-ab', 'ab-', 'a b', 'a.b', 'größe', 'abc\n'])(
    'a bucket name cannot be %j',
    (name) => {
      expect(bucketNameFault(name)).toMatch(/^(?:it must|only) /);
    },
  );
});

describe('an object key', () => {
  it.each(['a', 'a/../b', '/a', 'a//', '...', ' ', '\0', 'ü'.repeat(512)])(
    'an object key can be %.20j',
    (key) => {
      expect(objectKeyFault(key)).toBeUndefined();
    },
  );

  it.each([
    ['', 'cannot be empty'],
    ['.', 'another path'],
    ['..', 'another path'],
    ['\ud800', 'surrogate'],
    [`${'ü'.repeat(512)}x`, '1,025'],
  ])('an object key cannot be %.20j', (key, words) => {
    expect(objectKeyFault(key)).toContain(words);
  });

  it('an object key in an address is everything after the first slash', () => {
    expect(parseAddress('assets/a//b/../c')).toEqual({ bucket: 'assets', key: 'a//b/../c' });
    expect(parseAddress('assets')).toEqual({ bucket: 'assets', key: '' });
    expect(parseObjectAddress('assets//a')).toEqual({ bucket: 'assets', key: '/a' });
    for (const text of ['', '/a', '.', '../a'])
      expect(() => parseAddress(text)).toThrow('has no bucket name');
    for (const text of ['assets', 'assets/']) expect(() => parseObjectAddress(text)).toThrow('No key');
    expect(() => parseObjectAddress('assets/..')).toThrow('another path');
  });
});

describe('custom metadata', () => {
  it.each([
    [{}, undefined],
    [{ größe: 'XL', empty: '' }, undefined],
    [{ a: 'x'.repeat(8191) }, undefined],
    [{ a: 'x'.repeat(8192) }, '8,193'],
    [{ a: 1 }, '"a" in custom metadata must be'],
    [{ '': 'x' }, 'cannot be empty'],
    [['a'], 'a JSON object'],
    [null, 'a JSON object'],
    ['text', 'a JSON object'],
  ])('custom metadata is checked: %.40j', (metadata, words) => {
    const fault = customMetadataFault(metadata);
    if (words === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(words);
  });
});

describe('a range', () => {
  it.each([undefined, '', 'bytes', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1-2,4-5', 'items=1-2'])(
    '%s requests the complete object',
    (header) => {
      expect(parseRange(header, 10)).toBeUndefined();
    },
  );
});

describe('conditions', () => {
  const object = { etag: 'abc', uploaded: 1_000_500 };
  const at = (seconds: number) => new Date(seconds * 1000).toUTCString();
  it.each([
    [{}, 'go on'],
    [{ ifMatch: '*' }, 'go on'],
    [{ ifMatch: '"x", "abc"' }, 'go on'],
    [{ ifMatch: 'abc' }, 'go on'],
    [{ ifMatch: '"abcd"' }, 'failed'],
    [{ ifMatch: '"abc"', ifUnmodifiedSince: at(1) }, 'go on'],
    [{ ifNoneMatch: '*' }, 'unchanged'],
    [{ ifNoneMatch: 'W/"abc"' }, 'unchanged'],
    [{ ifNoneMatch: '"x"', ifModifiedSince: at(2000) }, 'go on'],
    [{ ifModifiedSince: at(1000) }, 'unchanged'],
    [{ ifModifiedSince: at(999) }, 'go on'],
    [{ ifModifiedSince: 'not a date' }, 'go on'],
    [{ ifUnmodifiedSince: at(1000) }, 'go on'],
    [{ ifUnmodifiedSince: at(999) }, 'failed'],
  ])('the condition %j on an existing object: %s', (conditions, outcome) => {
    expect(evaluate(conditions, object)).toBe(outcome);
  });

  it.each([
    [{}, 'go on'],
    [{ ifMatch: '*' }, 'failed'],
    [{ ifNoneMatch: '*' }, 'go on'],
    [{ ifModifiedSince: at(1) }, 'go on'],
    [{ ifUnmodifiedSince: at(1) }, 'go on'],
  ])('the condition %j on a missing object: %s', (conditions, outcome) => {
    expect(evaluate(conditions, undefined)).toBe(outcome);
  });
});

describe('a key as a path', () => {
  it.each(['a', 'a/b.txt', '...', 'a..b', '.hidden', 'console', 'nul-l', 'com', 'x'.repeat(255)])(
    'accepts the key %.20s as a path',
    (key) => {
      expect(pathFault(key, false)).toBeUndefined();
    },
  );

  it.each([
    ['/etc/passwd', 'absolute'],
    ['../x', 'is not allowed'],
    ['a/../../x', 'is not allowed'],
    ['a/./b', 'is not allowed'],
    ['a//b', 'empty'],
    ['a/', 'ends in a slash'],
    ['', 'empty'],
    ['a\nb', 'control character'],
    ['a\0', 'control character'],
    ['NUL', 'device'],
    ['a/con.txt', 'device'],
    ['lpt1', 'device'],
    [`${'ü'.repeat(128)}`, '255 bytes'],
  ])('rejects the key %.20j as a path', (key, words) => {
    expect(pathFault(key, false)).toContain(words);
  });

  it('rejects a key with a backslash only on Windows, where a backslash separates folders', () => {
    expect(pathFault('a\\..\\b', false)).toBeUndefined();
    expect(pathFault('a\\..\\b', true)).toContain('backslash');
  });

  it.each(['a:b', 'what?', 'trailing.', 'trailing '])('rejects the key %j only on Windows', (key) => {
    expect(pathFault(key, true)).toContain('Windows');
    expect(pathFault(key, false)).toBeUndefined();
  });

  it('never leaves the folder, regardless of the key', () => {
    const hostile = fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', '\0', ':') });
    fc.assert(
      fc.property(hostile, (key) => {
        if (pathFault(key, false) !== undefined) return;
        expect(posix.resolve('/folder', key).startsWith('/folder/')).toBe(true);
        if (pathFault(key, true) !== undefined) return;
        expect(win32.resolve('C:\\folder', key).startsWith('C:\\folder\\')).toBe(true);
      }),
    );
  });

  it('rejects a key if another key requires a folder of the same name', () => {
    const { planned, faults } = planPaths(['a', 'a/b', 'a/b/c', 'ab'], (key) => key, false);
    expect(planned.map(({ item }) => item)).toEqual(['a/b/c', 'ab']);
    expect(faults.map(({ item }) => item)).toEqual(['a', 'a/b']);
  });
});

it('plans to transfer new and changed items, and lists items that only the destination has', async () => {
  const side = (name: string, size: number) => ({ name, size, changed: 0 });
  const asked: string[] = [];
  const plan = await planSync(
    [side('new', 1), side('resized', 2), side('edited', 3), side('same', 4)],
    [side('resized', 9), side('edited', 3), side('same', 4), side('extra', 5)],
    async ({ name }) => {
      asked.push(name);
      return name === 'same';
    },
  );
  expect(plan.transfers.map(({ item, why }) => [item.name, why])).toEqual([
    ['new', 'new'],
    ['resized', 'changed'],
    ['edited', 'changed'],
  ]);
  expect(plan).toMatchObject({ extra: [{ name: 'extra' }], same: 1 });
  expect(asked).toEqual(['edited', 'same']);
});
