import { expect, test } from 'vitest';
import { canBeEmbedded, formatPlaceName, isSamePlace, type Where } from '../../src/model/where.ts';

const baseUrl = 'https://api.acme.invalid/client/v4';
const remote = (profile?: string): Where => ({ kind: 'remote', profile, baseUrl });

test('treats a profile named like a kind of target as a profile', () => {
  for (const name of ['local', 'environment']) {
    expect(formatPlaceName(remote(name))).toBe(name);
    expect(canBeEmbedded(remote(name))).toBe(false);
  }
  expect(isSamePlace(remote('local'), { kind: 'local', folder: '/data' })).toBe(false);
  expect(isSamePlace(remote('environment'), remote())).toBe(false);
});

test('treats two folders as two targets, and a folder with and without a server as one target', () => {
  const served = { baseUrl: 'http://127.0.0.1:8787/client/v4' };
  for (const kind of ['sandbox', 'local'] as const) {
    expect(isSamePlace({ kind, folder: '/a' }, { kind, folder: '/b' })).toBe(false);
    expect(isSamePlace({ kind, folder: '/a' }, { kind, folder: '/a', ...served })).toBe(true);
  }
  expect(isSamePlace({ kind: 'sandbox', folder: '/a' }, { kind: 'local', folder: '/a' })).toBe(false);
});

test('reports that a sandbox or a server on this machine can be embedded, and a remote platform cannot', () => {
  expect(canBeEmbedded({ kind: 'sandbox', folder: '/a' })).toBe(true);
  expect(canBeEmbedded({ kind: 'remote', baseUrl: 'http://127.0.0.1:8787/client/v4' })).toBe(true);
  expect(canBeEmbedded(remote())).toBe(false);
});
