import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLink, type PlaceLink, parseLink } from '../../../src/model/places/link.ts';

test.each<[string, PlaceLink]>([
  ['home', { kind: 'home' }],
  ['kv', { kind: 'namespaces' }],
  ['kv/SESSIONS', { kind: 'keys', namespace: 'SESSIONS', prefix: '' }],
  ['kv/SESSIONS/user:', { kind: 'key', namespace: 'SESSIONS', key: 'user:' }],
  ['kv/SESSIONS/user:*', { kind: 'keys', namespace: 'SESSIONS', prefix: 'user:' }],
  ['kv/SESSIONS/a/b//c', { kind: 'key', namespace: 'SESSIONS', key: 'a/b//c' }],
  ['objects/assets/img/', { kind: 'objects', bucket: 'assets', folder: 'img/' }],
  ['objects/assets/img/logo.png', { kind: 'object', bucket: 'assets', key: 'img/logo.png' }],
  ['hostnames/shop.acme.com', { kind: 'hostname', hostname: 'shop.acme.com' }],
  ['hostnames/shop.acme.com/diagnosis', { kind: 'diagnosis', hostname: 'shop.acme.com' }],
  ['workers/api', { kind: 'worker', name: 'api' }],
  ['tasks', { kind: 'tasks' }],
  ['undo', { kind: 'undo' }],
  ['settings', { kind: 'settings' }],
  ['diff/a/b', { kind: 'differences', namespace: 'a', other: 'b' }],
  ['diff/a/@local', { kind: 'differences', namespace: 'a', other: '', target: 'local' }],
  ['diff/a/b%40c@production', { kind: 'differences', namespace: 'a', other: 'b@c', target: 'production' }],
  ['diff/a/b/user:1/x', { kind: 'comparison', namespace: 'a', other: 'b', key: 'user:1/x' }],
])('parses and formats %s unchanged', (text, link) => {
  expect(parseLink(text)).toEqual(link);
  expect(formatLink(link)).toBe(text);
});

test.each([
  ['Namespaces', 'kv'],
  ['namespaces/SESSIONS/user:', 'kv/SESSIONS/user:'],
  ['Buckets', 'objects'],
  ['buckets/assets/img/', 'objects/assets/img/'],
  ['Home', 'home'],
  ['Hostnames/shop.acme.com', 'hostnames/shop.acme.com'],
])("parses %s, which uses an area's name from the header, like %s", (text, link) => {
  expect(parseLink(text)).toEqual(parseLink(link));
});

test.each([
  ['nowhere', 'no area is named "nowhere"'],
  ['', 'no area is named ""'],
  ['constructor', 'no area is named "constructor"'],
  ['kv//a', 'a name is missing after kv/'],
  ['kv/a/%zz', 'two hex digits'],
  ['workers/api/more', '"more" is unknown'],
  ['home/x', 'nothing can follow home'],
  ['diff/a', 'diff requires the names of two namespaces'],
  ['diff//b', 'diff requires the names of two namespaces'],
  ['diff/a/b@c', '"c" is not a target; targets are production, preview, local'],
])('rejects %s, and lists the valid forms', (text, why) => {
  expect(() => parseLink(text)).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringContaining('kv/NAMESPACE') }),
  );
  expect(() => parseLink(text)).toThrow(why);
});

const odd = fc.string({ unit: 'grapheme', minLength: 1 });

test('preserves every name in a link, and requires no shell quoting', () => {
  const links = fc.oneof<fc.Arbitrary<PlaceLink>[]>(
    fc.record({ kind: fc.constant('key' as const), namespace: odd, key: odd }),
    fc.record({ kind: fc.constant('keys' as const), namespace: odd, prefix: odd }),
    fc.record({
      kind: fc.constant('object' as const),
      bucket: odd,
      key: odd.filter((key) => !key.endsWith('/')),
    }),
    fc.record({ kind: fc.constant('worker' as const), name: odd }),
    fc.record({ kind: fc.constant('differences' as const), namespace: odd, other: odd }),
    fc.record({
      kind: fc.constant('comparison' as const),
      namespace: odd,
      key: odd,
      other: odd,
      target: fc.constant('local' as const),
    }),
  );
  fc.assert(
    fc.property(links, (link) => {
      const text = formatLink(link);
      expect(text).toMatch(/^[A-Za-z0-9._~:/@,=+%*-]+$/);
      expect(parseLink(text ?? '')).toEqual(link);
    }),
  );
});

test('creates no link for a name that is not valid Unicode', () => {
  expect(formatLink({ kind: 'key', namespace: 'a', key: '\ud800' })).toBeUndefined();
});
