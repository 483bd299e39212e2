import { expect, test } from 'vitest';
import type { UndoEntry } from '../../../src/model/undo/entry.ts';
import { listFacts, placeChoice } from '../../../src/services/undo/facts.ts';
import { describePlace, describeValue } from '../../../src/services/undo/restore.ts';

const zoneId = 'c'.repeat(32);
const entry: UndoEntry = {
  version: 1,
  id: '0123abcd',
  at: Date.UTC(2026, 0, 1),
  by: 'person',
  did: 'deleted',
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.example.com/client/v4' },
  accountId: 'a'.repeat(32),
  target: 'production',
  thing: { kind: 'fallback-origin', zoneId, origin: 'one.example.com' },
  size: 0,
  sha256: '0'.repeat(64),
  left: 'nothing',
};
const { accountId } = entry;
const folder = '/data/sandbox';
const factsWith = (change: Partial<UndoEntry>, bytes = '') =>
  listFacts({ ...entry, ...change }, Buffer.from(bytes));

test.each<[UndoEntry['where'], object, string]>([
  [
    { kind: 'local', folder },
    { local: true, persistTo: folder },
    'production of account {id} (local, {folder})',
  ],
  [
    { kind: 'sandbox', folder },
    { profile: 'sandbox', sandboxDir: folder, accountId },
    'sandbox of account {id} ({folder})',
  ],
  [
    entry.where,
    { profile: 'acme', accountId },
    'production of account {id} (acme, https://api.example.com/client/v4)',
  ],
  [
    { kind: 'remote', baseUrl: 'https://e.com/client/v4' },
    { accountId },
    'production of account {id} (environment, https://e.com/client/v4)',
  ],
])('names the platform of an entry and how to select it: %j', (where, choice, words) => {
  expect(placeChoice({ ...entry, where })).toEqual({ ...choice, preview: false });
  expect(placeChoice({ ...entry, where, target: 'preview' })).toEqual({ ...choice, preview: true });
  const named = words.replace('{id}', accountId).replace('{folder}', folder);
  expect(describePlace({ ...entry, where })).toBe(named);
});

test('shows the deleted item, the time and account of the deletion, and how long the item is saved', () => {
  expect(factsWith({})).toEqual([
    ['id', '0123abcd'],
    ['deleted', 'the fallback origin one.example.com, 2026-01-01T00:00:00Z'],
    ['where', describePlace(entry)],
    ['zone', zoneId],
    ['kept until', '2026-01-15T00:00:00Z'],
  ]);
  expect(factsWith({ by: 'script', did: 'replaced' })[1]).toEqual([
    'replaced',
    'the fallback origin one.example.com, 2026-01-01T00:00:00Z, without a terminal',
  ]);
});

const value = { kind: 'value', namespaceId: 'b'.repeat(32), key: 'k' } as const;
const object = {
  kind: 'object',
  bucket: 'b',
  key: 'k',
  etag: 'e',
  httpMetadata: {},
  customMetadata: {},
} as const;
const record = {
  kind: 'dns-record',
  zoneId,
  recordId: 'r',
  type: 'A',
  name: 'a.com',
  content: '192.0.2.1',
} as const;
const hostname = { kind: 'hostname', zoneId, hostname: 'a.com' } as const;

test.each<[UndoEntry['thing'], readonly (readonly [string, string])[]]>([
  [
    value,
    [
      ['namespace', 'b'.repeat(32)],
      ['value', '2 B, text "hi"'],
      ['expires', 'never'],
      ['metadata', 'none'],
    ],
  ],
  [
    { ...value, expiration: 1_800_000_000, metadata: { a: 1 } },
    [
      ['namespace', 'b'.repeat(32)],
      ['value', '2 B, text "hi"'],
      ['expires', '2027-01-15T08:00:00Z'],
      ['metadata', '{"a":1}'],
    ],
  ],
  [
    { ...object, httpMetadata: { contentType: 'text/plain' }, customMetadata: { a: 'b' } },
    [
      ['bytes', '2 B, text "hi"'],
      ['headers', '{"contentType":"text/plain"}'],
      ['metadata', '{"a":"b"}'],
    ],
  ],
  [
    record,
    [
      ['zone', zoneId],
      ['content', '192.0.2.1'],
    ],
  ],
  // Provider's API reference of DNS records: "Setting to 1 means 'automatic'".
  [
    { ...record, proxied: true, ttl: 1 },
    [
      ['zone', zoneId],
      ['content', '192.0.2.1'],
      ['proxied', 'yes'],
      ['ttl', 'automatic'],
    ],
  ],
  [
    { ...record, proxied: false, ttl: 300 },
    [
      ['zone', zoneId],
      ['content', '192.0.2.1'],
      ['proxied', 'no'],
      ['ttl', '300 s'],
    ],
  ],
  [
    { ...hostname, method: 'txt' },
    [
      ['zone', zoneId],
      ['settings', '{"method":"txt"}'],
      [
        'mind',
        'Restoring creates the hostname again, with a new certificate and new tokens for the customer to set.',
      ],
    ],
  ],
  [
    { ...hostname, uploaded: true },
    [
      ['zone', zoneId],
      ['settings', '{"uploaded":true}'],
      ['mind', expect.stringContaining('creates the hostname again')],
      ['mind', 'The uploaded certificate was not saved and cannot be restored.'],
    ],
  ],
])('shows all saved facts about %j', (thing, facts) => {
  expect(factsWith({ thing }, 'hi').slice(3, -1)).toEqual(facts);
});

test('shows that undo restores the settings of a changed hostname, not a deleted hostname', () => {
  const facts = factsWith({ thing: hostname, did: 'replaced' });
  expect(facts.at(-2)).toEqual(['mind', expect.stringMatching(/^Restoring may require new tokens/)]);
});

test.each([
  [Buffer.alloc(0), '0 B, empty'],
  [Buffer.from([0, 1, 2, 255]), '4 B, binary'],
  [Buffer.from('a'.repeat(60)), `60 B, text "${'a'.repeat(60)}"`],
  [Buffer.from('a'.repeat(61)), `61 B, text "${'a'.repeat(60)}"…`],
  // A character that the cut splits is omitted.
  [Buffer.from(`${'a'.repeat(59)}é`), `61 B, text "${'a'.repeat(59)}"…`],
  [Buffer.concat([Buffer.from('a'.repeat(511)), Buffer.from('é')]), `513 B, text "${'a'.repeat(60)}"…`],
])('formats a value in one line: %#', (bytes, words) => {
  expect(describeValue(bytes)).toBe(words);
});
