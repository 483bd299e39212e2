import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findConfig, missingConfig } from '../../src/config/find.ts';
import { readConfig } from '../../src/config/read.ts';
import { folderWith } from './folder.ts';

describe('the configuration file', () => {
  test('the configuration file is the nearest edgectl.toml in the folder or above it', async () => {
    const root = folderWith({ 'edgectl.toml': '', 'a/edgectl.toml': '', 'a/b/c/x.txt': '' });
    expect(await findConfig({ cwd: join(root, 'a/b/c') })).toEqual({
      path: join(root, 'a/edgectl.toml'),
      format: 'toml',
      fallback: false,
    });
  });

  test('edgectl.json is the configuration file only with the JSON flag', async () => {
    const root = folderWith({ 'edgectl.json': '{}', 'edgectl.toml': '' });
    expect((await findConfig({ cwd: root }))?.path).toBe(join(root, 'edgectl.toml'));
    expect(await findConfig({ cwd: root, json: true })).toEqual({
      path: join(root, 'edgectl.json'),
      format: 'jsonc',
      fallback: false,
    });
  });

  test('a wrangler file is used if there is no edgectl file above, and a message reports this', async () => {
    const root = folderWith({ 'wrangler.toml': '', 'a/wrangler.jsonc': '{}', 'a/b/x.txt': '' });
    expect(await findConfig({ cwd: join(root, 'a/b') })).toEqual({
      path: join(root, 'a/wrangler.jsonc'),
      format: 'jsonc',
      fallback: true,
    });
    expect(await findConfig({ cwd: root })).toEqual({
      path: join(root, 'wrangler.toml'),
      format: 'toml',
      fallback: true,
    });
  });

  test('prefers an edgectl file several folders above to a wrangler file in the folder', async () => {
    const root = folderWith({ 'edgectl.toml': '', 'a/wrangler.toml': '' });
    expect((await findConfig({ cwd: join(root, 'a') }))?.path).toBe(join(root, 'edgectl.toml'));
  });

  test('ignores a folder with the name of a configuration file, and works without a configuration', async () => {
    const root = folderWith();
    mkdirSync(join(root, 'edgectl.toml'));
    expect(await findConfig({ cwd: root })).toBeUndefined();
  });
});

describe('a named configuration file', () => {
  test.each([
    ['conf/my.toml', 'toml'],
    ['conf/my.json', 'jsonc'],
    ['conf/my.JSONC', 'jsonc'],
  ])('resolves the named file %s to %s, relative to the folder', async (name, format) => {
    const root = folderWith({ [name]: '', 'edgectl.toml': '' });
    const found = { path: join(root, name), format, fallback: false };
    expect(await findConfig({ cwd: root, config: name })).toEqual(found);
    expect(await findConfig({ cwd: root, config: join(root, name), json: true })).toEqual(found);
  });

  test('refuses a missing file, regardless of the other files in the folder', async () => {
    const root = folderWith({ 'edgectl.toml': '' });
    await expect(findConfig({ cwd: root, config: 'other.toml' })).rejects.toMatchObject({
      code: 'config-invalid',
      message: `Configuration file not found: ${join(root, 'other.toml')}.`,
    });
  });

  test('refuses another file extension, unless the JSON flag is set', async () => {
    const root = folderWith({ 'conf.txt': '{}' });
    await expect(findConfig({ cwd: root, config: 'conf.txt' })).rejects.toMatchObject({ code: 'usage' });
    await expect(findConfig({ cwd: root, config: '' })).rejects.toMatchObject({ code: 'usage' });
    expect((await findConfig({ cwd: root, config: 'conf.txt', json: true }))?.format).toBe('jsonc');
  });
});

test('explains what to do if no configuration is found', async () => {
  const root = folderWith({ 'a/edgectl.json': '{}' });
  const plain = await missingConfig('--binding needs a configuration', { cwd: root });
  expect(plain).toMatchObject({
    code: 'config-invalid',
    message: `--binding needs a configuration, but there is no edgectl.toml in ${root} or above it.`,
    remedy: { kind: 'name-config', file: 'edgectl.toml' },
  });
  const unread = await missingConfig('It is needed', { cwd: join(root, 'a') });
  expect(unread.remedy).toEqual({ kind: 'read-json-config', file: join(root, 'a/edgectl.json') });
});

test('names the type of a folder, a pipe and a device, and opens none of them', async () => {
  const cwd = folderWith({ 'folder.toml/x': '' });
  symlinkSync('/dev/zero', join(cwd, 'zero.toml'));
  execFileSync('mkfifo', [join(cwd, 'pipe.toml')]);
  const said = {
    'folder.toml': 'a folder',
    'zero.toml': 'a pipe or a device',
    'pipe.toml': 'a pipe or a device',
  };
  for (const [config, what] of Object.entries(said)) {
    await expect(findConfig({ cwd, config })).rejects.toMatchObject({
      code: 'config-invalid',
      message: `${join(cwd, config)} is ${what}, not a configuration file.`,
    });
  }
});

test('refuses a file of gigabytes without reading it', async () => {
  const path = join(folderWith({ 'edgectl.toml': '' }), 'edgectl.toml');
  truncateSync(path, 64 * 1024 ** 3);
  await expect(readConfig({ path, format: 'toml', fallback: false })).rejects.toMatchObject({
    message: `${path} is longer than 1 MiB, the maximum for a configuration.`,
  });
});
