import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FoundKind, findDoubt, openFound, readFound, requirements } from '../../src/files/found.ts';
import { describeDoubt } from '../../src/files/trust-problems.ts';
import { ownUid } from '../../src/liveness.ts';
import { scratchFolder } from '../support/world.ts';

type Result = 'believed' | 'owner' | 'mode' | 'link' | 'kind' | 'size';

interface Expected {
  readonly stranger: Result;
  readonly groupWritable: Result;
  readonly readable: Result;
  readonly link: Result;
  readonly oversized: Result;
  readonly strangersFolder: Result;
  readonly groupWritableFolder: Result;
  /** The result for root's file, read by another user. */
  readonly roots: Result;
}

const privateFile: Expected = {
  stranger: 'owner',
  groupWritable: 'mode',
  readable: 'believed',
  link: 'link',
  oversized: 'size',
  strangersFolder: 'owner',
  groupWritableFolder: 'mode',
  roots: 'believed',
};
const folder: Expected = {
  ...privateFile,
  oversized: 'believed',
  strangersFolder: 'believed',
  groupWritableFolder: 'believed',
};
const project: Expected = { ...privateFile, groupWritable: 'believed', groupWritableFolder: 'believed' };

/** These expectations are written by hand from the threats in docs/threat-model.md, not copied from the table in the code. */
const expected: Readonly<Record<FoundKind, Expected>> = {
  'cache-folder': { ...folder, roots: 'owner' },
  'compiled-code': { ...privateFile, roots: 'owner' },
  settings: { ...privateFile, link: 'believed' },
  state: privateFile,
  plan: privateFile,
  completion: privateFile,
  undo: { ...privateFile, readable: 'mode', roots: 'owner' },
  audit: { ...privateFile, readable: 'mode', roots: 'owner' },
  pace: { ...privateFile, readable: 'mode', roots: 'owner' },
  guards: { ...folder, readable: 'mode', roots: 'owner' },
  lease: {
    ...privateFile,
    readable: 'mode',
    roots: 'owner',
    strangersFolder: 'believed',
    groupWritableFolder: 'believed',
  },
  'data-folder': { ...folder, groupWritable: 'believed' },
  configuration: { ...project, link: 'believed' },
  'folder-policy': project,
  'folder-profile': project,
};

const kinds = Object.keys(expected) as FoundKind[];
const stranger = 65_534;
const uid = ownUid() ?? 0;

let path: string;
/** The user who reads the file, and the owner of the working directory (root or the user). */
let reader: { uid: number; cwd: string };

beforeEach(() => {
  const top = scratchFolder('found');
  mkdirSync(join(top, 'in'), { mode: 0o700 });
  path = join(top, 'in', 'it');
  reader = { uid, cwd: top };
});
afterEach(() => rmSync(dirname(path), { recursive: true, force: true }));

function make(kind: FoundKind): void {
  if (requirements[kind].is === 'folder') mkdirSync(path, { mode: 0o700 });
  else writeFileSync(path, 'content', { mode: 0o600 });
}

/** Gives the file to another user if the test runs as root. Otherwise the test reads the file as another user. */
function giveAway(what: string): void {
  if (uid === 0) chownSync(what, stranger, stranger);
  else reader = { ...reader, uid: uid + 1 };
}

function result(kind: FoundKind): Result {
  return findDoubt(kind, path, reader)?.fault ?? 'believed';
}

describe.each(kinds)('%s', (kind) => {
  const want = expected[kind];
  const isFile = requirements[kind].is === 'file';

  test('trusts and reads a file that belongs to the user; a missing file is not an error', () => {
    expect(findDoubt(kind, path, reader)).toBeUndefined();
    expect(readFound(kind, path, reader)).toBeUndefined();
    make(kind);
    expect(result(kind)).toBe('believed');
    if (isFile) expect(readFound(kind, path, reader)).toEqual({ bytes: Buffer.from('content') });
  });

  test('does not trust a file of another user', () => {
    make(kind);
    giveAway(path);
    expect(result(kind)).toBe(want.stranger);
  });

  test('does not trust a file that a group can change, or that everyone can read', () => {
    make(kind);
    chmodSync(path, isFile ? 0o660 : 0o770);
    expect(result(kind)).toBe(want.groupWritable);
    chmodSync(path, isFile ? 0o644 : 0o755);
    expect(result(kind)).toBe(want.readable);
  });

  test('trusts a link to a file of the user, but not a link to a file of another user', () => {
    make(kind);
    const target = path;
    path = join(dirname(path), 'link');
    symlinkSync('it', path);
    expect(result(kind)).toBe(want.link);
    if (isFile)
      expect(readFound(kind, path, reader)).toHaveProperty(want.link === 'link' ? 'doubt' : 'bytes');
    giveAway(target);
    expect(result(kind)).not.toBe('believed');
    expect(readFound(kind, path, reader)).toHaveProperty('doubt');
  });

  test('does not trust an oversized file', () => {
    make(kind);
    const required = requirements[kind];
    const size = 'size' in required ? required.size : 0;
    if (isFile) truncateSync(path, size + 1);
    expect(result(kind)).toBe(want.oversized);
    if (isFile)
      expect(openFound(kind, path, reader)).toEqual({ doubt: { path, fault: 'size', limit: size } });
  });

  test('does not trust a folder where a file is expected, or a file where a folder is expected', () => {
    if (isFile) mkdirSync(path);
    else writeFileSync(path, '');
    expect(result(kind)).toBe('kind');
  });

  test('trusts a file in a sticky folder, but not in a folder of another user or one that a group can change', () => {
    make(kind);
    chmodSync(dirname(path), 0o770);
    expect(result(kind)).toBe(want.groupWritableFolder);
    chmodSync(dirname(path), 0o1777);
    expect(result(kind)).toBe('believed');
    chmodSync(dirname(path), 0o700);
    if (uid !== 0) return;
    chownSync(dirname(path), stranger, stranger);
    expect(result(kind)).toBe(want.strangersFolder);
  });

  test("does not trust a file of root for another user; root trusts a file of the working directory's owner", () => {
    make(kind);
    if (uid !== 0) return;
    expect(findDoubt(kind, path, { uid: stranger })?.fault ?? 'believed').toBe(want.roots);
    chownSync(path, stranger, stranger);
    chownSync(reader.cwd, stranger, stranger);
    expect(result(kind)).toBe(want.roots);
  });
});

test('does not follow a loop of links, or another user’s link', () => {
  symlinkSync('it', path);
  expect(result('configuration')).toBe('link');
  if (uid !== 0) return;
  const middle = join(dirname(path), 'middle');
  const own = join(dirname(path), 'own');
  writeFileSync(own, '', { mode: 0o600 });
  rmSync(path);
  symlinkSync('middle', path);
  symlinkSync('own', middle);
  expect(result('configuration')).toBe('believed');
  execFileSync('chown', ['-h', String(stranger), middle]);
  expect(findDoubt('configuration', path, reader)).toEqual({
    path: middle,
    fault: 'owner',
    owner: stranger,
  });
});

test('does not check owner and mode on a system where users have no ids', () => {
  writeFileSync(path, '', { mode: 0o666 });
  expect(findDoubt('undo', path, { uid: undefined })).toBeUndefined();
});

test('describes an untrusted file with its owner and mode', () => {
  const at = { path: '/x' };
  expect(describeDoubt({ ...at, fault: 'owner', owner: 0 })).toBe('belongs to root (user id 0)');
  expect(describeDoubt({ ...at, fault: 'owner', owner: 4_000_000 })).toBe(
    'belongs to the user with the id 4000000',
  );
  expect(describeDoubt({ ...at, fault: 'mode', mode: 0o664 })).toBe('is open to other users (mode 664)');
  expect(describeDoubt({ ...at, fault: 'mode', mode: 0o644 })).toBe('is open to other users (mode 644)');
  expect(describeDoubt({ ...at, fault: 'size', limit: 1024 })).toBe('is longer than 1 KiB');
});
