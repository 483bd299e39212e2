import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketPaths } from '../../../src/store/objects/paths.ts';
import { kvPaths } from '../../../src/store/paths.ts';
import { inSoak } from '../../support/in-part.ts';
import { newPerson, type Person, type Ran, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { scratchFolder } from '../../support/world.ts';

const ids = Array.from({ length: 40 }, (_, index) => `k${String(index).padStart(2, '0')}`);
const lost = ['k07', 'k31'];

/** The place of the values: local data of this process, or a server. */
interface Setting {
  readonly person: Person;
  readonly place: readonly string[];
  readonly to: readonly string[];
  /** The flags with which a command acts on the destination. */
  readonly other: readonly string[];
  readonly blobs: string;
}

/** Deletes the file whose content is this value. */
function lose(blobs: string, value: string): void {
  const file = readdirSync(blobs).find((name) => readFileSync(join(blobs, name), 'utf8') === value);
  unlinkSync(join(blobs, file ?? 'missing'));
}

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

async function readSetting(way: 'in this process' | 'through a server'): Promise<Setting> {
  if (way === 'through a server') {
    const [id, other] = [await served.createNamespace(), await served.createNamespace()];
    const place = ['--namespace-id', id];
    const { blobs } = kvPaths(served.sandbox.folder, id);
    const to = ['--to-namespace-id', other];
    return { person: served.person, place, to, other: ['--namespace-id', other], blobs };
  }
  const person = newPerson();
  const place = ['--local', '--persist-to', 'data', '--namespace-id', 'a'];
  const to = ['--to-local', '--to-persist-to', 'data', '--to-namespace-id', 'b'];
  const other = ['--local', '--persist-to', 'data', '--namespace-id', 'b'];
  return { person, place, to, other, blobs: kvPaths(join(person.cwd, 'data'), 'a').blobs };
}

describe.each(['in this process', 'through a server'] as const)(
  'a value whose file on disk was deleted, %s',
  (way) => {
    let setting: Setting;
    beforeEach(async () => {
      setting = await readSetting(way);
      const stdin = JSON.stringify(ids.map((key) => ({ key, value: `value of ${key}` })));
      const put = ['kv', 'bulk', 'put', '-', ...setting.place];
      expect(await runCommand(setting.person, put, { stdin })).toMatchObject({ code: 0 });
      for (const key of lost) lose(setting.blobs, `value of ${key}`);
    });

    const run = (command: readonly string[], more: readonly string[] = [], stdin?: string): Promise<Ran> =>
      runCommand(
        setting.person,
        ['kv', ...command, ...setting.place, ...more],
        stdin === undefined ? {} : { stdin },
      );
    const words = 'Skipped 2 keys whose values the platform has lost: "k07", "k31"';

    test('is distinguished from a missing key by kv key get', async () => {
      const ran = await run(['key', 'get', 'k07']);
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.err).toContain('The value of the key "k07" is lost');
      expect(await run(['key', 'get', 'other'])).toMatchObject({ code: 3 });
    });

    test('is named by kv export, which continues and exits with 6', async () => {
      const ran = await run(['export']);
      expect(ran).toMatchObject({ code: 6, err: expect.stringContaining(words) });
      const keys = ran.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).key);
      expect(keys).toEqual(ids.filter((key) => !lost.includes(key)));
      const file = await run(['export'], ['--output', join(scratchFolder(), 'out.ndjson'), '--json']);
      expect(file.code).toBe(6);
      expect(JSON.parse(file.out)).toMatchObject({ exported: 38, lost: 2, lostKeys: lost });
    });

    test('is named by kv copy, which copies all other values and exits with 6', async () => {
      const before = await run(['copy'], [...setting.to, '--dry-run']);
      expect(before).toMatchObject({
        code: 0,
        out: expect.stringContaining('up to 40 keys would be created'),
      });
      const ran = await run(['copy'], setting.to);
      expect(ran).toMatchObject({ code: 6, err: expect.stringContaining(words) });
      expect(ran.out).toContain('Copied 38 keys');
      const again = await run(['copy'], [...setting.to, '--on-conflict', 'skip', '--json']);
      expect(again.code).toBe(6);
      expect(JSON.parse(again.out)).toMatchObject({ copied: 0, skipped: 38, lost: 2, lostKeys: lost });
    });

    test('counts as an existing key in a preview', async () => {
      const entries = JSON.stringify(['k06', 'k07', 'none'].map((key) => ({ key, value: 'x' })));
      const put = await run(['bulk', 'put', '-'], ['--dry-run', '--verbose'], entries);
      expect(put.out.split('\n').slice(0, 3)).toEqual(['~ k06', '~ k07', '+ none']);
      const removed = await run(
        ['bulk', 'delete', '-'],
        ['--dry-run', '--json'],
        JSON.stringify(['k07', 'none']),
      );
      expect(JSON.parse(removed.out)).toMatchObject({ delete: 1, missing: 1 });
    });

    inSoak(() => {
      test('is named by kv diff, a search and kv bulk get', async () => {
        await run(['copy'], setting.to);
        const diff = await run(['diff'], setting.to);
        expect(diff).toMatchObject({ code: 7, out: '- k07\n- k31\n' });
        const stdin = JSON.stringify(lost.map((key) => ({ key, value: 'whole' })));
        await runCommand(setting.person, ['kv', 'bulk', 'put', '-', ...setting.other], { stdin });
        const both = await run(['diff'], setting.to);
        expect(both).toMatchObject({ code: 6, out: '~ k07 (value)\n~ k31 (value)\n' });
        expect(both.err).toContain(words);
        const search = await run(['key', 'list'], ['--value-contains', 'k1']);
        expect(search).toMatchObject({ code: 6, err: expect.stringContaining(words) });
        expect(JSON.parse(search.out)).toHaveLength(10);
        const got = await run(['bulk', 'get', '-'], [], JSON.stringify(['k06', 'k07', 'k31', 'none']));
        expect(got).toMatchObject({ code: 6, err: expect.stringContaining(words) });
        expect(got.err).toContain('1 of 4 keys did not exist');
        expect(JSON.parse(got.out)).toEqual({ k06: 'value of k06', k07: null, k31: null, none: null });
      });
    });
  },
);

test('omits an expired key silently', async () => {
  const person = newPerson();
  const place = ['--local', '--persist-to', 'data', '--namespace-id', 'a'];
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const put = ['kv', 'key', 'put', 'k', 'v', '--ttl', '60', ...place];
  expect(await runCommand(person, put, { now })).toMatchObject({ code: 0 });
  clock.now += 61_000;
  expect(await runCommand(person, ['kv', 'export', ...place], { now })).toMatchObject({ code: 0, out: '' });
  expect(await runCommand(person, ['kv', 'key', 'get', 'k', ...place], { now })).toMatchObject({ code: 3 });
});

test('names an object whose file is lost, and returns all other objects', async () => {
  const person = newPerson();
  const at = ['--local', '--persist-to', 'data'];
  for (const key of ['one', 'two', 'three']) {
    writeFileSync(join(person.cwd, key), `bytes of ${key}`);
    const put = ['objstore', 'object', 'put', `pictures/${key}`, '--path', key, ...at];
    expect(await runCommand(person, put)).toMatchObject({ code: 0 });
  }
  lose(bucketPaths(join(person.cwd, 'data'), 'pictures').blobs, 'bytes of two');
  const alone = await runCommand(person, ['objstore', 'object', 'get', 'pictures/two', ...at]);
  expect([alone.code, alone.out]).toEqual([1, '']);
  expect(alone.err).toContain('The value of the object "two" is lost');
  const folder = await runCommand(person, [
    'objstore',
    'object',
    'get',
    'pictures/',
    '--recursive',
    '--file',
    'out',
    ...at,
  ]);
  expect(folder).toMatchObject({ code: 6, err: expect.stringContaining('two') });
  expect(readdirSync(join(person.cwd, 'out')).sort()).toEqual(['one', 'three']);
});
