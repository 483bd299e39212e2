import { expect, test } from 'vitest';
import {
  findView,
  noMemory,
  withAction,
  withBookmark,
  withRecent,
  withView,
} from '../../../src/model/places/memory.ts';

const links = (count: number) => Array.from({ length: count }, (_, at) => `kv/n${at}`);

test('keeps the most recent locations without duplicates, and drops the oldest location', () => {
  const after = links(40).reduce(withRecent, noMemory);
  expect(after.recents).toHaveLength(30);
  expect(after.recents[0]).toBe('kv/n39');
  expect(withRecent(after, 'kv/n35').recents.slice(0, 2)).toEqual(['kv/n35', 'kv/n39']);
  expect(withRecent(after, 'kv/n39')).toBe(after);
  expect(withRecent(after, 'x'.repeat(3000))).toBe(after);
});

test('keeps the most recent actions without duplicates, and drops the oldest action', () => {
  const after = links(40).reduce(withAction, noMemory);
  expect(after.actions).toHaveLength(30);
  expect(withAction(after, 'kv/n35').actions?.slice(0, 2)).toEqual(['kv/n35', 'kv/n39']);
});

test('keeps bookmarks until they are removed', () => {
  const saved = withBookmark(withBookmark(noMemory, 'kv/a', true), 'kv/b', true);
  expect(saved.bookmarks).toEqual(['kv/b', 'kv/a']);
  expect(withBookmark(saved, 'kv/b', false).bookmarks).toEqual(['kv/a']);
  expect(
    links(150).reduce((memory, link) => withBookmark(memory, link, true), noMemory).bookmarks,
  ).toHaveLength(100);
});

test('saves the filter and sort order of a list, unless they are the default', () => {
  const saved = withView(noMemory, 'kv', { contains: 'ses', sort: '-TITLE' });
  expect(findView(saved, 'kv')).toEqual({ contains: 'ses', sort: '-TITLE' });
  expect(withView(saved, 'kv', {}).views).toEqual([]);
  expect(withView(saved, 'kv', { contains: 'x'.repeat(3000) }).views).toEqual([]);
  const many = links(250).reduce((memory, link) => withView(memory, link, { contains: 'a' }), noMemory);
  expect(many.views).toHaveLength(200);
});
