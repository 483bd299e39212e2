import { expect, test } from 'vitest';
import { isSameWhere, mayBeEmbedded, type Where, whereName } from '../../src/model/where.ts';

const baseUrl = 'https://api.acme.invalid/client/v4';
const remote = (profile?: string): Where => ({ kind: 'remote', profile, baseUrl });

test('a profile named like a kind of place is still a profile', () => {
  for (const name of ['local', 'environment']) {
    expect(whereName(remote(name))).toBe(name);
    expect(mayBeEmbedded(remote(name))).toBe(false);
  }
  expect(isSameWhere(remote('local'), { kind: 'local', folder: '/data' })).toBe(false);
  expect(isSameWhere(remote('environment'), remote())).toBe(false);
});

test('two folders are two places, and a folder is the same place with and without a server', () => {
  const served = { baseUrl: 'http://127.0.0.1:8787/client/v4' };
  for (const kind of ['sandbox', 'local'] as const) {
    expect(isSameWhere({ kind, folder: '/a' }, { kind, folder: '/b' })).toBe(false);
    expect(isSameWhere({ kind, folder: '/a' }, { kind, folder: '/a', ...served })).toBe(true);
  }
  expect(isSameWhere({ kind: 'sandbox', folder: '/a' }, { kind: 'local', folder: '/a' })).toBe(false);
});

test('an embedded platform answers in this process or on this machine', () => {
  expect(mayBeEmbedded({ kind: 'sandbox', folder: '/a' })).toBe(true);
  expect(mayBeEmbedded({ kind: 'remote', baseUrl: 'http://127.0.0.1:8787/client/v4' })).toBe(true);
  expect(mayBeEmbedded(remote())).toBe(false);
});
