import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { kvLimits } from '../../../../src/model/kv/kv.ts';
import { readHostnameFile } from '../../../../src/services/hostnames/file.ts';
import { readEntries } from '../../../../src/services/kv/bulk/entries.ts';
import { openBulkInput } from '../../../../src/services/kv/bulk/input.ts';
import { surveyInput } from '../../../../src/services/kv/bulk/survey.ts';
import { expectLinear } from '../../../support/growth.ts';
import { newPerson, type Person, type Ran, runCommand } from '../../../support/run-command.ts';
import { testWorld } from '../../../support/world.ts';

const at = ['--local', '--persist-to', 'data', '--namespace-id', 'ns'];

function bulk(person: Person, name: string, content: string | Buffer, ...how: string[]): Promise<Ran> {
  writeFileSync(join(person.cwd, name), content);
  return runCommand(person, ['kv', 'bulk', ...how, name, ...at]);
}

/** Writes a compressed file that contains one unterminated string of the given number of megabytes. */
async function writeBomb(path: string, head: string, megabytes: number): Promise<void> {
  const piece = Buffer.alloc(1 << 20, 'x');
  const chunks = [Buffer.from(head), ...Array.from({ length: megabytes }, () => piece)];
  await pipeline(Readable.from(chunks), createGzip({ level: 1 }), createWriteStream(path));
}

const parse = (value: unknown) => ({ key: String(value), sent: String(value) });

describe.each(['put', 'get', 'delete'])('kv bulk %s', (operation) => {
  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'in.json is empty.'],
    ['blanks', ' \r\n\t\n', 'in.json contains no entries, only whitespace'],
    ['a byte order mark', '\ufeff', 'in.json contains no entries, only whitespace or a byte order mark.'],
    ['nothing, compressed', gzipSync(''), 'in.json is empty.'],
  ])('rejects a file that contains %s, and sends nothing', async (_, content, words) => {
    const { code, out, err } = await bulk(newPerson(), 'in.json', content, operation, '--yes');
    expect({ code, out, err }).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
    expect(err).toContain('write an empty array: []');
  });

  test('accepts an empty array', async () => {
    for (const content of ['[]', '\ufeff [\n] \n', gzipSync('[]')]) {
      expect(await bulk(newPerson(), 'in.json', content, operation, '--yes')).toMatchObject({ code: 0 });
    }
  });
});

test('kv bulk reports an expiry in milliseconds, or an expiry after the year 9999, with its line', async () => {
  const lines = [
    '{"key":"a","value":"","expiration":253402300799}\n',
    '{"key":"b","value":"","expiration":1893456000123}',
    '{"key":"c","value":"","expiration":253402300800}',
    '{"key":"d","value":"","expiration_ttl":1893456000123}',
  ];
  const { code, err } = await bulk(newPerson(), 'in.ndjson', lines.join('\n'), 'put');
  expect(code).toBe(2);
  expect(err.split('\n').slice(0, 4)).toEqual([
    'Line 3 (entry 2), key "b": the expiration 1893456000123 looks like milliseconds; UNIX seconds would be 1893456000.',
    'Line 4 (entry 3), key "c": an expiration must be before the year 10000, not 253402300800.',
    'Line 5 (entry 4), key "d": a key must expire before the year 10000; this time to live is 1893456000123 seconds.',
    'error: 3 of 4 entries in in.ndjson are invalid; nothing was sent.',
  ]);
});

test('kv bulk treats null metadata as none, like the API', async () => {
  const person = newPerson();
  const entries = '[{"key":"a","value":"1","metadata":null},{"key":"b","value":"2","metadata":{"n":1}}]';
  expect(await bulk(person, 'in.json', entries, 'put')).toMatchObject({ code: 0 });
  const again = await bulk(person, 'in.json', entries, 'put', '--dry-run');
  expect(again.out).toContain('2 keys would stay the same');
  const list = await runCommand(person, ['kv', 'key', 'list', '--metadata', ...at]);
  expect(JSON.parse(list.out)).toEqual([{ name: 'a' }, { name: 'b', metadata: { n: 1 } }]);
});

describe('files compressed by a factor of a thousand', () => {
  test('reads blanks before, between and after entries in linear time', async () => {
    const world = testWorld();
    await expectLinear(256 * 1024, async (size) => {
      const blanks = '\n'.repeat(size);
      writeFileSync(join(world.cwd, 'in.gz'), gzipSync(`${blanks}"a"${blanks}"b"${blanks}`));
      const input = await openBulkInput(world, 'in.gz');
      let entries = 0;
      for await (const _ of readEntries(input, parse, () => entries++));
      await input.close();
      expect(entries).toBe(2);
    });
  });

  test('reads the hostnames of a file after many blanks in linear time', async () => {
    const world = testWorld();
    await expectLinear(32 * 1024, async (size) => {
      writeFileSync(join(world.cwd, 'in.csv'), `${'\n'.repeat(size)}shop.acme.com\n`);
      expect((await readHostnameFile(world, 'in.csv')).entries).toHaveLength(1);
    });
  });

  test('refuses an endless entry as soon as it is too long', async () => {
    const world = testWorld();
    await writeBomb(join(world.cwd, 'in.gz'), '[{"key":"', 170);
    const input = await openBulkInput(world, 'in.gz');
    let unpacked = 0;
    const onContent = (chunk: Uint8Array) => (unpacked += chunk.length);
    const reading = (async () => {
      for await (const _ of readEntries(input, parse, () => undefined, { onContent }));
    })();
    await expect(reading).rejects.toThrow('Entry 1 of in.gz is longer than the maximum of');
    expect(unpacked).toBeLessThan(kvLimits.valueBytes * 6 + 2 * 1024 * 1024);
    await input.close();
  });

  test('stops reading blanks on the first and on the second Ctrl-C', async () => {
    const world = testWorld();
    writeFileSync(join(world.cwd, 'in.gz'), gzipSync(`"a"${'\n'.repeat(16 << 20)}`, { level: 1 }));
    const input = await openBulkInput(world, 'in.gz');
    const interruption = new AbortController();
    let chunks = 0;
    const reporter = { progress: () => ++chunks === 3 && interruption.abort(), warn: () => undefined };
    const survey = surveyInput(input, parse, { stop: interruption.signal, reporter, confirmed: () => false });
    await expect(survey).rejects.toMatchObject({ code: 'interrupted' });
    const again = readEntries(input, parse, () => undefined, { stop: interruption.signal });
    await expect(again.next()).rejects.toMatchObject({ code: 'interrupted' });
    expect(chunks).toBe(3);
    await input.close();
  });
});
