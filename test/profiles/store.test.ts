import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boundFile, findBound } from '../../src/profiles/bound.ts';
import { readSettings, readStored, writeSetting } from '../../src/profiles/settings.ts';
import { openStore, writeStore } from '../../src/profiles/store.ts';
import { isAccepted, rememberAccepted } from '../../src/profiles/trusted.ts';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

test('names a configuration file that cannot be written', () => {
  const home = scratchFolder('limited');
  // A process that is not allowed to write a single byte to a file gets the same kind of errors as on a full disk.
  const limited = `ulimit -f 0; exec "$@"`;
  const argv = ['-c', limited, 'sh', process.execPath, program, 'setting', 'set', 'theme', 'light'];
  const env = { ...userEnvironment(home), XDG_CONFIG_HOME: home };
  // The program's exit code is not checked, because Node tries to write on exit, and is then killed by a signal for exceeding the limit.
  const { stderr } = spawnSync('sh', argv, { env, cwd: home, encoding: 'utf8' });
  expect(stderr).toContain(`Cannot write ${join(home, 'edgectl/settings.json')}: file too large (EFBIG).`);
});

test('sets and unsets a setting without changing other settings or an invalid file', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'settings.json');
  expect(readSettings(folder)).toMatchObject({ undo: 'on', 'read-only': 'off' });
  await writeSetting(folder, 'undo', 'off');
  await writeSetting(folder, 'theme', 'dark');
  expect(readSettings(folder)).toMatchObject({ undo: 'off', theme: 'dark' });
  await writeSetting(folder, 'undo', undefined);
  expect(readStored(folder)).toEqual({ theme: 'dark' });
  for (const [content, reason] of [
    ['{"theme":"pink"}', '"theme" must be one of '],
    ['{"undo":1}', '"undo" must be one of on, off'],
    ['{"trusted-folders":1}', '"trusted-folders" must be one of '],
    ['{', 'JSON'],
  ] as const) {
    writeFileSync(path, content);
    const refusal = {
      code: 'config-invalid',
      message: expect.stringContaining(reason),
      hint: 'Repair or delete the file. edgectl does not overwrite it.',
    };
    expect(() => readSettings(folder)).toThrow(expect.objectContaining(refusal));
    await expect(writeSetting(folder, 'undo', 'off')).rejects.toMatchObject(refusal);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

test('accepts the profile of a folder by the path and profile name of the binding file; refuses an invalid list', async () => {
  const folder = scratchFolder();
  const one = { path: '/a/.edgectl-profile', name: 'prod' };
  const other = { path: '/b/.edgectl-profile', name: 'prod' };
  expect(isAccepted(folder, one)).toBe(false);
  await rememberAccepted(folder, one);
  await rememberAccepted(folder, other);
  expect([one, other, { ...one, name: 'other' }].map((each) => isAccepted(folder, each))).toEqual([
    true,
    true,
    false,
  ]);
  writeFileSync(join(folder, 'trusted.json'), '{"profiles":7}');
  expect(() => isAccepted(folder, one)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      hint: 'Delete the file. edgectl then asks again for each folder.',
    }),
  );
  writeFileSync(join(folder, 'trusted.json'), '{}');
  expect(isAccepted(folder, one)).toBe(false);
});

test('names a file that cannot be overwritten', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'x.json');
  mkdirSync(path);
  const open = await openStore();
  expect(() => writeStore(open, 'settings', 'x', folder, {})).toThrow(expect.objectContaining({ path }));
});

/** Calls a function as a user without search permission for the folder. */
function asOther<T>(folder: string, call: () => T): T {
  chmodSync(folder, 0);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return call();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
}

test('ignores a folder that the user cannot search; reports any other failure', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, boundFile), 'prod\n');
  expect(findBound(join(folder, 'below', 'it'))).toEqual({ name: 'prod', path: join(folder, boundFile) });
  expect(asOther(folder, () => findBound(folder))).toBeUndefined();
  expect(() => findBound(join(folder, 'a'.repeat(300)))).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining('cannot be read: ') }),
  );
});
