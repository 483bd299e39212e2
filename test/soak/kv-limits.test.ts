import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kvLimits } from '../../src/model/kv/kv.ts';
import { type Person, runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

describe.each(['local', 'server'])('values of the maximum length, %s', (place) => {
  let person: Person;
  let at: string[];
  let other: string[];
  beforeAll(async () => {
    person = served.person;
    const flags = async (name: string) =>
      place === 'local'
        ? ['--local', '--persist-to', 'data', '--namespace-id', name]
        : ['--namespace-id', await served.createNamespace()];
    at = await flags('one');
    other = await flags('other');
  });

  async function run(...argv: string[]): Promise<string> {
    const ran = await runCommand(person, argv);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    return ran.out;
  }
  const to = () => other.map((flag) => flag.replace(/^--(?=namespace-id|local|persist-to)/, '--to-'));

  test('are accepted at 25 MiB by every command, and rejected with one more byte', async () => {
    const whole = Buffer.alloc(kvLimits.valueBytes, 'é');
    const more = Buffer.concat([whole, Buffer.from('x')]);
    writeFileSync(join(person.cwd, 'whole'), whole);
    writeFileSync(join(person.cwd, 'more'), more);
    await run('kv', 'key', 'put', 'file', '--path', 'whole', ...at);
    const refusals = [
      await runCommand(person, ['kv', 'key', 'put', 'no', '--path', 'more', ...at]),
      await runCommand(person, ['kv', 'key', 'put', 'no', '--path', '-', ...at], { stdin: more }),
    ];
    for (const [name, bytes] of [
      ['whole', whole],
      ['more', more],
    ] as const) {
      const entries = [
        { key: 'text', value: bytes.toString() },
        { key: 'base64', value: bytes.toString('base64'), base64: true },
      ];
      for (const [at, entry] of entries.entries())
        writeFileSync(join(person.cwd, `${name}${at}.json`), JSON.stringify([entry]));
    }
    for (const name of ['whole0.json', 'whole1.json']) await run('kv', 'bulk', 'put', name, ...at);
    for (const name of ['more0.json', 'more1.json'])
      refusals.push(await runCommand(person, ['kv', 'bulk', 'put', name, ...at]));
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    for (const { err } of refusals) expect(err).toContain('26,214,400');
    await expectMoved('file', 'text', 'base64');
  });

  test.each([
    ['zeros, which JSON writes in six bytes each', 0x00],
    ['quotes, which JSON writes in two bytes each', 0x22],
    ['bytes that are not UTF-8, which the bulk endpoint changes', 0xff],
  ])('pass through every command that moves values, as 25 MiB of %s', async (_, byte) => {
    writeFileSync(join(person.cwd, 'value'), Buffer.alloc(kvLimits.valueBytes, byte));
    for (const key of ['one', 'other']) await run('kv', 'key', 'put', key, '--path', 'value', ...at);
    await run('kv', 'key', 'put', 'small', 'x', ...at);
    await expectMoved('one', 'other', 'small');
  });

  /** Exports these keys, imports them into another namespace, copies them, compares the results, and deletes them. */
  async function expectMoved(...keys: string[]): Promise<void> {
    writeFileSync(join(person.cwd, 'keys.json'), JSON.stringify(keys));
    await run('kv', 'export', '--output', 'out.ndjson', '--force', ...at);
    await run('kv', 'bulk', 'put', 'out.ndjson', ...other);
    expect(await run('kv', 'diff', ...at, ...to())).toBe('');
    const equal = await run('kv', 'bulk', 'put', 'out.ndjson', '--dry-run', ...other);
    expect(equal).toContain(`${keys.length} keys would stay the same`);
    await run('kv', 'namespace', 'clear', '--yes', ...other);
    await run('kv', 'copy', ...at, ...to());
    expect(await run('kv', 'bulk', 'get', 'keys.json', ...at)).toBe(
      await run('kv', 'bulk', 'get', 'keys.json', ...other),
    );
    const found = await run('kv', 'key', 'list', '--value-contains', 'nowhere', ...at);
    expect(JSON.parse(found)).toEqual([]);
    await run('kv', 'namespace', 'clear', '--yes', ...at);
    await run('kv', 'namespace', 'clear', '--yes', ...other);
  }
});

test('requests a value separately whose JSON is too long for an answer, and all other values together', async () => {
  const place = ['--local', '--persist-to', 'data', '--namespace-id', 'long'];
  const run = (...argv: string[]) => runCommand(served.person, ['kv', ...argv, ...place]);
  // A control character takes six bytes in JSON, so the value takes 69 MiB, while the limit of an answer is 64 MiB.
  const long = Buffer.alloc(11.5 * 1024 * 1024, 1);
  writeFileSync(join(served.person.cwd, 'long'), long);
  expect((await run('key', 'put', 'b', '--path', 'long', '--metadata', '{"n":1}')).code).toBe(0);
  for (const key of ['a', 'c']) expect((await run('key', 'put', key, key)).code).toBe(0);
  const { code, out, err } = await run('export');
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Exported 3 keys') });
  const lines = out.split('\n');
  const [a, b, c] = lines.slice(0, 3).map((line) => JSON.parse(line));
  expect([a, c]).toEqual([
    { key: 'a', value: 'a' },
    { key: 'c', value: 'c' },
  ]);
  expect(b).toMatchObject({ key: 'b', metadata: { n: 1 } });
  expect(Buffer.from(b.value).equals(long)).toBe(true);
});
