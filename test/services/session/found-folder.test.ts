import { chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownUid } from '../../../src/liveness.ts';
import { findLocalFolder } from '../../../src/services/session/open-session.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';
import { scratchFolder } from '../../support/world.ts';

const stranger = 65_533;

function project(): { base: string; top: string; state: string } {
  const base = scratchFolder('found');
  const top = join(base, '.edgectl');
  const state = join(top, 'state');
  mkdirSync(state, { recursive: true });
  return { base, top, state };
}

test('uses a folder that belongs to the user or is missing, and creates nothing', () => {
  const { base, state } = project();
  expect(findLocalFolder(base)).toBe(state);
  expect(findLocalFolder(base, { uid: ownUid() })).toBe(state);
  const empty = scratchFolder('found');
  expect(findLocalFolder(empty)).toBe(join(empty, '.edgectl', 'state'));
  expect(readdirSync(empty)).toEqual([]);
});

/**
 * Gives a folder to another user, and returns whether this succeeded. Only root can change the owner, and not in containers that have no
 * other user.
 */
function giveAway(path: string): boolean {
  try {
    if (ownUid() === 0) chownSync(path, stranger, stranger);
    return ownUid() === 0;
  } catch {
    return false;
  }
}

test('refuses a folder of another user and names the user, and accepts a folder of root', () => {
  const { base, top, state } = project();
  const canGive = giveAway(base);
  if (ownUid() !== 0) {
    const refusal = { message: expect.stringMatching(/^.*\.edgectl belongs to .*\d+/) };
    expect(() => findLocalFolder(base, { uid: stranger })).toThrow(expect.objectContaining(refusal));
    return;
  }
  expect(findLocalFolder(base, { uid: stranger })).toBe(state);
  if (!canGive) return;
  chownSync(state, stranger, stranger);
  const refusal = {
    code: 'store-invalid',
    message: `${state} belongs to the user with the id ${stranger}, not to you; edgectl uses it only if you specify it.`,
    remedy: { kind: 'name-local-folder', folder: state },
  };
  expect(() => findLocalFolder(base)).toThrow(expect.objectContaining(refusal));
  expect(findLocalFolder(base, { uid: stranger })).toBe(state);
  chownSync(top, 1, 1);
  expect(() => findLocalFolder(base)).toThrow(`${top} belongs to daemon (user id 1), not to you`);
});

test.each(['.edgectl', '.edgectl/state'])(
  'refuses %s that is a link if edgectl found it, and uses it if the user named it',
  async (name) => {
    const person = newPerson();
    const elsewhere = scratchFolder('elsewhere');
    if (name !== '.edgectl') mkdirSync(join(person.cwd, '.edgectl'));
    symlinkSync(elsewhere, join(person.cwd, name));
    const put = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', 'ns', '--local'];
    const ran = await runCommand(person, put);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining(`${join(person.cwd, name)} is a symbolic link`),
    ]);
    expect(ran.err).toContain(`--persist-to ${join(person.cwd, '.edgectl/state')}`);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(await runCommand(person, [...put, '--persist-to', '.edgectl/state'])).toMatchObject({ code: 0 });
    expect(readdirSync(elsewhere)).not.toEqual([]);
  },
);

test('refuses a file where a folder is required', () => {
  const base = scratchFolder('found');
  writeFileSync(join(base, '.edgectl'), '');
  expect(() => findLocalFolder(base)).toThrow(`${join(base, '.edgectl')} is not a folder`);
});
