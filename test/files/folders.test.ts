import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder, makePrivateFolder, makeTemporaryFolder } from '../../src/files/folders.ts';
import { replaceFile } from '../../src/files/replace.ts';
import { asProblem } from '../../src/model/problem.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder } from '../support/world.ts';

function getMode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test('creates a private folder and its parents for their owner only; existing folders keep their permissions', () => {
  const scratch = scratchFolder();
  const open = join(scratch, 'open');
  mkdirSync(open, { mode: 0o755 });
  makePrivateFolder(join(open, 'a/b/c'));
  makePrivateFolder(join(open, 'a/b/c'));
  makeFolder(join(open, 'd/e'));
  expect(['.', 'a', 'a/b', 'a/b/c'].map((name) => getMode(join(open, name)))).toEqual([
    '755',
    '700',
    '700',
    '700',
  ]);
  expect(getMode(join(open, 'd/e'))).toBe((0o777 & ~process.umask()).toString(8));
});

test('explains why a folder cannot be created, and names the path that prevents it', () => {
  const scratch = scratchFolder();
  writeFileSync(join(scratch, 'file'), '');
  symlinkSync(join(scratch, 'nowhere'), join(scratch, 'dangling'));
  const long = join(scratch, 'n'.repeat(300));
  const wrong: readonly (readonly [path: string, said: string])[] = [
    [join(scratch, 'file'), 'something with this name already exists'],
    [join(scratch, 'file/a/b'), `${join(scratch, 'file')} is a file, not a folder`],
    [join(scratch, 'dangling'), 'something with this name already exists'],
    [join(long, 'a'), 'its name is too long'],
  ];
  for (const [path, said] of wrong) {
    expect(() => makeFolder(path), path).toThrow(said);
  }
});

test('refuses a folder in which no folder can be created, without looping forever', async () => {
  const person = newPerson();
  writeFileSync(
    join(person.cwd, 'edgectl.toml'),
    `[[kv_namespaces]]\nbinding = "KV"\nid = "${'a'.repeat(32)}"\n`,
  );
  const lines = [
    ['kv', 'key', 'put', 'k', 'v', '--binding', 'KV', '--local', '--persist-to', '/proc/edgectl/x'],
    ['sandbox', 'start', '--port', '0', '--dir', '/proc/edgectl/x'],
    ['init', '/proc/edgectl/x'],
  ];
  for (const line of lines) {
    const { code, err } = await runCommand(person, line);
    expect(code, err).toBe(1);
    expect(err).toContain('Cannot create the folder /proc');
  }
});

test('creates sandbox and local data that only the owner can read', async () => {
  const person = newPerson();
  const folder = join(person.cwd, 'data');
  const at = ['--namespace-id', 'a'.repeat(32), '--local', '--persist-to', folder];
  const written = await runCommand(person, ['kv', 'key', 'put', 'k', 'v', ...at]);
  expect(written.code, written.err).toBe(0);
  const bucket = ['objstore', 'bucket', 'create', 'assets', '--sandbox'];
  expect((await runCommand(person, bucket)).code).toBe(0);
  const put = ['objstore', 'object', 'put', 'assets/a/b', '--path', '-', '--sandbox'];
  expect((await runCommand(person, put, { stdin: 'bytes' })).code).toBe(0);
  const below = [folder, person.home].flatMap((root) => [root, ...foldersOf(root)]);
  expect(below.length).toBeGreaterThan(10);
  expect(below.filter((path) => getMode(path) !== '700')).toEqual([]);
});

function foldersOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no other module creates folders recursively', () => {
  const sources = ['src', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const recursive = sources.filter((file) =>
    /\bmkdir(Sync)?\([^;]*recursive/.test(readFileSync(file, 'utf8')),
  );
  expect(recursive).toEqual([]);
  expect(sources.map((file) => dirname(file))).toContain('src/files');
});

test('names the variable that chooses another temporary folder if the default folder cannot be created', () => {
  const temporary = join(scratchFolder(), 'gone');
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => makeTemporaryFolder('edgectl-')).toThrow(
    expect.objectContaining({
      code: 'system',
      message: `Cannot create a temporary folder in ${temporary}: no such file or directory.`,
      hint: expect.stringContaining('TMPDIR'),
    }),
  );
});

test('names the file that could not be written to a full disk, keeps the previous file, and leaves no temporary file', async () => {
  const scratch = scratchFolder();
  const path = join(scratch, 'settings.toml');
  writeFileSync(path, 'old');
  const replaced = replaceFile({ random: randomBytes }, path, { mode: 0o600, durable: false }, async () => {
    await using full = await open('/dev/full', 'w');
    await full.writeFile('new');
  });
  expect(asProblem(await replaced.catch((error: unknown) => error))).toMatchObject({
    code: 'system',
    message: `Cannot write ${path}: no space left on device (ENOSPC).`,
    hint: 'Free some disk space, then try again.',
  });
  expect([readdirSync(scratch), readFileSync(path, 'utf8')]).toEqual([['settings.toml'], 'old']);
});
