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

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test('a private folder and each that is made above it are their owner’s; what is there keeps its permissions', () => {
  const scratch = scratchFolder();
  const open = join(scratch, 'open');
  mkdirSync(open, { mode: 0o755 });
  makePrivateFolder(join(open, 'a/b/c'));
  makePrivateFolder(join(open, 'a/b/c'));
  makeFolder(join(open, 'd/e'));
  expect(['.', 'a', 'a/b', 'a/b/c'].map((name) => modeOf(join(open, name)))).toEqual([
    '755',
    '700',
    '700',
    '700',
  ]);
  expect(modeOf(join(open, 'd/e'))).toBe((0o777 & ~process.umask()).toString(8));
});

test('a folder that cannot be made is refused in a sentence that names what stands in its way', () => {
  const scratch = scratchFolder();
  writeFileSync(join(scratch, 'file'), '');
  symlinkSync(join(scratch, 'nowhere'), join(scratch, 'dangling'));
  const long = join(scratch, 'n'.repeat(300));
  const wrong: readonly (readonly [path: string, said: string])[] = [
    [join(scratch, 'file'), 'there is something of this name already'],
    [join(scratch, 'file/a/b'), `${join(scratch, 'file')} is a file, not a folder`],
    [join(scratch, 'dangling'), 'there is something of this name already'],
    [join(long, 'a'), 'its name is longer than a name can be'],
  ];
  for (const [path, said] of wrong) {
    expect(() => makeFolder(path), path).toThrow(said);
  }
});

test('a place that takes no folders is refused, and does not spin', async () => {
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
    expect(err).toContain('Cannot make the folder /proc');
  }
});

test('what a sandbox and local data make is readable by their owner only', async () => {
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
  expect(below.filter((path) => modeOf(path) !== '700')).toEqual([]);
});

function foldersOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no other place makes folders recursively', () => {
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

test('a temporary folder that cannot be made is refused with the variable that chooses another', () => {
  const temporary = join(scratchFolder(), 'gone');
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => makeTemporaryFolder('edgectl-')).toThrow(
    expect.objectContaining({
      code: 'system',
      message: `Cannot make a temporary folder in ${temporary}: no such file or directory.`,
      hint: expect.stringContaining('TMPDIR'),
    }),
  );
});

test('a full disk is refused with the file that was not written, and leaves the old one and no other', async () => {
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
    hint: 'Free some space there, then try again.',
  });
  expect([readdirSync(scratch), readFileSync(path, 'utf8')]).toEqual([['settings.toml'], 'old']);
});
