import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type UndoEntry, undoLimits } from '../../../src/model/undo/entry.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
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

test('keeps bytes exactly in a file that only its user can read, the newest first', async () => {
  const { journal, folder, clock } = journalAt();
  const bytes = Buffer.from([0, 10, 255, 10]);
  const first = await journal.keep(taken, bytes);
  clock.now += 5;
  await journal.keep({ ...taken, thing: { ...taken.thing, key: 'later\n' } }, Buffer.alloc(0));
  expect(keys((await journal.list()).entries)).toEqual(['later\n', 'k']);
  expect(await journal.read(await journal.find(first.id.slice(0, 6)))).toEqual(bytes);
  expect(names(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  await journal.remove(first);
  await expect(journal.find(first.id)).rejects.toMatchObject({ code: 'not-found' });
});

test('skips with a sentence what is cut, foreign, open to others or a link, and follows none', async () => {
  const { journal, folder } = journalAt();
  const { id } = await journal.keep(taken, Buffer.from('kept'));
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
    `${named('1')} it is not as edgectl wrote it.`,
    `${named('2')} it is not as edgectl wrote it.`,
    `${named('3')} it is a symbolic link.`,
    `${named('4')} it is open to other users (mode 644).`,
    'notes.txt it has no name of an entry.',
  ]);
  expect(await journal.purge()).toBe(5);
  expect(names(folder)).toEqual(['notes.txt']);
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

test('refuses to put back bytes that somebody has changed', async () => {
  const { journal, folder } = journalAt();
  const entry = await journal.keep(taken, Buffer.from('kept'));
  const path = join(folder, names(folder)[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/kept$/, 'kopt'));
  await expect(journal.read(entry)).rejects.toMatchObject({ code: 'store-invalid' });
});

test('forgets what is too old, and the oldest of what is too much', async () => {
  const { journal, folder, clock } = journalAt();
  await journal.keep(taken, Buffer.from('old'));
  clock.now += undoLimits.age + 1;
  expect((await journal.list()).entries).toEqual([]);
  const big = Buffer.alloc(undoLimits.entryBytes);
  for (let at = 0; at < undoLimits.bytes / undoLimits.entryBytes + 1; at++) {
    clock.now += 1;
    await journal.keep({ ...taken, thing: { ...taken.thing, key: `k${at}` } }, big);
  }
  const sizes = names(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(undoLimits.bytes);
  expect(keys((await journal.list()).entries)[0]).toBe('k11');
  expect(keys((await journal.list()).entries)).not.toContain('k0');
});

test('entries of a script never evict those of a person', async () => {
  const home = scratchFolder('undo');
  const clock = { now: Date.UTC(2026, 0, 1) };
  const at = { folders: foldersIn(home), now: () => clock.now, random: testWorld().random };
  const atTerminal = { ...testWorld({ answers: [] }), ...at };
  const person = openJournal(atTerminal);
  const script = openJournal({ ...testWorld(), ...at });
  const { id } = await person.keep(taken, Buffer.from('mine'));
  const big = Buffer.alloc(undoLimits.entryBytes);
  for (let count = 0; count < undoLimits.bytes / undoLimits.entryBytes + 1; count++) {
    clock.now += 1;
    await script.keep(taken, big);
  }
  const { entries } = await person.list();
  const ofScripts = entries.filter(({ by }) => by === 'script');
  expect(entries.filter(({ by }) => by === 'person').map((entry) => entry.id)).toEqual([id]);
  expect(ofScripts.length).toBe(Math.floor(undoLimits.bytes / (undoLimits.entryBytes + 1)));
  await person.purge();
  expect(names(join(at.folders.state, 'undo'))).toEqual([]);
});

test('two processes at once keep each their own', async () => {
  const { journal, other } = journalAt();
  const kept = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? journal : other).keep(taken, Buffer.from(`${at}`))),
  );
  const { entries, skipped } = await journal.list();
  expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
  expect(skipped).toEqual([]);
});

// A file of an older version, or with long metadata, can be larger than all limits together: what was just taken away is
// the one thing that its user wants back.
test('keeps the newest entry even if it alone is larger than the journal may be', async () => {
  const { journal, folder, clock } = journalAt();
  await journal.keep({ ...taken, thing: { ...taken.thing, key: 'before' } }, Buffer.from('small'));
  clock.now += 1;
  const entry = await journal.keep(
    { ...taken, thing: { ...taken.thing, key: 'huge' } },
    Buffer.alloc(undoLimits.bytes),
  );
  expect(keys((await journal.list()).entries)).toEqual(['huge']);
  expect((await journal.read(entry)).length).toBe(undoLimits.bytes);
  expect(names(folder)).toHaveLength(1);
});
