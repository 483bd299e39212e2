import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPerson, type Person, type Ran, runCommand } from '../../../support/run-command.ts';

const at = ['--local', '--persist-to', 'data', '--namespace-id', 'ns'];

function run(person: Person, ...argv: string[]): Promise<Ran> {
  return runCommand(person, [...argv, ...at]);
}

function personWith(text: string): Person {
  const person = newPerson();
  writeFileSync(join(person.cwd, 'entries.json'), text);
  return person;
}

// The specification's table "Bulk write entry" lists all fields. wrangler warns about unknown fields, and writes the entry without them.
test('refuses an entry with an unknown field, and suggests the correct field', async () => {
  const person = personWith(
    '{"key":"a","value":"1","expiry":4102444800}\n{"key":"b","value":"2","ttl":60,"x":1}',
  );
  const { code, err } = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(code).toBe(2);
  expect(err).toContain('Line 1 (entry 1), key "a": unknown field "expiry", use "expiration".');
  expect(err).toContain('key "b": unknown field "ttl", use "expiration_ttl"; unknown field "x".');
  expect(JSON.parse((await run(person, 'kv', 'key', 'list')).out)).toEqual([]);
});

test('names the first twenty of many invalid entries, and counts the rest', async () => {
  const lines = Array.from({ length: 1500 }, (_, index) => `{"key":"k${index}","value":"","ttl":60}`);
  const person = personWith(lines.join('\n'));
  const { code, err } = await run(person, 'kv', 'bulk', 'put', 'entries.json', '--json');
  expect(code).toBe(2);
  const warnings = err
    .split('\n')
    .filter((line) => line.includes('warning'))
    .map((line) => JSON.parse(line));
  expect(warnings).toHaveLength(21);
  expect(warnings[19]).toMatchObject({ index: 19, key: 'k19', reason: expect.stringContaining('"ttl"') });
  expect(warnings[20]).toMatchObject({ more: 1480 });
  const { error } = JSON.parse(err.trim().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ code: 'invalid-input', retryable: false });
  expect(error.wrong).toHaveLength(1500);
  expect(error.wrong[1499]).toMatchObject({ index: 1499, line: 1500, key: 'k1499' });
});

test('escapes names from the file on the terminal', async () => {
  const person = personWith('{"key":"a","value":"","\\u001b[31mred":1}');
  const { err } = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(err).toContain('[31mred');
  expect(err).not.toContain('\u001b[31m');
});

test('accepts the output of export and key list', async () => {
  const person = personWith(
    '{"key":"a","value":"/w==","base64":true,"metadata":{"n":1},"expiration":4102444800}',
  );
  expect((await run(person, 'kv', 'bulk', 'put', 'entries.json')).err).not.toContain('unknown field');
  await run(person, 'kv', 'export', '--output', 'entries.json', '--yes');
  expect((await run(person, 'kv', 'bulk', 'put', 'entries.json')).err).not.toContain('unknown field');
  writeFileSync(join(person.cwd, 'keys.json'), (await run(person, 'kv', 'key', 'list', '--metadata')).out);
  expect((await run(person, 'kv', 'bulk', 'delete', 'keys.json', '--yes')).err).not.toContain(
    'unknown field',
  );
});

test('refuses a number in metadata that would be stored as a different number, as kv key put does', async () => {
  const person = personWith(
    '{"key":"a","value":"1","metadata":{"id":9007199254740993}}\n{"key":"b","value":"2"}',
  );
  const refused = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(refused.code).toBe(2);
  const words = 'contains 9007199254740993, which would be stored as 9007199254740992';
  expect(refused.err).toContain(`Line 1 (entry 1), key "a": metadata ${words}.`);
  const flag = await run(person, 'kv', 'key', 'put', 'a', '1', '--metadata', '{"id":9007199254740993}');
  expect(flag.code).toBe(2);
  expect(flag.err).toContain(`--metadata ${words}.`);
  expect(JSON.parse((await run(person, 'kv', 'key', 'list')).out)).toEqual([]);
  expect(await run(person, 'kv', 'bulk', 'put', 'entries.json', '--skip-invalid')).toMatchObject({ code: 6 });
  expect(JSON.parse((await run(person, 'kv', 'key', 'list')).out)).toEqual([{ name: 'b' }]);
});

test('accepts long digits in strings, and numbers that are stored exactly', async () => {
  const person = personWith(
    '{"key":"9007199254740993","value":"9007199254740993","metadata":{"a":"9007199254740993","b":1e21}}\n' +
      '{"key":"b","value":"","metadata":{"c":12345678901234567000}}',
  );
  expect(await run(person, 'kv', 'bulk', 'put', 'entries.json')).toMatchObject({ code: 0 });
  const list = JSON.parse((await run(person, 'kv', 'key', 'list', '--metadata')).out);
  expect(list[1]).toMatchObject({ metadata: { c: 12345678901234567000 } });
});

/** Returns metadata nested so deep that recursion overflows the stack. */
const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test('reports metadata nested too deeply as an error of its entry, without a crash', async () => {
  const person = personWith(`{"key":"a","value":"1","metadata":${deep(100_000)}}\n{"key":"b","value":"2"}`);
  const refused = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(
    /key "a": metadata can be at most 1,024 bytes long as JSON; this metadata has far more/,
  );
  const flag = await run(person, 'kv', 'key', 'put', 'a', '1', '--metadata', deep(60_000));
  expect(flag).toMatchObject({ code: 2, err: expect.stringContaining('--metadata is nested too deeply.') });
  expect(await run(person, 'kv', 'bulk', 'put', 'entries.json', '--skip-invalid')).toMatchObject({ code: 6 });
});

test('refuses a deeply nested unknown field like any other unknown field', async () => {
  const person = personWith(`{"key":"a","value":"1","metadata":{"n":1},"x":${deep(100_000)}}`);
  const { code, err } = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('unknown field "x"') });
});

test('locates an error in NDJSON by its line in the file, and an error in an array by its index', async () => {
  const wrong = '{"key":"a","value":1 2}';
  const person = personWith(`\n\n{"key":"ok","value":""}\r\n\n   \n${wrong}\n{"key":"b c","value":""}\n\n"x`);
  const lines = (await run(person, 'kv', 'bulk', 'put', 'entries.json')).err.split('\n');
  expect(lines[0]).toMatch(/Line 6 \(entry 2\): invalid JSON: Expected .* at character 22 of the entry\.$/);
  expect(lines[1]).toContain('Line 7 (entry 3), key "b c": ');
  expect(lines[2]).toMatch(
    /Line 9 \(entry 4\): invalid JSON: Unterminated string at character 3 of the entry\.$/,
  );
  const { err } = await run(person, 'kv', 'bulk', 'put', 'entries.json', '--json');
  expect(JSON.parse(err.split('\n')[0] ?? '')).toMatchObject({ index: 1, line: 6 });
  writeFileSync(join(person.cwd, 'entries.json'), `[{"key":"ok","value":""},\n\n${wrong}]`);
  const array = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(array.err).toMatch(/Entry 2: invalid JSON: Expected .* at character 22 of the entry\./);
});

test('lists a frequently repeated key once, and counts unlisted keys', async () => {
  const entry = (key: string): string => `{"key":"${key}","value":""}\n`;
  const person = personWith(entry('twice').repeat(30) + entry('thrice').repeat(3));
  const { err } = await run(person, 'kv', 'bulk', 'put', 'entries.json');
  expect(err).toContain('Skipped 31 entries because a later entry has the same key: "twice", "thrice".');
  const many = Array.from({ length: 25 }, (_, index) => entry(`k${index}`).repeat(3));
  writeFileSync(join(person.cwd, 'entries.json'), many.join(''));
  expect((await run(person, 'kv', 'bulk', 'put', 'entries.json')).err).toContain('"k19" and 10 more.');
});
