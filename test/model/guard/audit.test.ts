import { expect, test } from 'vitest';
import { chainStart, formatAuditLine, toAuditRecord } from '../../../src/model/guard/audit.ts';
import { commandPolicy, decide, type RequestFacts } from '../../../src/model/guard/policy.ts';
import { jsonText } from '../../../src/text/json.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';

const actor = {
  user: 'ann',
  command: undefined,
  parent: undefined,
  place: 'profile acme',
  url: undefined,
};

const bulk = `/accounts/${'a'.repeat(32)}/storage/kv/namespaces/${'b'.repeat(32)}/bulk/delete`;

function readBulkFacts(names: readonly string[]): RequestFacts {
  const body = Buffer.from(JSON.stringify(names));
  return readRequestFacts(
    { method: 'POST', path: bulk, headers: {}, body },
    { target: 'production', client: 'x' },
  );
}

/** Returns the fields of the audit log line for a request that a rule with this name denies, and the length of the line in bytes. */
function writeDenied(facts: RequestFacts, rule = 'no') {
  const policy = {
    source: 'user',
    path: '/policy.toml',
    rules: [{ name: rule, decision: 'deny' }],
  } as const;
  const decided = decide({ deciding: [policy, commandPolicy] }, facts);
  const { line } = formatAuditLine(toAuditRecord(facts, decided, actor), 0, chainStart, jsonText);
  return { record: JSON.parse(line), bytes: Buffer.byteLength(line) };
}

test('records up to 100 names of keys, uncut', () => {
  const names = Array.from({ length: 120 }, (_, index) => `flag:${index}`);
  const { record } = writeDenied(readBulkFacts(names));
  expect(record).toMatchObject({ names: names.slice(0, 100), count: 120 });
  const long = ['k'.repeat(1024), `${'é'.repeat(511)}aa`, 'other'];
  expect(writeDenied(readBulkFacts(long)).record.names).toEqual(long);
});

test.each([
  ['three bytes', '€', 8 * 1024],
  ['an escape of six bytes', '\u0001', 32 * 1024],
])(
  'limits the bytes of a record with names of characters of %s, and counts the names',
  (_, character, limit) => {
    const names = Array.from({ length: 100 }, (_, index) => character.repeat(1100) + index);
    const { record, bytes } = writeDenied(readBulkFacts(names));
    expect(bytes).toBeLessThan(limit);
    expect(record.count).toBe(100);
    expect(record.names.length).toBeGreaterThanOrEqual(4);
    expect(record.names[0]).toMatch(/…$/);
    expect(names[0]?.startsWith(record.names[0].slice(0, -1))).toBe(true);
  },
);

test('limits the bytes of one name, of a path and of the names of rules', () => {
  const one = writeDenied(readBulkFacts(['€'.repeat(400_000)]), 'r'.repeat(200_000));
  expect(one.bytes).toBeLessThan(8 * 1024);
  expect(one.record).toMatchObject({ count: 1, name: expect.stringMatching(/^€+…$/) });
  const path = `/zones/${'z'.repeat(200_000)}/unknown`;
  const unknown = readRequestFacts(
    { method: 'PUT', path, headers: {} },
    { target: 'production', client: 'x' },
  );
  expect(writeDenied(unknown).bytes).toBeLessThan(8 * 1024);
});
