import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type UndoEntry, undoLimits } from '../../../src/model/undo/entry.ts';
import { detectOwner, openJournal } from '../../../src/services/undo/journal.ts';
import { inSoak } from '../../support/in-part.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const taken = {
  did: 'deleted',
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.example.com/client/v4' },
  accountId: 'a'.repeat(32),
  target: 'production',
  thing: { kind: 'value', namespaceId: 'b'.repeat(32), key: 'k', metadata: { owner: 'web' } },
  left: 'nothing',
} as const;

function journalAt(clock = { now: Date.UTC(2026, 0, 1) }) {
  const home = scratchFolder('undo');
  const world = { ...testWorld({ now: () => clock.now }), folders: foldersIn(home) };
  const folder = join(world.folders.state, 'undo');
  return { journal: openJournal(world), other: openJournal(world), folder, clock };
}

const names = (folder: string) => readdirSync(folder).sort();
const keys = (entries: readonly UndoEntry[]) =>
  entries.map(({ thing }) => thing.kind === 'value' && thing.key);

test('saves bytes exactly in a file that only its user can read, and lists the newest entry first', async () => {
  const { journal, folder, clock } = journalAt();
  const bytes = Buffer.from([0, 10, 255, 10]);
  const first = await journal.save(taken, bytes);
  clock.now += 5;
  await journal.save({ ...taken, thing: { ...taken.thing, key: 'later\n' } }, Buffer.alloc(0));
  expect(keys((await journal.list()).entries)).toEqual(['later\n', 'k']);
  expect(await journal.read(await journal.find(first.id.slice(0, 6)))).toEqual(bytes);
  expect(names(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  await journal.remove(first);
  await expect(journal.find(first.id)).rejects.toMatchObject({ code: 'not-found' });
});

test('skips truncated entries, links, and entries of or readable by other users with a message, and follows no link', async () => {
  const { journal, folder } = journalAt();
  const { id } = await journal.save(taken, Buffer.from('kept'));
  const [good = ''] = names(folder);
  const whole = readFileSync(join(folder, good));
  const named = (digit: string) => good.replace(id, digit.repeat(8));
  const renamed = Buffer.from(whole.toString().replace(id, '1'.repeat(8)));
  writeFileSync(join(folder, named('1')), renamed.subarray(0, -1), { mode: 0o600 });
  writeFileSync(join(folder, named('2')), whole, { mode: 0o600 });
  symlinkSync(join(folder, good), join(folder, named('3')));
  writeFileSync(join(folder, named('4')), whole);
  chmodSync(join(folder, named('4')), 0o644);
  writeFileSync(join(folder, 'notes.txt'), 'mine', { mode: 0o600 });
  const { entries, skipped } = await journal.list();
  expect(entries.map((entry) => entry.id)).toEqual([id]);
  expect(skipped.map((sentence) => sentence.replace(/^Skipped .*\/([^/]+): /, '$1 ')).sort()).toEqual([
    `${named('1')} it was changed after edgectl wrote it.`,
    `${named('2')} it was changed after edgectl wrote it.`,
    `${named('3')} it is a symbolic link.`,
    `${named('4')} it is open to other users (mode 644).`,
    'notes.txt it does not have the name of an undo entry.',
  ]);
  expect(await journal.purge()).toEqual({ deleted: 5, newer: 0 });
  expect(names(folder)).toEqual(['notes.txt']);
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

test('keeps the entries of a newer version of edgectl in a purge', async () => {
  const { journal, folder } = journalAt();
  const { id } = await journal.save(taken, Buffer.from('kept'));
  const [name = ''] = names(folder);
  const newer = readFileSync(join(folder, name), 'utf8').replace('"version":2', '"version":99');
  const newerName = name.replace(id, 'f'.repeat(8));
  writeFileSync(join(folder, newerName), newer, { mode: 0o600 });
  expect(await journal.purge()).toEqual({ deleted: 1, newer: 1 });
  expect(names(folder)).toEqual([newerName]);
});

test('refuses to restore bytes that someone has changed', async () => {
  const { journal, folder } = journalAt();
  const entry = await journal.save(taken, Buffer.from('kept'));
  const path = join(folder, names(folder)[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/kept$/, 'kopt'));
  await expect(journal.read(entry)).rejects.toMatchObject({ code: 'store-invalid' });
});

test('removes entries that are too old, and the oldest entries if there are too many', async () => {
  const { journal, folder, clock } = journalAt();
  await journal.save(taken, Buffer.from('old'));
  clock.now += undoLimits.age + 1;
  expect((await journal.list()).entries).toEqual([]);
  const big = Buffer.alloc(undoLimits.entryBytes);
  for (let at = 0; at < undoLimits.bytes / undoLimits.entryBytes + 1; at++) {
    clock.now += 1;
    await journal.save({ ...taken, thing: { ...taken.thing, key: `k${at}` } }, big);
  }
  const sizes = names(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(undoLimits.bytes);
  expect(keys((await journal.list()).entries)[0]).toBe('k11');
  expect(keys((await journal.list()).entries)).not.toContain('k0');
});

test('never removes entries of a person to make room for entries of a script', async () => {
  const home = scratchFolder('undo');
  const clock = { now: Date.UTC(2026, 0, 1) };
  const at = { folders: foldersIn(home), now: () => clock.now, random: testWorld().random };
  const atTerminal = { ...testWorld({ answers: [] }), ...at };
  const person = openJournal(atTerminal);
  const script = openJournal({ ...testWorld(), ...at });
  const { id } = await person.save(taken, Buffer.from('mine'));
  const big = Buffer.alloc(undoLimits.entryBytes);
  for (let count = 0; count < undoLimits.bytes / undoLimits.entryBytes + 1; count++) {
    clock.now += 1;
    await script.save(taken, big);
  }
  const { entries } = await person.list();
  const ofScripts = entries.filter(({ by }) => by === 'script');
  expect(entries.filter(({ by }) => by === 'person').map((entry) => entry.id)).toEqual([id]);
  expect(ofScripts.length).toBe(Math.floor(undoLimits.bytes / (undoLimits.entryBytes + 1)));
  await person.purge();
  expect(names(join(at.folders.state, 'undo'))).toEqual([]);
});

test('keeps the entries of two concurrent processes', async () => {
  const { journal, other } = journalAt();
  const saved = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? journal : other).save(taken, Buffer.from(`${at}`))),
  );
  const { entries, skipped } = await journal.list();
  expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(saved.map(({ id }) => id)));
  expect(skipped).toEqual([]);
});

inSoak(() => {
  // A file from an older version, or a file with long metadata, can exceed the limits on its own. The file is kept if it is the newest
  // entry, because users most often restore the newest deletion.
  test("keeps the newest entry even if it alone exceeds the journal's limit", async () => {
    const { journal, folder, clock } = journalAt();
    await journal.save({ ...taken, thing: { ...taken.thing, key: 'before' } }, Buffer.from('small'));
    clock.now += 1;
    const entry = await journal.save(
      { ...taken, thing: { ...taken.thing, key: 'huge' } },
      Buffer.alloc(undoLimits.bytes),
    );
    expect(keys((await journal.list()).entries)).toEqual(['huge']);
    expect((await journal.read(entry)).length).toBe(undoLimits.bytes);
    expect(names(folder)).toHaveLength(1);
  });
});

const dayOf = (clock: { now: number }, at: number) => String(clock.now - at).padStart(15, '0');

inSoak(() => {
  test('keeps a thousand entries of one owner, and the entries of another owner', async () => {
    const { journal, folder, clock } = journalAt();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const nameAt = (at: number, kind: string) => `${dayOf(clock, at)}-0000000${kind}`;
    for (let at = 1; at < undoLimits.entries; at++)
      writeFileSync(join(folder, nameAt(at, '0.script.undo')), '');
    writeFileSync(join(folder, nameAt(9999, '1.script.undo')), '');
    writeFileSync(join(folder, nameAt(9999, '2.undo')), '');
    await journal.save(taken, Buffer.from('new'));
    const left = names(folder);
    expect(left).toHaveLength(undoLimits.entries + 1);
    expect(left[0]).toBe(nameAt(9999, '2.undo'));
    expect(left).not.toContain(nameAt(9999, '1.script.undo'));
    // One file is exactly at the age limit, another is older.
    writeFileSync(join(folder, nameAt(undoLimits.age, '3.undo')), '');
    writeFileSync(join(folder, nameAt(undoLimits.age + 1, '4.undo')), '');
    await journal.save(taken, Buffer.from('newer'));
    expect(names(folder).filter((name) => /[34]\.undo$/.test(name))).toEqual([
      nameAt(undoLimits.age, '3.undo'),
    ]);
  });
});

test('lists an entry until it is removed', async () => {
  const { journal, clock } = journalAt();
  await journal.save(taken, Buffer.from('old'));
  clock.now += undoLimits.age;
  expect((await journal.list()).entries).toHaveLength(1);
});

test('finds an entry by a unique prefix of its id', async () => {
  const random = [0x1a, 0x1b];
  const clock = { now: Date.UTC(2026, 0, 1) };
  const world = testWorld({ now: () => clock.now });
  const journal = openJournal({
    ...world,
    random: (bytes) => (bytes === 4 ? Buffer.alloc(4, random.shift()) : world.random(bytes)),
  });
  await expect(journal.find('1')).rejects.toThrow('Undo entry "1" not found.');
  await journal.save(taken, Buffer.from('a'));
  expect((await journal.find('1')).id).toBe('1a1a1a1a');
  await expect(journal.find('')).rejects.toMatchObject({ code: 'not-found', remedy: { kind: 'list-kept' } });
  clock.now += 1;
  await journal.save(taken, Buffer.from('b'));
  await expect(journal.find('1')).rejects.toThrow('Several undo entries have an id that starts with "1".');
  expect((await journal.find('1b')).id).toBe('1b1b1b1b');
});

test.each([
  [true, true, false, 'person'],
  [true, false, true, 'person'],
  [true, false, false, 'script'],
  [false, true, true, 'script'],
] as const)('treats stdin %s, stdout %s and stderr %s as a %s', (stdin, stdout, stderr, owner) => {
  const { stdin: input, stdout: out, stderr: err } = testWorld();
  const at = <T extends object>(stream: T, isTTY: boolean) => Object.assign(stream, { isTTY });
  expect(detectOwner({ stdin: at(input, stdin), stdout: at(out, stdout), stderr: at(err, stderr) })).toBe(
    owner,
  );
});

test('saves and removes nothing in a dry run', async () => {
  const world = testWorld();
  const journal = openJournal(world);
  const entry = await journal.save(taken, Buffer.from('a'));
  const dry = openJournal({ ...world, changesNothing: true });
  await dry.prepare();
  expect(await dry.save(taken, Buffer.from('b'))).toMatchObject({ did: 'deleted', size: 1 });
  await dry.remove(entry);
  expect(await dry.purge()).toEqual({ deleted: 0, newer: 0 });
  expect((await journal.list()).entries).toEqual([entry]);
  const untouched = testWorld();
  const none = openJournal({ ...untouched, changesNothing: true });
  await none.prepare();
  await none.save(taken, Buffer.from('b'));
  expect(await none.list()).toEqual({ entries: [], skipped: [] });
  expect(() => readdirSync(untouched.folders.state)).toThrow('ENOENT');
});

test('refuses a state folder that cannot be created before any change', async () => {
  const home = scratchFolder('undo');
  writeFileSync(join(home, 'state'), 'a file');
  const journal = openJournal({ ...testWorld(), folders: foldersIn(home) });
  const refusal = {
    code: 'system',
    message: expect.stringMatching(/^The old state cannot be saved for undo: [^.]+\.$/),
    remedy: { kind: 'change-without-undo' },
  };
  await expect(journal.prepare()).rejects.toMatchObject(refusal);
  await expect(journal.save(taken, Buffer.from('a'))).rejects.toMatchObject(refusal);
});

test('creates the journal folder for its user only', async () => {
  const { journal, folder } = journalAt();
  await journal.prepare();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('ignores a write in progress, which is neither an entry nor an error', async () => {
  const { journal, folder, clock } = journalAt();
  await journal.save(taken, Buffer.from('a'));
  const [name = ''] = names(folder);
  writeFileSync(join(folder, `.edgectl-${'0'.repeat(16)}.tmp`), 'half');
  clock.now += 1;
  expect(await journal.list()).toMatchObject({ skipped: [], entries: [{ size: 1 }] });
  writeFileSync(join(folder, name), '');
  expect((await journal.list()).skipped).toEqual([
    expect.stringContaining('was changed after edgectl wrote it'),
  ]);
});

test('refuses and names an entry whose bytes are missing or not a file', async () => {
  const { journal, folder } = journalAt();
  const entry = await journal.save(taken, Buffer.from('a'));
  const path = join(folder, names(folder)[0] ?? '');
  await journal.list();
  await journal.read(entry);
  expect(openFiles().filter((file) => file.startsWith(folder))).toEqual([]);
  await journal.remove(entry);
  await journal.remove(entry);
  await expect(journal.read(entry)).rejects.toMatchObject({
    code: 'store-invalid',
    message: `${path} no longer exists; nothing was changed.`,
  });
  mkdirSync(path);
  await expect(journal.read(entry)).rejects.toMatchObject({ code: 'store-invalid' });
});

/** Returns the paths of the files that this process has open, if the system lists them. */
function openFiles(): string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return [];
    }
  });
}
