import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inSoak } from '../../../support/in-part.ts';
import { refusing } from '../../../support/proxy.ts';
import { newPerson, type Person, runCommand } from '../../../support/run-command.ts';
import { openServed, type Served } from '../../../support/served.ts';

const day = 86_400;
const now = (): number => Math.floor(Date.now() / 1000);

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly base64?: boolean;
  readonly metadata?: unknown;
  readonly expiration?: number;
}

const local = (id: string): string[] => ['--local', '--persist-to', 'data', '--namespace-id', id];
const toLocal = (id: string): string[] => ['--to-local', '--to-persist-to', 'data', '--to-namespace-id', id];

async function write(person: Person, place: readonly string[], entries: readonly Entry[]): Promise<void> {
  const stdin = JSON.stringify(entries);
  expect(
    await runCommand(person, ['kv', 'bulk', 'put', '-', '--any-key', ...place], { stdin }),
  ).toMatchObject({
    code: 0,
  });
}

async function read(person: Person, place: readonly string[]): Promise<Entry[]> {
  const { code, out } = await runCommand(person, ['kv', 'export', '--format', 'json', ...place]);
  expect(code).toBe(0);
  return JSON.parse(out);
}

/** The entries are in the order of their UTF-8 bytes, which differs from the UTF-16 order. */
const entries: readonly Entry[] = [
  { key: 'a', value: '1' },
  { key: 'b/c', value: '/w==', base64: true },
  { key: 'é', value: 'text', metadata: { plan: 'pro', deep: [1, { x: null }] } },
  { key: '\uffee', value: '', expiration: now() + day },
  { key: '😀', value: 'last', metadata: { n: 1 }, expiration: now() + 2 * day },
];

describe('kv copy', () => {
  it('copies values, metadata and expiry', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    const { code, out } = await runCommand(person, ['kv', 'copy', ...local('a'), ...toLocal('b')]);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Success! Copied 5 keys from namespace id a to namespace id b.\n',
    });
    expect(await read(person, local('b'))).toEqual(entries);
  });

  it('copies nothing if the destination has a key, unless a rule for conflicts is given', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    await write(person, local('b'), [{ key: 'é', value: 'mine' }]);
    const copy = (...flags: string[]) =>
      runCommand(person, ['kv', 'copy', ...local('a'), ...toLocal('b'), ...flags]);

    const refused = await copy();
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('contains 1 key from the source: "é"'),
    });
    expect(await read(person, local('b'))).toEqual([{ key: 'é', value: 'mine' }]);

    const skipped = await copy('--on-conflict', 'skip', '--json');
    expect(JSON.parse(skipped.out)).toMatchObject({ copied: 4, skipped: 1, replaced: 0 });
    expect((await read(person, local('b'))).find(({ key }) => key === 'é')).toEqual({
      key: 'é',
      value: 'mine',
    });

    await runCommand(person, ['kv', 'key', 'delete', 'a', ...local('b')]);
    const preview = await copy('--on-conflict', 'overwrite', '--dry-run', '--json');
    expect(JSON.parse(preview.out)).toMatchObject({ create: 1, replace: 4 });
    const overwritten = await copy('--on-conflict', 'overwrite', '--json');
    expect(JSON.parse(overwritten.out)).toMatchObject({ copied: 5, replaced: 4 });
    expect(await copy('--on-conflict', 'overwrite')).toMatchObject({
      code: 0,
      out: expect.stringContaining(', replacing 5 keys.'),
    });
    expect(await read(person, local('b'))).toEqual(entries);
  });

  it('skips keys that expire within a minute, and reports them', async () => {
    const person = newPerson();
    await write(person, local('a'), [{ key: 'stays', value: '1' }]);
    await runCommand(person, ['kv', 'key', 'put', 'goes', '2', '--ttl', '60', ...local('a')]);
    const { code, err } = await runCommand(person, ['kv', 'copy', ...local('a'), ...toLocal('b')]);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('"goes"') });
    expect(err).not.toContain('"stays"');
    expect(await read(person, local('b'))).toEqual([{ key: 'stays', value: '1' }]);
  });

  it('rejects a namespace as its own destination', async () => {
    const person = newPerson();
    expect(await runCommand(person, ['kv', 'copy', ...local('a'), ...toLocal('a')])).toMatchObject({
      code: 2,
    });
  });

  it('shows the effect on each key with --dry-run, and changes nothing', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    await write(person, local('b'), [{ key: 'a', value: 'mine' }]);
    const { out } = await runCommand(person, [
      ...['kv', 'copy', ...local('a'), ...toLocal('b')],
      ...['--dry-run', '--verbose', '--json', '--on-conflict', 'skip'],
    ]);
    expect(JSON.parse(out)).toMatchObject({
      keys: [{ key: 'a', effect: 'skip' }, ...entries.slice(1).map(({ key }) => ({ key, effect: 'create' }))],
      create: 4,
      skip: 1,
    });
    expect(await read(person, local('b'))).toEqual([{ key: 'a', value: 'mine' }]);
  });
});

describe('kv diff', () => {
  it('shows added, removed and changed keys, and exits with 7', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    await write(person, local('b'), [
      { key: 'a', value: '1' },
      { key: 'b/c', value: '/g==', base64: true },
      { key: 'new', value: '' },
      { key: 'é', value: 'text', metadata: { deep: [1, { x: null }], plan: 'pro' } },
      { key: '😀', value: 'other', metadata: { n: 2 }, expiration: now() + 3 * day },
    ]);
    const diff = (...flags: string[]) =>
      runCommand(person, ['kv', 'diff', ...local('a'), ...toLocal('b'), ...flags]);
    const { code, out, err } = await diff();
    expect(code).toBe(7);
    expect(out).toBe('~ b/c (value)\n+ new\n- \uffee\n~ 😀 (value, metadata, expiration)\n');
    expect(err).toContain('1 added, 1 removed, 2 changed.');

    const json = await diff('--json', '--keys-only');
    expect(json.code).toBe(7);
    expect(JSON.parse(json.out)).toEqual([
      { key: 'new', change: 'added' },
      { key: '\uffee', change: 'removed' },
      { key: '😀', change: 'changed', fields: ['metadata', 'expiration'] },
    ]);
  });

  it('finds no difference from a copy, and exits with 0', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    await runCommand(person, ['kv', 'copy', ...local('a'), ...toLocal('b')]);
    expect(await runCommand(person, ['kv', 'diff', ...local('a'), ...toLocal('b')])).toMatchObject({
      code: 0,
      out: '',
    });
    const json = await runCommand(person, ['kv', 'diff', ...local('a'), ...toLocal('b'), '--json']);
    expect(JSON.parse(json.out)).toEqual([]);
  });
});

describe('kv export', () => {
  it('removes the temporary files of killed exports from the folder, and nothing else', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    const folder = join(person.cwd, 'out');
    mkdirSync(folder);
    const aged = (name: string, hours: number): void => {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), now() - hours * 3600, now() - hours * 3600);
    };
    aged('.edgectl-0123456789abcdef.tmp', 25);
    aged('.edgectl-fedcba9876543210.tmp', 23);
    aged('.edgectl-notes.tmp', 100);
    aged('.edgectl-0123456789abcdef.tmp.mine', 100);
    mkdirSync(join(folder, '.edgectl-00000000000000aa.tmp'));
    utimesSync(join(folder, '.edgectl-00000000000000aa.tmp'), 0, 0);
    const argv = ['kv', 'export', ...local('a'), '--output', 'out/all.json'];
    expect(await runCommand(person, argv)).toMatchObject({ code: 0 });
    expect(readdirSync(folder).sort()).toEqual([
      '.edgectl-00000000000000aa.tmp',
      '.edgectl-0123456789abcdef.tmp.mine',
      '.edgectl-fedcba9876543210.tmp',
      '.edgectl-notes.tmp',
      'all.json',
    ]);
  });

  it('names the file that cannot be written, never the temporary file', async () => {
    const person = newPerson();
    await write(person, local('a'), entries);
    mkdirSync(join(person.cwd, 'folder'));
    for (const [name, reason] of [
      ['folder', 'it is a folder'],
      ['nowhere/all.json', 'folder not found: nowhere'],
    ]) {
      const { code, err } = await runCommand(person, ['kv', 'export', ...local('a'), '--output', name ?? '']);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining(`write ${name}: ${reason}.`),
      });
      expect(err).not.toContain('.edgectl-');
    }
    expect(readdirSync(join(person.cwd, 'folder'))).toEqual([]);
  });

  it('leaves the file unchanged if the platform fails during the export', async () => {
    const served = await openServed();
    try {
      const namespace = await served.createNamespace();
      await write(served.person, ['--namespace-id', namespace], entries);
      writeFileSync(join(served.person.cwd, 'out.json'), 'precious');
      served.proxy.use(({ path }) => (path.endsWith('/bulk/get') ? refusing(500) : undefined));
      const argv = ['kv', 'export', '--namespace-id', namespace, '--output', 'out.json', '--force'];
      expect(await runCommand(served.person, argv)).toMatchObject({ code: 1, out: '' });
      expect(readdirSync(served.person.cwd)).toEqual(['out.json']);
      served.proxy.use(() => undefined);
      expect(await runCommand(served.person, argv)).toMatchObject({ code: 0 });
      expect(existsSync(join(served.person.cwd, 'out.json'))).toBe(true);
    } finally {
      await served.close();
    }
  });
});

describe('a copy between a platform and local data', () => {
  let served: Served;
  let namespace: string;
  beforeEach(async () => {
    served = await openServed();
    namespace = await served.createNamespace();
  });
  afterEach(() => served.close());

  const counted = (count: number): Entry[] =>
    Array.from({ length: count }, (_, index) => ({
      key: `key:${String(index).padStart(6, '0')}`,
      value: `${index}`,
    }));

  /** Returns entries of a million bytes. Each request that a copy sends is limited to 4 MiB, which is the size of four of these entries. */
  const long = (count: number): Entry[] =>
    Array.from({ length: count }, (_, index) => ({ key: `key:${index}`, value: `${index}`.repeat(1e6) }));

  const sources = {
    // A request is limited to 10,000 entries.
    many: counted(10_001),
    two: long(5),
    three: long(9),
  };

  /** Each file is written once, and read by several tests. */
  let folder: string;
  const source = (id: keyof typeof sources): string[] => [
    '--local',
    '--persist-to',
    folder,
    '--namespace-id',
    id,
  ];
  beforeAll(async () => {
    const writer = newPerson();
    folder = join(writer.cwd, 'data');
    for (const id of ['many', 'two', 'three'] as const) await write(writer, source(id), sources[id]);
  });

  it('copies all keys in both directions', async () => {
    const { person } = served;
    await write(person, local('a'), entries);
    const there = ['kv', 'copy', ...local('a'), '--to-namespace-id', namespace];
    expect(await runCommand(person, there)).toMatchObject({ code: 0 });
    const back = ['kv', 'copy', '--namespace-id', namespace, ...toLocal('b')];
    expect(await runCommand(person, back)).toMatchObject({ code: 0 });
    expect(await read(person, local('b'))).toEqual(entries);
  });

  it('is resumed after the confirmed part, even with a rule against existing keys', async () => {
    const { person, proxy } = served;
    // The fault refuses the second of three requests.
    proxy.use(({ body }) => (body.includes('"key:4","value"') ? refusing(503) : undefined));
    const copy = ['kv', 'copy', ...source('three'), '--to-namespace-id', namespace];
    const stopped = await runCommand(person, copy);
    expect(stopped).toMatchObject({ code: 6, out: expect.stringContaining('Copied 5 keys') });
    proxy.use(() => undefined);
    const before = proxy.passed.length;
    const resumed = await runCommand(person, [...copy, '--resume']);
    expect(resumed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Copied 5 keys .* \(4 copied by an earlier run\)/),
    });
    const sent = proxy.passed.slice(before).filter(({ method }) => method === 'PUT');
    expect(sent).toHaveLength(2);
    expect(await read(person, ['--namespace-id', namespace])).toEqual(sources.three);
  });

  inSoak(() => {
    // An interrupted transfer loses nothing. Requests are answered in any order, so a later request can succeed before an earlier request
    // fails.
    it('is resumed from the gap after it fails before a confirmed request, so no key is skipped', async () => {
      const { person, proxy } = served;
      // The fault refuses the first of three requests.
      proxy.use(({ body }) => (body.includes('"key:0","value"') ? refusing(503) : undefined));
      const copy = ['kv', 'copy', ...source('three'), '--to-namespace-id', namespace];
      expect(await runCommand(person, copy)).toMatchObject({ code: 6 });
      expect(
        proxy.passed.some(({ method, body }) => method === 'PUT' && body.includes('"key:4","value"')),
      ).toBe(true);
      proxy.use(() => undefined);
      expect(await runCommand(person, [...copy, '--resume'])).toMatchObject({ code: 0 });
      expect(await read(person, ['--namespace-id', namespace])).toEqual(sources.three);
    });
  });

  inSoak(() => {
    it('reports the same total number of keys in the run after a failure', async () => {
      const { person, proxy } = served;
      proxy.use(({ body }) => (body.includes('"key:010000","value"') ? refusing(503) : undefined));
      const copy = ['kv', 'copy', ...source('many'), '--to-namespace-id', namespace, '--json'];
      const totals = ({ err }: { err: string }): unknown[] =>
        err
          .split('\n')
          .filter((line) => line.includes('"copying"'))
          .map((line) => JSON.parse(line).total);
      let time = Date.now();
      // Progress is reported once a second. The clock of this test advances by a second at each reading, so that progress is reported even on
      // a fast machine.
      const clock = {
        get now() {
          time += 1000;
          return time;
        },
        set now(later: number) {
          time = later;
        },
      };
      const stopped = await runCommand(person, copy, { clock });
      proxy.use(() => undefined);
      const resumed = await runCommand(person, [...copy, '--resume'], { clock });
      expect(new Set([...totals(stopped), ...totals(resumed)])).toEqual(new Set([10_001]));
      expect(JSON.parse(resumed.out)).toMatchObject({ copied: 1, earlier: 10_000 });
    });
  });

  it.each(['refused', 'unreachable'])(
    'keeps the checkpoint of an interrupted copy if it is %s',
    async (how) => {
      const { person, proxy } = served;
      proxy.use(({ body }) => (body.includes('"key:4","value"') ? refusing(503) : undefined));
      const copy = ['kv', 'copy', ...source('two'), '--to-namespace-id', namespace];
      expect(await runCommand(person, copy)).toMatchObject({ code: 6 });
      proxy.use(() => (how === 'unreachable' ? 'cut' : undefined));
      const again = await runCommand(person, copy);
      expect(again).toMatchObject({ code: 1, out: '' });
      if (how === 'refused') expect(again.err).toContain(`To resume the interrupted copy: edgectl`);
      if (how === 'refused') expect(again.err).toContain(`--to-namespace-id ${namespace} --resume`);
      proxy.use(() => undefined);
      expect(await runCommand(person, [...copy, '--resume'])).toMatchObject({
        code: 0,
        out: expect.stringContaining('(4 copied by an earlier run)'),
      });
      expect(await read(person, ['--namespace-id', namespace])).toEqual(sources.two);
    },
  );

  it('drops the checkpoint of the interrupted copy at its first write if it starts over', async () => {
    const { person, proxy } = served;
    proxy.use(({ body }) => (body.includes('"key:4","value"') ? refusing(503) : undefined));
    const copy = [
      ...['kv', 'copy', ...source('two')],
      '--to-namespace-id',
      namespace,
      '--on-conflict',
      'overwrite',
    ];
    expect(await runCommand(person, copy)).toMatchObject({ code: 6 });
    proxy.use(({ path }) => (path.endsWith('/bulk') ? 'cut' : undefined));
    expect(await runCommand(person, copy)).toMatchObject({ code: 1 });
    proxy.use(() => undefined);
    expect(await runCommand(person, [...copy, '--resume'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Copied 5 keys[^()]*$/),
    });
  });
});
