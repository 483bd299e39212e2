import { expect, it } from 'vitest';
import { nearest } from '../../src/text/nearest.ts';

it.each([
  ['pdf', ['text', 'md', 'json', 'html'], undefined],
  ['jsn', ['text', 'md', 'json', 'html'], 'json'],
  ['gte', ['get', 'put'], 'get'],
  ['out', ['output', 'json'], 'output'],
  ['lsit', ['list', 'get'], 'list'],
  ['k', ['kv', 'undo'], 'kv'],
  ['1.4', ['1.0', '1.1', '1.2', '1.3'], undefined],
  ['hostnmae', ['hostname', 'zone'], 'hostname'],
])('suggests for %j from the names %j: %j', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
