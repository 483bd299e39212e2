import { readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withBookmark, withRecent, withVisit } from '../../src/model/places/memory.ts';
import { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import { scratchFolder } from '../support/world.ts';

const acme = {
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.invalid' },
  accountLabel: 'A',
} as const;

async function open(folder: string, owner: Parameters<typeof ConsoleMemory.open>[1] = acme) {
  const notes: string[] = [];
  return { memory: await ConsoleMemory.open(folder, owner, (message) => notes.push(message)), notes };
}

test('keeps recent places in a file for each profile and account that only the user can read', async () => {
  const folder = scratchFolder();
  const { memory } = await open(folder);
  memory.change((before) => withRecent(before, 'kv/sessions'));
  await memory.save();
  expect((await open(folder)).memory.current.recents).toEqual(['kv/sessions']);
  expect((await open(folder, { ...acme, accountLabel: 'B' })).memory.current.recents).toEqual([]);
  const at = (place: string) => ({ where: { kind: 'sandbox', folder: place }, accountLabel: 'A' }) as const;
  const { memory: sandbox } = await open(folder, at('/one'));
  sandbox.change((before) => withRecent(before, 'kv/other'));
  await sandbox.save();
  expect((await open(folder, at('/one'))).memory.current.recents).toEqual(['kv/other']);
  expect((await open(folder, at('/two'))).memory.current.recents).toEqual([]);
  const elsewhere = { ...acme, where: { ...acme.where, baseUrl: 'https://other.invalid' } };
  expect((await open(folder, elsewhere)).memory.current.recents).toEqual([]);
  const [file = ''] = readdirSync(join(folder, 'console'));
  expect(file).toMatch(/^acme-[0-9a-f]{16}\.json$/);
  expect(statSync(join(folder, 'console', file)).mode & 0o777).toBe(0o600);
});

test('keeps changes that two consoles make at the same time', async () => {
  const folder = scratchFolder();
  const [one, other] = [await open(folder), await open(folder)];
  one.memory.change((before) => withBookmark(before, 'kv/a', true));
  other.memory.change((before) => withBookmark(before, 'kv/b', true));
  await one.memory.save();
  await other.memory.save();
  expect((await open(folder)).memory.current.bookmarks).toEqual(['kv/b', 'kv/a']);
});

test('creates nothing if there is nothing to save, and treats an invalid file as empty with a note', async () => {
  const folder = scratchFolder();
  const { memory } = await open(folder);
  await memory.save();
  expect(readdirSync(folder)).toEqual([]);
  memory.change((before) => withRecent(before, 'kv/sessions'));
  await memory.save();
  const [file = ''] = readdirSync(join(folder, 'console'));
  for (const content of ['{', '{"version":1,"recents":"none"}', '[]']) {
    writeFileSync(join(folder, 'console', file), content);
    const wrong = await open(folder);
    expect(wrong.memory.current.recents).toEqual([]);
    expect(wrong.notes).toEqual([expect.stringContaining(`${file} does not contain the console's places`)]);
  }
  expect(readFileSync(join(folder, 'console', file), 'utf8')).toBe('[]');
});

test('keeps visits by target, and ignores a visit without a target in an older file', async () => {
  const folder = scratchFolder();
  const { memory } = await open(folder);
  memory.change((before) => withRecent(before, 'kv/sessions'));
  await memory.save();
  const [file = ''] = readdirSync(join(folder, 'console'));
  const path = join(folder, 'console', file);
  const older = { ...JSON.parse(readFileSync(path, 'utf8')), visit: { at: 1, namespaces: { a: 'A' } } };
  writeFileSync(path, JSON.stringify(older));
  const after = await open(folder);
  expect(after).toMatchObject({
    notes: [],
    memory: { current: { recents: ['kv/sessions'] }, visitsBefore: {} },
  });
  after.memory.change((before) => withVisit(before, 'production', { at: 2, namespaces: { a: 'A' } }));
  after.memory.change((before) => withVisit(before, 'preview', { at: 3 }));
  await after.memory.save();
  expect((await open(folder)).memory.visitsBefore).toEqual({
    production: { at: 2, namespaces: { a: 'A' } },
    preview: { at: 3 },
  });
});

test('continues if the file cannot be saved', async () => {
  const { memory } = await open('/proc/no-such-folder');
  memory.change((before) => withRecent(before, 'kv/sessions'));
  await memory.save();
  expect(memory.current.recents).toEqual(['kv/sessions']);
});

test('notifies listeners only of changes, until they unsubscribe', async () => {
  const folder = scratchFolder();
  const { memory } = await open(folder);
  let told = 0;
  const unsubscribe = memory.subscribe(() => {
    told += 1;
  });
  memory.change((before) => before);
  await memory.save();
  expect(told).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  memory.change((before) => withRecent(before, 'kv/a'));
  expect(told).toBe(1);
  unsubscribe();
  memory.change((before) => withRecent(before, 'kv/b'));
  expect(told).toBe(1);
  await memory.save();
  memory.change((before) => withRecent(before, 'kv/c'));
  await memory.save();
  expect((await open(folder)).memory.current.recents).toEqual(['kv/c', 'kv/b', 'kv/a']);
});

test('does not follow a link that replaces the file', async () => {
  const folder = scratchFolder();
  const { memory } = await open(folder);
  memory.change((before) => withRecent(before, 'kv/a'));
  await memory.save();
  const [file = ''] = readdirSync(join(folder, 'console'));
  const path = join(folder, 'console', file);
  renameSync(path, join(folder, 'theirs'));
  symlinkSync(join(folder, 'theirs'), path);
  const { memory: linked, notes } = await open(folder);
  expect(linked.current.recents).toEqual([]);
  expect(notes).toHaveLength(1);
});
