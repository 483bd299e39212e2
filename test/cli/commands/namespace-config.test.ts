import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inSoak } from '../../support/in-part.ts';
import { program } from '../../support/program.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

let served: Served;

beforeAll(async () => {
  served = await openServed();
});
afterEach(() => served.proxy.use(() => undefined));
afterAll(() => served.close());

/** Returns a person with a working directory, a configuration in it, and the sandbox as their platform. */
function personWith(config: string): Person & { readonly file: string } {
  const person = newPerson(served.person.env);
  const file = join(person.cwd, 'edgectl.toml');
  writeFileSync(file, config);
  return { ...person, file };
}

const changing = (from: number): readonly string[] =>
  served.proxy.passed
    .slice(from)
    .flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

/** Runs `action` when the platform receives the request that creates the namespace. */
function whileCreating(action: () => void): void {
  served.proxy.use(({ method }) => {
    if (method === 'POST') action();
    return undefined;
  });
}

inSoak(() => {
  test('keeps all bindings and ids if six processes create namespaces at the same time', async () => {
    const person = personWith('# the shop\nname = "many"\n');
    const names = Array.from({ length: 6 }, (_, index) => `N${index}`);
    const ends = names.map(async (name) => {
      const argv = [program, 'kv', 'namespace', 'create', name, '--update-config'];
      const env = { PATH: process.env['PATH'] ?? '', HOME: person.home, ...person.env };
      const child = spawn(process.execPath, argv, { cwd: person.cwd, env });
      const out: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.resume();
      const [code] = await once(child, 'close');
      return { code, id: /with id ([0-9a-f]{32})/.exec(Buffer.concat(out).toString())?.[1] };
    });
    const ended = await Promise.all(ends);
    expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
    const text = readFileSync(person.file, 'utf8');
    expect(text).toMatch(/^# the shop\n/);
    expect(parse(text)['kv_namespaces']).toEqual(
      expect.arrayContaining(names.map((binding, index) => ({ binding, id: ended[index]?.id }))),
    );
    expect(readdirSync(person.cwd)).toEqual(['edgectl.toml']);
  });
});

describe('detects that a file cannot be written before any request', () => {
  test.each([
    ['name = "x"\n[vars]\nNEW = "1"\n', '"NEW" is already the name of a plain value (vars), at '],
    ['r2_buckets = [{ binding = "NEW" }]\n', '"NEW" is already the name of a bucket, at '],
    ['kv_namespaces = "odd"\n', 'kv_namespaces must be a list of tables'],
    [
      '[[kv_namespaces]]\nbinding = "NEW"\nid = "0123456789abcdef0123456789abcdef"\n',
      '"NEW" already has the id 0123',
    ],
  ])('reports %j before any request', async (config, said) => {
    const person = personWith(config);
    const from = served.proxy.passed.length;
    const ran = await runCommand(person, ['kv', 'namespace', 'create', 'NEW', '--update-config']);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(said);
    expect(changing(from)).toEqual([]);
    expect(readFileSync(person.file, 'utf8')).toBe(config);
  });

  test('reports a write-protected file before any request', async () => {
    const person = personWith('name = "protected"\n');
    chmodSync(person.file, 0o444);
    const from = served.proxy.passed.length;
    const ran = await runCommand(person, ['kv', 'namespace', 'create', 'NEW', '--update-config']);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain('edgectl.toml is write-protected; nothing was sent.');
    expect(changing(from)).toEqual([]);
  });
});

test('reports that a command waits for the configuration lock; commands that do not need the lock continue', async () => {
  const person = personWith('name = "held"\n');
  const lock = join(person.cwd, '.edgectl.toml.lock');
  const create = ['kv', 'namespace', 'create', 'NEW', '--update-config'];
  symlinkSync('nowhere', lock);
  const clock = { now: Date.now() };
  const waited = await runCommand(person, create, { clock });
  expect(waited).toMatchObject({ code: 1, out: '' });
  expect(waited.err.split(`Waiting for ${lock}, which another process has locked.`)).toHaveLength(2);
  rmSync(lock);
  writeFileSync(lock, 'mine');
  const refused = await runCommand(person, create);
  expect(refused).toMatchObject({ code: 1, out: '', slept: [] });
  expect(refused.err).toContain(`${lock} has the name of an edgectl lock`);
});

describe('a creation during which the configuration file changes', () => {
  const spoilt = [
    ['gone', (file: string) => rmSync(file)],
    ['broken', (file: string) => writeFileSync(file, 'name = ')],
    ['taken', (file: string) => writeFileSync(file, '[vars]\nNEW = 1\n')],
  ] as const;

  test.each(spoilt)(
    'reports the created namespace if the file is %s during the request',
    async (name, spoil) => {
      const person = personWith(`name = "${name}"\n`);
      whileCreating(() => spoil(person.file));
      const ran = await runCommand(person, ['kv', 'namespace', 'create', 'NEW', '--update-config']);
      expect(ran.code).toBe(1);
      const id = /^Created namespace ".*-NEW" with id ([0-9a-f]{32})\.$/m.exec(ran.out)?.[1];
      expect(ran.out).toContain(`[[kv_namespaces]]\nbinding = "NEW"\nid = "${id}"\n`);
      expect(ran.err).toContain(`(${id}) was created, but its binding was not written to ${person.file}: `);
      expect(readdirSync(person.cwd)).not.toContainEqual(expect.stringContaining('.lock'));
    },
  );

  test('reports the created namespace as JSON if the file cannot be written', async () => {
    const person = personWith('name = "json"\n');
    whileCreating(() => rmSync(person.file));
    const ran = await runCommand(person, ['kv', 'namespace', 'create', 'NEW', '--update-config', '--json']);
    expect(ran.code).toBe(1);
    const { id, created, snippet } = JSON.parse(ran.out);
    expect(created).toBe(true);
    expect(snippet).toBe(`[[kv_namespaces]]\nbinding = "NEW"\nid = "${id}"`);
    expect(JSON.parse(ran.err.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'config-not-written' },
    });
  });

  test('adds the binding, and keeps changes that an editor makes at the same time', async () => {
    const person = personWith('name = "edited"\n');
    whileCreating(() => writeFileSync(person.file, '# new\nname = "edited"\n'));
    const ran = await runCommand(person, ['kv', 'namespace', 'create', 'NEW', '--update-config']);
    expect(ran.code).toBe(0);
    expect(readFileSync(person.file, 'utf8')).toMatch(
      /^# new\nname = "edited"\n\n\[\[kv_namespaces\]\]\nbinding = "NEW"\nid = "[0-9a-f]{32}"\n$/,
    );
  });
});

describe('deleting a namespace', () => {
  const create = async (person: Person): Promise<string> => {
    const ran = await runCommand(person, ['kv', 'namespace', 'create', 'GONE', '--update-config', '--json']);
    return JSON.parse(ran.out).id;
  };

  test('reports the bindings that still name the deleted namespace', async () => {
    const person = personWith('name = "left"\n');
    const id = await create(person);
    const ran = await runCommand(person, ['kv', 'namespace', 'delete', '--namespace-id', id, '--yes']);
    expect(ran).toMatchObject({ code: 0, out: `Deleting namespace ${id}.\nDeleted namespace ${id}.\n` });
    expect(ran.err).toContain(
      `The binding "GONE" (id) at ${person.file}:3 still points to the deleted namespace. Remove the binding`,
    );
    expect(readFileSync(person.file, 'utf8')).toContain(id);
  });

  test('removes the bindings with --update-config, and keeps the rest of the file', async () => {
    const person = personWith('# mine\nname = "removed"\n');
    const id = await create(person);
    const ran = await runCommand(person, [
      'kv',
      'namespace',
      'delete',
      '--binding',
      'GONE',
      '--update-config',
      '-y',
    ]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('Removed the binding "GONE" (id) at ');
    expect(readFileSync(person.file, 'utf8')).toMatch(/^# mine\nname = "removed"\n\n?$/);
    const again = await runCommand(person, ['kv', 'namespace', 'list', '--json']);
    expect(again.out).not.toContain(id);
  });

  test('does not delete the namespace if the file cannot be written', async () => {
    const person = personWith('name = "kept"\n');
    const id = await create(person);
    chmodSync(person.file, 0o444);
    const from = served.proxy.passed.length;
    const ran = await runCommand(person, [
      'kv',
      'namespace',
      'delete',
      '--binding',
      'GONE',
      '--update-config',
      '-y',
    ]);
    expect(ran.code).toBe(2);
    expect(changing(from)).toEqual([]);
    expect((await runCommand(person, ['kv', 'namespace', 'list', '--json'])).out).toContain(id);
  });
});

test('creates no namespace without a configuration file for the binding, and explains how to create the file', async () => {
  const person = newPerson(served.person.env);
  const { code, out, err } = await runCommand(person, [
    'kv',
    'namespace',
    'create',
    'NOFILE',
    '--update-config',
  ]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(
    'Nothing was sent: the command changes the configuration file, but there is no edgectl.toml in ',
  );
  expect(err).not.toMatch(/entry is written|Wrote|Creating/);
  expect(readdirSync(person.cwd)).toEqual([]);
  const [, line = ''] = /To create the file: (.*?) {3}/.exec(err) ?? [];
  execFileSync('sh', ['-c', line], { cwd: person.cwd });
  const done = await runCommand(person, ['kv', 'namespace', 'create', 'NOFILE', '--update-config']);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('Wrote binding "NOFILE" to ')]);
  expect(readFileSync(join(person.cwd, 'edgectl.toml'), 'utf8')).toContain('binding = "NOFILE"');
});
