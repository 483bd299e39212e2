import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { seteuid } from 'node:process';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { orUnreadableProblem, readTrusted, untrustedProblem } from '../../src/files/trust-problems.ts';
import { ownUid } from '../../src/liveness.ts';
import { writeSetting } from '../../src/profiles/settings.ts';
import { scratchFolder } from '../support/world.ts';

// An error about one of edgectl's own files names the fault, and the advice in the error does not make the fault worse.

const uid = ownUid() ?? 0;
const stranger = 65_534;
let folder: string;
let path: string;

beforeEach(() => {
  folder = join(scratchFolder('believed'), 'edgectl');
  mkdirSync(folder, { mode: 0o700 });
  path = join(folder, 'settings.json');
});

const read = () => readTrusted('config-invalid', 'settings', path);

describe('settings', () => {
  test('does not write settings to a folder in which edgectl would not trust them', async () => {
    chmodSync(folder, 0o775);
    await expect(writeSetting(folder, 'theme', 'light')).rejects.toMatchObject({
      code: 'config-invalid',
      message: `${folder} is open to other users (mode 775); nothing is stored in it.`,
      hint: expect.stringContaining(`chmod go-w ${folder}`),
    });
    expect(read()).toBeUndefined();
    chmodSync(folder, 0o755);
    await writeSetting(folder, 'theme', 'light');
    expect(JSON.parse(String(read()))).toEqual({ version: 1, theme: 'light' });
  });

  test('refuses settings if the target of their link has a wrong mode, and suggests a chmod of the target', () => {
    const dotfile = join(dirname(folder), 'dotfile.json');
    writeFileSync(dotfile, '{}');
    chmodSync(dotfile, 0o664);
    symlinkSync(dotfile, path);
    const message = `${dotfile}, the target of ${path}, is open to other users (mode 664); it is not read.`;
    const hint = expect.stringContaining(`chmod go-w ${dotfile}`);
    expect(read).toThrow(expect.objectContaining({ message, hint }));
    chmodSync(dotfile, 0o644);
    expect(String(read())).toBe('{}');
  });
});

test('advises root with another user’s home to run as that user, not to change the owner', () => {
  const doubt = { path, fault: 'owner', owner: 1000 } as const;
  expect(untrustedProblem('config-invalid', path, doubt, undefined, 0).hint).toMatch(
    /^You are root, .*without sudo.*sudo -H/,
  );
  expect(untrustedProblem('config-invalid', path, doubt, undefined, 500).hint).toMatch(/^If .* is yours/);
});

describe('a file that this user cannot read', () => {
  /** Returns the error of reading the file. If the test runs as root, the file is read as another user, because root can read all files. */
  function refusal(): unknown {
    if (uid === 0) seteuid?.(stranger);
    try {
      return orUnreadableProblem('config-invalid', path, () => readFileSync(path));
    } catch (error) {
      return error;
    } finally {
      if (uid === 0) seteuid?.(0);
    }
  }

  beforeEach(() => {
    // Other users cannot access the folder that contains the scratch files, so a new folder is used.
    folder = mkdtempSync(join(tmpdir(), 'edgectl-closed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    path = join(folder, 'settings.json');
    writeFileSync(path, '{}', { mode: 0o600 });
  });

  test('refuses a file that this user cannot read, and names the folder that denies access', () => {
    if (uid !== 0) chmodSync(folder, 0);
    const error = refusal();
    chmodSync(folder, 0o700);
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        new RegExp(`^Cannot read ${path}: ${folder} belongs to .*, and you have no access to it\\.$`),
      ),
      hint: expect.stringContaining(uid === 0 ? 'Set HOME' : `chmod u+rwX ${folder}`),
    });
  });

  test("advises changing the owner or the permissions of an unreadable file in the user's own folder", () => {
    if (uid === 0) chownSync(folder, stranger, stranger);
    else chmodSync(path, 0);
    expect(refusal()).toMatchObject({
      message: expect.stringContaining(`Cannot read ${path}: ${path} belongs to `),
      hint: expect.stringContaining(uid === 0 ? `sudo chown -R ${stranger} ${path}` : `chmod u+rwX ${path}`),
    });
  });
});
