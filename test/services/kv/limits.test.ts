import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kvLimits } from '../../../src/model/kv/kv.ts';
import { type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

/** Keys and metadata of maximum length, with characters of two, three and four bytes. */
const maxLength = {
  keys: ['é'.repeat(256), `${'語'.repeat(170)}ab`, '😀'.repeat(128), `a/${'%2F'.repeat(170)}`],
  metadata: { n: `${'語'.repeat(338)}ab` },
};

describe.each(['local', 'server'])('the limits of a %s store', (place) => {
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

  test('pass through every command unchanged', async () => {
    expect(maxLength.keys.map((key) => Buffer.byteLength(key))).toEqual([512, 512, 512, 512]);
    const metadata = JSON.stringify(maxLength.metadata);
    expect(Buffer.byteLength(metadata)).toBe(kvLimits.metadataBytes);
    for (const key of maxLength.keys) await run('kv', 'key', 'put', key, key, '--metadata', metadata, ...at);
    for (const key of maxLength.keys) {
      expect(await run('kv', 'key', 'get', key, ...at)).toBe(key);
      expect(JSON.parse(await run('kv', 'key', 'get', key, '--metadata', ...at))).toEqual({
        name: key,
        metadata: maxLength.metadata,
      });
      expect(JSON.parse(await run('kv', 'key', 'list', '--prefix', key, ...at))).toEqual([{ name: key }]);
    }
    const exported = await run('kv', 'export', ...at);
    expect(exported.trim().split('\n')).toHaveLength(maxLength.keys.length);
    writeFileSync(join(person.cwd, 'in.ndjson'), exported);
    await run('kv', 'copy', ...at, ...to(), '--on-conflict', 'fail');
    expect(await run('kv', 'export', ...other)).toBe(exported);
    expect(await run('kv', 'bulk', 'put', 'in.ndjson', '--dry-run', ...other)).toContain(
      '4 keys would stay the same',
    );
    await run('kv', 'namespace', 'clear', '--yes', ...other);
    await run('kv', 'bulk', 'put', 'in.ndjson', '--batch-size', '1', ...other);
    expect(await run('kv', 'diff', ...at, ...to())).toBe('');
    writeFileSync(join(person.cwd, 'keys.json'), JSON.stringify(maxLength.keys));
    const values = JSON.parse(await run('kv', 'bulk', 'get', 'keys.json', ...other));
    expect(values).toEqual(Object.fromEntries(maxLength.keys.map((key) => [key, key])));
    await run('kv', 'bulk', 'delete', 'keys.json', '--yes', ...other);
    for (const key of maxLength.keys) await run('kv', 'key', 'delete', key, ...at);
    expect(await run('kv', 'export', ...at)).toBe('');
    expect(await run('kv', 'export', ...other)).toBe('');
  });
});

test('writes nothing if standard input ends early', async () => {
  const id = await served.createNamespace();
  const run = (...argv: string[]) =>
    runCommand(served.person, ['kv', ...argv, '--namespace-id', id], { stdin: broken() });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('"a"\n{"key":"a","value":"1"}\n');
    throw Object.assign(new Error('EIO: i/o error, read'), { syscall: 'read', code: 'EIO', errno: -5 });
  }
  for (const argv of [
    ['key', 'put', 'a', '--path', '-'],
    ['bulk', 'put', '-', '--skip-invalid'],
    ['bulk', 'get', '-'],
  ]) {
    const { code, out, err } = await run(...argv);
    expect({ code, out, err }).toMatchObject({ code: 1, out: '', err: expect.stringContaining('i/o error') });
    expect(err).not.toContain('bug in edgectl');
  }
  expect((await run('key', 'list')).out).toBe('[]\n');
});

// The specification, Limits: an expiry is at least 60 seconds in the future. Exactly 60 seconds are enough, and "within" includes the end
// of the period.
test('writes a key that expires in exactly 60 seconds, and lists it as expiring within 60 seconds', async () => {
  const at = ['--local', '--persist-to', 'boundary', '--namespace-id', 'one'];
  const clock = { now: Date.UTC(2030, 0, 1) };
  const expiration = clock.now / 1000 + 60;
  const argv = ['kv', 'key', 'put', 'k', 'v', '--expiration', `${expiration}`, ...at];
  const put = await runCommand(served.person, argv, { clock });
  expect(put, put.err).toMatchObject({ code: 0 });
  const within = async (time: string) => {
    const argv = ['kv', 'key', 'list', '--expires-within', time, ...at];
    return JSON.parse((await runCommand(served.person, argv, { clock })).out);
  };
  expect(await within('60s')).toMatchObject([{ name: 'k' }]);
  expect(await within('59s')).toEqual([]);
});
