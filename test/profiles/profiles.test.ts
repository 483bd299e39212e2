import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/profiles/profile.ts';
import { openProfiles } from '../../src/profiles/profiles.ts';
import { scratchFolder } from '../support/world.ts';

function emptyFolder(): string {
  return join(scratchFolder('profiles'), 'config');
}

const prod: Profile = {
  name: 'prod',
  apiBaseUrl: 'https://api.example.com/client/v4',
  auth: { token: 't0ken' },
  accountId: 'acc'.padStart(32, '0'),
  brand: 'cloudflare',
};
const mail: Profile = { ...prod, name: 'mail-2', auth: { email: 'a@b.c', apiKey: 'key' }, brand: 'acme' };

describe('profiles', () => {
  test('are empty at first, and reading them creates nothing', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    expect(profiles.list()).toEqual([{ name: 'sandbox', builtIn: true, chosen: false }]);
    expect(profiles.chosen()).toBeUndefined();
    expect(profiles.find('prod')).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  test('are the same in another process', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    profiles.save(prod);
    profiles.save(mail);
    profiles.use('mail-2');
    const again = await openProfiles(folder);
    expect(again.find('prod')).toEqual(prod);
    expect(again.chosen()).toBe('mail-2');
    expect(again.list()).toEqual([
      { name: 'sandbox', builtIn: true, chosen: false },
      { name: 'mail-2', builtIn: false, chosen: true, profile: mail },
      { name: 'prod', builtIn: false, chosen: false, profile: prod },
    ]);
  });

  test('include their zone, and whether they are read-only', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    const zoneId = 'f'.repeat(32);
    profiles.save({ ...prod, zoneId, readOnly: true });
    profiles.save({ ...mail, readOnly: false });
    expect(profiles.find('prod')).toEqual({ ...prod, zoneId, readOnly: true });
    expect(profiles.find('mail-2')).toEqual(mail);
    expect(readFileSync(join(folder, 'profiles/mail-2.json'), 'utf8')).not.toContain('readOnly');
  });

  test('are not saved in a folder that others can write to', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    profiles.save(prod);
    chmodSync(join(folder, 'profiles'), 0o777);
    expect(() => profiles.save({ ...prod, name: 'other' })).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        message: expect.stringContaining('nothing is stored in it'),
      }),
    );
    expect(readdirSync(join(folder, 'profiles'))).toEqual(['prod.json']);
  });

  test('are in files that only their owner can read, even if other users could read the file before', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    profiles.save(prod);
    const path = join(folder, 'profiles/prod.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'profiles')).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o644);
    profiles.save({ ...prod, auth: { token: 'new' } }, { replace: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'profiles'))).toEqual(['prod.json']);
  });

  test('are listed by name, and other files are ignored', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    for (const name of ['m', 'z', 'a', 'k']) profiles.save({ ...prod, name });
    for (const file of ['Bad Name.json', 'sandbox.json', 'b.txt', 'notes.text'])
      writeFileSync(join(folder, 'profiles', file), '{');
    expect(profiles.names()).toEqual(['a', 'k', 'm', 'z']);
    expect(profiles.list().map(({ name }) => name)).toEqual(['sandbox', 'a', 'k', 'm', 'z']);
  });

  test('are not replaced without an explicit request', async () => {
    const profiles = await openProfiles(emptyFolder());
    profiles.save(prod);
    expect(() => profiles.save({ ...prod, auth: { token: 'other' } })).toThrow(
      expect.objectContaining({ code: 'usage', message: 'A profile "prod" already exists.' }),
    );
    expect(profiles.find('prod')).toEqual(prod);
  });

  test('have no chosen profile after the chosen profile is removed', async () => {
    const profiles = await openProfiles(emptyFolder());
    profiles.save(prod);
    profiles.save(mail);
    profiles.use('prod');
    profiles.remove('mail-2');
    expect(profiles.chosen()).toBe('prod');
    profiles.remove('prod');
    expect(profiles.names()).toEqual([]);
    expect(profiles.chosen()).toBeUndefined();
  });

  test('are listed in the error about a profile that does not exist', async () => {
    const profiles = await openProfiles(emptyFolder());
    profiles.save(prod);
    const refusal = expect.objectContaining({ code: 'usage', hint: 'Existing profiles: sandbox, prod.' });
    expect(() => profiles.use('nope')).toThrow(refusal);
    // The built-in profile cannot be removed.
    const stored = expect.objectContaining({ code: 'usage', hint: 'Profiles that can be used here: prod.' });
    expect(() => profiles.remove('nope')).toThrow(stored);
  });

  test.each(['', 'Prod', 'a b', '../prod', 'a/b', '-x', '.', 'x'.repeat(33), 'con:'])(
    'cannot have the name %j',
    async (name) => {
      const folder = emptyFolder();
      const profiles = await openProfiles(folder);
      expect(() => profiles.save({ ...prod, name })).toThrow(
        expect.objectContaining({ code: 'usage', hint: expect.stringMatching(/^A name has 1 to 32 /) }),
      );
      expect(() => profiles.remove(name)).toThrow(expect.objectContaining({ code: 'usage' }));
      expect(profiles.find(name)).toBeUndefined();
      expect(existsSync(folder)).toBe(false);
    },
  );

  test.each([
    { auth: { token: 'with space' } },
    { auth: { token: '' } },
    { auth: { email: 'a@b.c', apiKey: 'nø' } },
    { apiBaseUrl: 'http://example.com/client/v4' },
    { accountId: 'a/b' },
    { brand: 'Acme Inc' },
  ])('cannot contain %j', async (wrong) => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    expect(() => profiles.save({ ...prod, ...wrong })).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(existsSync(folder)).toBe(false);
  });
});

test('accepts the sandbox as the chosen profile, and refuses to save or remove it', async () => {
  const profiles = await openProfiles(emptyFolder());
  profiles.use('sandbox');
  expect(profiles.chosen()).toBe('sandbox');
  expect(profiles.list()).toEqual([{ name: 'sandbox', builtIn: true, chosen: true }]);
  expect(() => profiles.save({ ...prod, name: 'sandbox' })).toThrow('is built in');
  expect(() => profiles.remove('sandbox')).toThrow('is built in');
});

describe('an invalid file', () => {
  test.each([
    '{"apiBaseUrl": ',
    '{}',
    '[]',
    '{"apiBaseUrl": "https://x/client/v4", "auth": {}}',
    '{"apiBaseUrl": "http://x/client/v4", "auth": {"token": "t"}}',
    '{"apiBaseUrl": "https://x/client/v4", "auth": {"token": "t\\n"}}',
  ])('is named and never overwritten: %s', async (content) => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    profiles.save(prod);
    profiles.save(mail);
    const path = join(folder, 'profiles/prod.json');
    writeFileSync(path, content);
    const refusal = expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringContaining(`${path} cannot be used: `),
      hint: 'Repair or delete the file. edgectl does not overwrite it.',
    });
    expect(() => profiles.find('prod')).toThrow(refusal);
    expect(() => profiles.save(prod, { replace: true })).toThrow(refusal);
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(profiles.list()).toEqual([
      { name: 'sandbox', builtIn: true, chosen: false },
      { name: 'mail-2', builtIn: false, chosen: false, profile: mail },
      { name: 'prod', builtIn: false, chosen: false, problem: refusal },
    ]);
    profiles.remove('prod');
    expect(profiles.names()).toEqual(['mail-2']);
  });

  test('is not overwritten if it contains an invalid choice', async () => {
    const folder = emptyFolder();
    const profiles = await openProfiles(folder);
    profiles.save(prod);
    profiles.use('prod');
    const path = join(folder, 'settings.json');
    writeFileSync(path, '{"profile": 5}');
    expect(() => profiles.use('sandbox')).toThrow(`${path} cannot be used: `);
    expect(readFileSync(path, 'utf8')).toBe('{"profile": 5}');
  });
});

test('keeps all profiles if processes save concurrently', { timeout: 60_000 }, async () => {
  const folder = emptyFolder();
  const module = pathToFileURL(resolve('src/profiles/profiles.ts')).href;
  const script = `
    const { openProfiles } = await import(${JSON.stringify(module)});
    const [folder, letter] = process.argv.slice(1);
    const profiles = await openProfiles(folder);
    const profile = ${JSON.stringify(prod)};
    for (let index = 0; index < 20; index++) profiles.save({ ...profile, name: letter + index });
  `;
  const letters = ['a', 'b', 'c'];
  await Promise.all(
    letters.map(async (letter) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder, letter], {
        stdio: 'inherit',
      });
      const code = await new Promise((done) => child.on('exit', done));
      expect(code).toBe(0);
    }),
  );
  const profiles = await openProfiles(folder);
  expect(profiles.names()).toHaveLength(60);
  expect(profiles.list().every((row) => row.problem === undefined)).toBe(true);
});
