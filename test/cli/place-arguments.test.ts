import { expect, test } from 'vitest';
import { keepPlaceFlags, keepZoneFlags, remedyTextsFor } from '../../src/cli/output/remedy-texts.ts';

test.each([
  { argv: ['hostname', 'refresh', 'a.com'], place: [] },
  { argv: ['hostname', '--sandbox', 'refresh', 'a.com', '--json'], place: ['--sandbox'] },
  { argv: ['kv', 'key', 'get', 'a', '--sandbox=/my data'], place: ['--sandbox=/my data'] },
  {
    argv: ['--profile', 'work', 'kv', 'key', 'get', 'a', '-e', 'dev'],
    place: ['--profile', 'work', '-e', 'dev'],
  },
  { argv: ['kv', 'key', 'get', '--', '--sandbox'], place: [] },
])('keeps the flags in $argv that choose the platform and the account', ({ argv, place }) => {
  expect(keepPlaceFlags(argv)).toEqual(place);
});

test('includes the zone only for a command on custom hostnames', () => {
  const argv = ['hostname', 'get', 'a.com', '--zone', 'b.com', '--sandbox'];
  expect(keepZoneFlags(argv)).toEqual(['--zone', 'b.com', '--sandbox']);
  const words = remedyTextsFor(argv);
  expect(words['show-hostname']({ kind: 'show-hostname', hostname: 'a.com' })).toBe(
    'The hostname exists in this zone: edgectl --zone b.com --sandbox hostname get a.com',
  );
  expect(words['list-workers']({ kind: 'list-workers' })).toMatch(/ edgectl --sandbox worker list$/);
});

test('quotes a folder with blanks for a shell', () => {
  const words = remedyTextsFor(['hostname', 'get', 'a.com', '--sandbox=/my data']);
  expect(words.diagnose({ kind: 'diagnose', hostname: 'a.com' })).toBe(
    "edgectl '--sandbox=/my data' hostname diagnose a.com",
  );
});
