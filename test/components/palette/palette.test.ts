import { expect, test } from 'vitest';
import { keymap } from '../../../components/app/keymap.ts';
import { actionsElsewhere } from '../../../components/palette/elsewhere.ts';
import { findEntries, paletteEntries } from '../../../components/palette/entries.ts';
import { rankMatches } from '../../../components/palette/ranking.ts';
import { noMemory } from '../../../src/model/places/memory.ts';

const texts = (...all: string[]) => all.map((text) => ({ text }));
const free = { readOnly: false, selected: true };

test('matches letters in order; contiguous matches and starts of words come first', () => {
  const all = texts('kv/sessions', 'kv/user-sessions', 'hostnames/s.e.s', 'objects/assets', 'workers/api');
  expect(rankMatches(all, 'ses').map(({ text }) => text)).toEqual([
    'kv/sessions',
    'kv/user-sessions',
    'objects/assets',
    'hostnames/s.e.s',
  ]);
  expect(rankMatches(all, 'user kv').map(({ text }) => text)).toEqual(['kv/user-sessions']);
  expect(rankMatches(all, '')).toEqual(all);
  expect(rankMatches(all, '(((')).toEqual([]);
});

test('lists the actions of the pane with keys and reasons, then bookmarks, recent and known places, each once', () => {
  const memory = { ...noMemory, bookmarks: ['kv/a'], recents: ['kv/a', 'kv/b', 'home'] };
  const entries = paletteEntries(
    { mode: 'keys', keys: keymap, situation: { ...free, readOnly: true } },
    memory,
    ['kv/b', 'kv/c'],
  );
  expect(entries).toContainEqual({
    mark: 'n',
    text: 'new: Write a new key',
    label: 'new',
    does: { press: 'n' },
    refusal: 'This session is read-only',
  });
  expect(entries.map(({ text }) => text)).not.toContain('One line up');
  expect(entries.slice(-3).map(({ mark, text }) => `${mark} ${text}`)).toEqual([
    '* kv/a',
    'recent kv/b',
    ' kv/c',
  ]);
});

test('finds the actions of other panes during a search, and shows what to press there', () => {
  const entries = paletteEntries({ mode: 'objects', keys: keymap, situation: free }, noMemory, []);
  const elsewhere = (has = true) => actionsElsewhere('objects', keymap, () => has);
  const [first] = findEntries(entries, 'diag', elsewhere());
  expect(first).toMatchObject({
    mark: '3',
    text: expect.stringMatching(/^Hostnames › diagnose: /),
    does: { goes: { pane: 'hostnames' }, notice: expect.stringMatching(/^D diagnose: /) },
  });
  expect(findEntries(entries, '', elsewhere())).toEqual(entries);
  const texts = elsewhere().map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringMatching(/^Namespaces › Keys › edit: /));
  expect(texts).toContainEqual(expect.stringMatching(/^Workers › logs: /));
  expect(new Set(texts).size).toBe(texts.length);
  // Actions of the pane on the screen are not listed twice, and cursor movements are omitted.
  expect(texts).not.toContainEqual(expect.stringMatching(/^Buckets › Objects › /));
  expect(texts.filter((text) => /reload|One line|› filter/.test(text))).toEqual([]);
  expect(elsewhere(false)[0]?.refusal).toBe('There are no namespaces here');
});

test('ranks an area above its contents, and whole words above their starts', () => {
  const links = ['hostnames/a.b', 'hostnames/hostnames.shop', 'kv/keys-old', 'kv/keys'];
  const entries = paletteEntries({ mode: 'keys', keys: keymap, situation: free }, noMemory, links);
  const found = (search: string) => findEntries(entries, search).map(({ text }) => text);
  expect(found('hostnames')[0]).toBe('hostnames: Go to the hostnames');
  expect(found('host')[0]).toBe('hostnames: Go to the hostnames');
  expect(found('tasks')[0]).toBe('tasks: Go to the tasks');
  expect(found('kv/keys').slice(0, 2)).toEqual(['kv/keys', 'kv/keys-old']);
});

test('accepts a link that no list has shown yet', () => {
  expect(findEntries([], 'kv/SESSIONS/user:')).toEqual([
    { mark: 'link', text: 'kv/SESSIONS/user:', does: { link: 'kv/SESSIONS/user:' } },
  ]);
  expect(findEntries([], 'no/where')).toEqual([]);
});

test('searches 20,000 places within a few frames', () => {
  const known = Array.from(
    { length: 20_000 },
    (_, at) => `hostnames/shop-${at}.customer-${at % 97}.example.com`,
  );
  const entries = paletteEntries({ mode: 'keys', keys: keymap, situation: free }, noMemory, known);
  expect(findEntries(entries, 'shop19999')[0]?.text).toBe('hostnames/shop-19999.customer-17.example.com');
});
