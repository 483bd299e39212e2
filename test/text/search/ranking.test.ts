import { expect, test } from 'vitest';
import { aboutRanges, nameRanges, rankMatches } from '../../../src/text/search/ranking.ts';
import { cost } from '../../fuzz/fuzz.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const find = (search: string, ...names: string[]) =>
  rankMatches(named(...names), search).map(({ name }) => name);

/** Returns a name with the matching letters in brackets. */
function mark(search: string, name: string): string {
  let marked = '';
  let at = 0;
  for (const [from, to] of nameRanges(search, name)) {
    marked += `${name.slice(at, from)}[${name.slice(from, to)}]`;
    at = to;
  }
  return marked + name.slice(at);
}

test('ranks complete names first, then starts of words, initials, parts of words, and letters close together', () => {
  const names = ['load', 'load all', 'pre-load', 'layer of ad', 'upload', 'lozad'];
  expect(find('load', ...names.toReversed()).slice(0, 3)).toEqual(['load', 'load all', 'pre-load']);
  expect(find('fo', 'info', 'set-fallback-origin', 'folder')).toEqual(['folder', 'set-fallback-origin']);
  expect(find('fbo', 'set-fallback-origin', 'info')).toEqual([]);
  expect(find('sesions', 'shop-sessions', 'session', 'sections')).toEqual(['shop-sessions']);
  expect(find('ses', 'shop-sessions', 'stones', 'assessed', 'sees')).toEqual([
    'shop-sessions',
    'assessed',
    'sees',
  ]);
});

test('ranks a complete name before one of its words, the first word before a later word, and a complete word before its beginning', () => {
  expect(find('keys', 'old-keys', 'keyset', 'keys-old', 'keys', 'old-keyset', 'keysets')).toEqual([
    'keys',
    'keys-old',
    'keyset',
    'keysets',
    'old-keys',
    'old-keyset',
  ]);
});

test('lists weak matches only if fewer than three matches are better', () => {
  const strong = named('upload', 'download', 'reload');
  const weak = [{ name: 'sort', about: 'Sort the loaded rows' }];
  expect(rankMatches([...strong, ...weak], 'load')).toHaveLength(3);
  expect(rankMatches([...strong.slice(1), ...weak], 'load').at(-1)).toEqual(weak[0]);
});

test('does not match scattered letters', () => {
  const hosts = ['shop.eu.sandbox.demo', 'secure.cedar-savings.demo', 'docs.lantern.demo'];
  expect(find('ses', ...hosts)).toEqual([]);
  expect(find('ssd', ...hosts)).toEqual([]);
  // One or two letters match only the beginning of a word, because nearly every name contains them.
  expect(find('e', ...hosts)).toEqual(['shop.eu.sandbox.demo']);
  expect(find('ed', ...hosts)).toEqual([]);
});

test('finds words in any order, and matches the location of an entry only together with its name', () => {
  const entries = [
    { name: 'delete', about: 'Delete it with all its keys', context: 'Namespaces' },
    { name: 'delete', about: 'Delete it', context: 'Buckets' },
    { name: 'buckets' },
  ];
  expect(rankMatches(entries, 'bucket delete')).toEqual([entries[1]]);
  expect(rankMatches(entries, 'buckets')).toEqual([entries[2]]);
  expect(rankMatches(entries.slice(0, 2), 'buckets')).toEqual([entries[1]]);
  expect(rankMatches(entries, 'delete nothing')).toEqual([]);
});

test('orders equal matches by age, then distance, then name', () => {
  const entries = [
    { name: 'shop-b', age: Number.POSITIVE_INFINITY, distance: 1 },
    { name: 'shop-a', age: Number.POSITIVE_INFINITY, distance: 1 },
    { name: 'old-shop', age: 0, distance: 3 },
    { name: 'shop-c', age: Number.POSITIVE_INFINITY, distance: 0 },
  ];
  const preferences = {
    age: ({ age }: (typeof entries)[number]) => age,
    distance: ({ distance }: (typeof entries)[number]) => distance,
  };
  const found = rankMatches(entries, 'shop', preferences).map(({ name }) => name);
  expect(found).toEqual(['old-shop', 'shop-c', 'shop-a', 'shop-b']);
  expect(rankMatches(entries, '  ')).toEqual(entries);
});

test.each([
  ['ses', 'shop-SESSIONS', 'shop-[SES]SIONS'],
  ['copyl', 'copy link', '[copy] [l]ink'],
  ['shop ses', 'shop-SESSIONS', '[shop]-[SES]SIONS'],
  ['load', 'upload', 'up[load]'],
  ['hstname', 'hostname', '[h]o[stname]'],
  ['键', '配置键', '配置[键]'],
  ['é', 'cafe\u0301-CAFÉ', 'cafe\u0301-CAF[É]'],
  ['i', 'İstanbul-i', 'İstanbul-[i]'],
  ['(', 'a(b', 'a[(]b'],
])('marks the letters of %s in %s', (search, name, marked) => {
  expect(mark(search, name)).toBe(marked);
});

test('marks words in the description only if the name does not contain them', () => {
  const entry = { name: 'delete', about: 'Delete the bucket' };
  expect(aboutRanges('delete buck', entry)).toEqual([[11, 15]]);
  expect(aboutRanges('delete', entry)).toEqual([]);
});

test('takes no more time for repeated words than for other words', () => {
  const search = `${'a'.repeat(30)}b`;
  const names = Array.from({ length: 200 }, (_, at) => `${'aaaa-'.repeat(200)}${at}`);
  expect(cost(() => find(search, ...names))).toBeLessThan(500);
});

test('searches 5,000 entries within the time of a frame', () => {
  const entries = Array.from({ length: 5000 }, (_, at) => ({
    name: `shop-${at}.customer-${at % 97}.example.com`,
    about: 'A hostname of the zone',
    context: `hostnames/shop-${at}`,
  }));
  rankMatches(entries, 'x');
  const searches = ['s', 'sh', 'shop4', 'cust 49', 'zzz', 'example', 'shp'];
  const measure = () => searches.map((search) => cost(() => rankMatches(entries, search)));
  const times = [measure(), measure(), measure()].flat().toSorted((left, right) => left - right);
  // A frame takes 16 ms at 60 frames a second. The times are processor time in milliseconds.
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(16);
});
