import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFault } from '../../../../src/model/kv/kv.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { newPerson, type Person, runCommand } from '../../../support/run-command.ts';

const far = Math.floor(Date.now() / 1000) + 1_000_000;

/** Any possible key: hostile, long, and with characters from every plane. */
const key = fc
  .oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom('__proto__', 'a/b', '%2e%2e', '\ufeff', '\0x', '\ud7ff\u{10ffff}'),
  )
  .filter((text) => keyFault(text) === undefined);

const metadata = fc
  .dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .filter((value) => Buffer.byteLength(JSON.stringify(value)) <= 1024);

const entry = fc.record(
  {
    key,
    bytes: fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: anyCharacter }).map((text) => Uint8Array.from(Buffer.from(text))),
    ),
    metadata,
    expiration: fc.integer({ min: far, max: 4_102_444_800 }),
  },
  { requiredKeys: ['key', 'bytes'] },
);

const place = (id: string): string[] => ['--local', '--persist-to', 'data', '--namespace-id', id];

async function run(person: Person, argv: string[], stdin?: string | Uint8Array): Promise<string> {
  const ran = await runCommand(person, argv, stdin === undefined ? {} : { stdin });
  expect(ran, ran.err).toMatchObject({ code: 0 });
  return ran.out;
}

describe('an export, its bulk put, and another export', () => {
  it('preserve any keys, bytes, metadata and expiries', async () => {
    const person = newPerson();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        // Without keys, only an array could be imported: an empty file is rejected.
        fc.uniqueArray(entry, { selector: (one) => one.key, minLength: 1, maxLength: 30 }),
        fc.constantFrom('json', 'ndjson'),
        async (entries, format) => {
          const [first, second] = [`a${number}`, `b${number++}`];
          const input = entries.map(({ key: name, bytes, ...rest }) => ({
            key: name,
            value: Buffer.from(bytes).toString('base64'),
            base64: true,
            ...rest,
          }));
          await run(person, ['kv', 'bulk', 'put', '-', '--any-key', ...place(first)], JSON.stringify(input));
          const once = await run(person, ['kv', 'export', '--format', format, ...place(first)]);
          await run(person, ['kv', 'bulk', 'put', '-', '--any-key', ...place(second)], once);
          expect(await run(person, ['kv', 'export', '--format', format, ...place(second)])).toBe(once);
          expect(getEntries(once, format)).toEqual(
            new Map(
              entries.map(({ key: name, bytes, ...rest }) => [
                name,
                JSON.parse(JSON.stringify({ ...rest, bytes: Buffer.from(bytes).toString('base64') })),
              ]),
            ),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  it('preserve all entries in a compressed file', async () => {
    const person = newPerson();
    const input = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2', metadata: { c: 3 } },
    ];
    const bytes = gzipSync(JSON.stringify(input));
    await run(person, ['kv', 'bulk', 'put', '-', ...place('a')], bytes);
    await run(person, ['kv', 'export', '--output', 'out.ndjson.gz', ...place('a')]);
    expect(readFileSync(join(person.cwd, 'out.ndjson.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    await run(person, ['kv', 'bulk', 'put', 'out.ndjson.gz', ...place('b')]);
    const text = await run(person, ['kv', 'export', '--format', 'json', ...place('b')]);
    expect(JSON.parse(text)).toEqual(input);
  });
});

function getEntries(text: string, format: string): Map<string, unknown> {
  const lines = text.split('\n').filter((line) => line !== '');
  const list = format === 'json' ? JSON.parse(text) : lines.map((line) => JSON.parse(line));
  return new Map(
    list.map(({ key: name, value, base64, ...rest }: { key: string; value: string; base64?: boolean }) => [
      name,
      { ...rest, bytes: Buffer.from(value, base64 ? 'base64' : 'utf8').toString('base64') },
    ]),
  );
}
