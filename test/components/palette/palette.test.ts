import { expect, test } from 'vitest';
import { keymap } from '../../../components/app/keymap.ts';
import type { Mode } from '../../../components/kit/keys/modes.ts';
import type { OpenPane } from '../../../components/kit/open-pane.ts';
import { actionsElsewhere } from '../../../components/palette/elsewhere.ts';
import {
  findEntries,
  type PaletteEntry,
  paletteEntries,
  searchedLines,
} from '../../../components/palette/entries.ts';
import { finderParts, finderRows } from '../../../components/palette/finder-rows.ts';
import { type Memory, noMemory } from '../../../src/model/places/memory.ts';
import { demoBuckets } from '../../../src/sandbox/demo/buckets.ts';
import { demoNamespaces } from '../../../src/sandbox/demo/data.ts';
import { demoWorker } from '../../../src/sandbox/demo/workers-data.ts';
import { demoHostnames } from '../../../src/sandbox/hostnames/demo-data.ts';
import type { Services } from '../../../src/services/console/services.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { drawn } from '../drawn.ts';
import { plainSurface } from '../plain-surface.ts';

const free = { readOnly: false, selected: true };
const namespace = { id: 'a'.repeat(32), title: 'shop-SESSIONS' };

/** The links to all items that the lists of the demo have shown. */
const demoLinks = [
  ...demoNamespaces().map(({ title }) => `kv/${title}`),
  ...demoBuckets().map(({ name }) => `objects/${name}`),
  ...demoHostnames.map(({ hostname }) => `hostnames/${hostname}`),
  `workers/${demoWorker}`,
];

const withoutFacts = (links: readonly string[]) => new Map(links.map((link) => [link, []]));

interface Asked {
  readonly mode?: Mode;
  readonly links?: readonly string[];
  readonly memory?: Memory;
  readonly openPanes?: readonly OpenPane[];
}

/** Returns the entries for a search, by default on Home of the demo after all of its lists were opened. */
function search(
  text: string,
  { mode = 'home', links = demoLinks, memory = noMemory, openPanes = [] }: Asked = {},
) {
  const entries = paletteEntries({ mode, keys: keymap, situation: free }, memory, withoutFacts(links));
  const elsewhere = actionsElsewhere({ mode, openPanes, keys: keymap, has: () => true });
  return findEntries(entries, text, { memory, elsewhere });
}

function describe({ name, where, press }: PaletteEntry): string {
  return [name, where, press].filter((part) => part !== undefined).join(' | ');
}

const names = (text: string, asked?: Asked) => search(text, asked).map(({ name }) => name);

test.each<[search: string, first: readonly string[], count: number]>([
  ['ses', ['shop-SESSIONS', 'promo.last-season.demo'], 2],
  ['load', ['reload | r', 'shop-uploads', 'download | Objects | w', 'upload | Objects | u'], 4],
  ['hostnames', ['Hostnames | 3'], 12],
  ['host', ['Hostnames | 3'], 12],
  ['tasks', ['Tasks | 5'], 8],
  ['flags', ['shop-FEATURE_FLAGS'], 1],
  ['sf', ['shop-FEATURE_FLAGS'], 2],
  ['menu', ['menu.sushi-garden.demo'], 1],
  ['diag', ['diagnose | D'], 12],
  ['delete', ['delete | Namespaces | d', 'delete | Keys | d'], 12],
  ['delete bucket', ['delete | Buckets | d'], 1],
  ['new key', ['new | Keys | n'], 4],
  ['copy link', ['copy link | @'], 3],
  ['renew', ['renewals | Hostnames | V'], 8],
  ['rollback', ['roll back | Worker | B'], 1],
  ['curl', ['as command | Y'], 1],
  ['upload', ['upload | Objects | u', 'shop-uploads'], 3],
  ['qui', ['quit | q', 'portal.quiet-harbor.demo'], 2],
  ['dns', ['dns.broken-arrow.demo', 'DNS records | Hostnames | Q'], 12],
  ['kv/shop-S', ['shop-SESSIONS'], 2],
  ['xyzzy', [], 0],
])('finds %s in the demo with %j first, and at most %i entries', (text, first, maximum) => {
  const found = search(text);
  expect(found.slice(0, first.length).map(describe)).toEqual(first);
  expect(found.length).toBeLessThanOrEqual(maximum);
});

test('lists the actions of the pane with keys and reasons, then bookmarks, recent and known places, each once', () => {
  const memory = { ...noMemory, bookmarks: ['kv/a'], recents: ['kv/a', 'kv/b', 'home'] };
  const entries = paletteEntries(
    { mode: 'keys', keys: keymap, situation: { ...free, readOnly: true } },
    memory,
    withoutFacts(['kv/b', 'kv/c']),
  );
  expect(entries).toContainEqual({
    group: 'Actions here',
    kind: 'action',
    effect: 'run the action',
    name: 'new',
    about: 'Write a new key',
    press: 'n',
    id: 'keys create',
    distance: 0.5,
    does: { press: 'n' },
    refusal: 'This session is read-only',
  });
  expect(entries.map(({ about = '' }) => about)).not.toContain('Go up one line');
  expect(entries.slice(-3)).toMatchObject(
    ['a', 'b', 'c'].map((name) => ({ name, group: 'Namespaces', does: { link: `kv/${name}` } })),
  );
});

test('without a search, lists the actions of the pane, then the last used entries, and never the current view', () => {
  const memory = {
    ...noMemory,
    bookmarks: ['kv/a', 'kv/b'],
    recents: ['kv/here', 'kv/b', 'home', 'hostnames/a.b'],
    actions: ['hostnames timeline', 'global target', 'gone action'],
  };
  const found = search('', { mode: 'keys', memory, links: ['kv/here'] });
  const here = found.findLastIndex(({ group }) => group === 'Actions here') + 1;
  expect(found.slice(here, here + 5).map(({ group, name }) => `${group}: ${name}`)).toEqual([
    'Recent: b',
    'Recent: a.b',
    'Recent: renewals',
    'Recent: target',
    'Bookmarks: a',
  ]);
  expect(found.filter(({ name }) => name === 'target')).toHaveLength(1);
  expect(found.filter(({ group }) => group === 'Actions in other panes')).toEqual([]);
  const groups = [...new Set(found.map(({ group }) => group))];
  expect(groups).toEqual([
    'Actions here',
    'Recent',
    'Bookmarks',
    'Places',
    'Namespaces',
    'Actions in every pane',
  ]);
});

test('ranks equal matches by most recent use', () => {
  const links = ['kv/shop-a', 'kv/shop-b', 'kv/shop-c'];
  const memory = { ...noMemory, recents: ['home', 'kv/shop-c', 'kv/shop-b'] };
  expect(names('shop', { links, memory })).toEqual(['shop-c', 'shop-b', 'shop-a']);
  const recently = { ...noMemory, actions: ['buckets remove'] };
  expect(search('delete', { memory: recently }).map(describe)[0]).toBe('delete | Buckets | d');
});

test('opens the pane of an action, and runs the action if it needs no row; otherwise asks the user to select a row', () => {
  const does = (text: string, asked?: Asked) => search(text, asked)[0]?.does;
  expect(does('renewals')).toEqual({
    goes: [{ pane: 'hostnames' }],
    pending: { mode: 'hostnames', press: 'V' },
  });
  expect(does('instructions')).toEqual({
    goes: [{ pane: 'hostnames' }],
    notice: 'Choose a hostname, then press I (instructions).',
  });
  expect(does('upload')).toEqual({
    goes: [{ pane: 'buckets' }],
    notice: 'Open a bucket, then press u (upload).',
  });
  expect(does('delete key')).toEqual({
    goes: [{ pane: 'namespaces' }],
    notice: 'Open a namespace, choose a key, then press d (delete).',
  });
  expect(does('hand over')).toMatchObject({
    notice: 'Press I on a hostname, then press I (hand over).',
  });
  expect(does('export dns')).toEqual({
    goes: 'hostnames/records',
    pending: { mode: 'records', press: 'w' },
  });
});

test('goes back to the pane of an action if that pane is below the current pane', () => {
  const entry = { name: 'user:1' };
  const openPanes: OpenPane[] = [
    { pane: 'namespaces' },
    { pane: 'keys', namespace },
    { pane: 'value', namespace, entry },
  ];
  const [found, second] = search('import', { mode: 'value', openPanes });
  expect([found?.where, second?.where]).toEqual(['Keys', 'Namespaces']);
  expect(found?.does).toEqual({
    goes: [{ pane: 'namespaces' }, { pane: 'keys', namespace }],
    pending: { mode: 'keys', press: 'i' },
  });
});

test('lists each action of other panes once, and no action of the pane on the screen', () => {
  const elsewhere = (mode: Mode, has = true) =>
    actionsElsewhere({ mode, openPanes: [], keys: keymap, has: () => has });
  const all = elsewhere('objects').map(describe);
  expect(all).toContain('edit | Keys | e');
  expect(all).toContain('logs | Workers | C');
  expect(all).toContain('delete | Namespaces | d');
  expect(all.filter((one) => /reload|\| filter|mark|\| Objects \|/.test(one))).toEqual([]);
  expect(elsewhere('buckets').filter(({ name }) => name === 'restart validation')).toHaveLength(1);
  expect(elsewhere('hostname').filter(({ name }) => name === 'restart validation')).toEqual([]);
  const first = elsewhere('objects', false).find(({ where }) => where === 'Namespaces');
  expect(first?.refusal).toBe('This session has no namespaces');
});

test('accepts a link to a row that no list has loaded yet', () => {
  expect(search('kv/SESSIONS/user:', { links: [] })[0]).toMatchObject({
    group: 'Link',
    name: 'kv/SESSIONS/user:',
    does: { link: 'kv/SESSIONS/user:' },
  });
  expect(search('no/where', { links: [] })).toEqual([]);
});

test('explains what was searched and which lists were never opened if nothing matches', () => {
  const services = { kv: {}, objects: {}, hostnames: {} } as Services;
  const entries = paletteEntries(
    { mode: 'home', keys: keymap, situation: free },
    noMemory,
    withoutFacts(['kv/a', 'kv/b']),
  );
  expect(searchedLines(' xyz ', entries, services)).toEqual([
    'Nothing matches "xyz".',
    expect.stringMatching(/^Searched: actions here \(\d+\), places \(6\), namespaces \(2\), /),
    'Lists not opened yet: 2 Buckets, 3 Hostnames.',
    'You can also type a link such as kv/NAMESPACE/KEY, even if it is not listed.',
  ]);
});

test('shows the group of the best match first, and truncates a long group if other groups follow', () => {
  const entries = [
    { group: 'Hostnames', kind: 'hostname', name: 'best' },
    { group: 'Buckets', kind: 'bucket', name: 'second' },
    ...Array.from({ length: 30 }, (_, at) => ({ group: 'Hostnames', kind: 'hostname', name: `host-${at}` })),
  ];
  const style = { height: 20, expanded: new Set<string>() };
  const short = finderRows(entries, style).map((row) => (row.kind === 'entry' ? row.entry.name : row));
  expect(short).toEqual([
    { kind: 'heading', text: 'Hostnames' },
    ...['best', 'host-0', 'host-1', 'host-2', 'host-3', 'host-4'],
    { kind: 'more', group: 'Hostnames', count: 25 },
    { kind: 'heading', text: 'Buckets' },
    'second',
  ]);
  expect(finderRows(entries, { ...style, expanded: new Set(['Hostnames']) })).toHaveLength(34);
  expect(finderRows(entries, { ...style, height: 34 })).toHaveLength(34);
  // A screen with few rows has no headings.
  expect(finderRows(entries, { ...style, height: 5 })[0]).toEqual({ kind: 'entry', entry: entries[0] });
});

/**
 * Draws an entry across the full screen width, with the matching letters in brackets; columns are separated by two
 * spaces.
 */
function draw(entry: Parameters<typeof finderRows>[0][number], text: string, columns: number): string {
  const [row] = finderRows([entry], { height: 1, expanded: new Set() });
  if (row === undefined) return '';
  const style = { ...plainSurface(columns), search: text, nameWidth: 8, notedWidth: 12, hasHeadings: false };
  const parts = finderParts(row, style);
  expect(measureCharacter(parts.map((part) => part.text).join(''))).toBe(columns);
  const marked = parts.map((part) => (part.role === 'found' ? `[${part.text}]` : part.text)).join('');
  return drawn(marked).replaceAll(/ {2,}/g, '  ');
}

test('shows what lists know about a place next to its name, without searching it', () => {
  const status = { label: 'status', value: 'moved · certificate active' } as const;
  const known = new Map([['hostnames/shop.demo', [status]]]);
  const entries = paletteEntries({ mode: 'home', keys: keymap, situation: free }, noMemory, known);
  const find = (text: string) => findEntries(entries, text, { memory: noMemory, elsewhere: [] });
  const [found] = find('shop');
  expect(found?.name).toBe('shop.demo');
  expect(find('moved').map(({ name }) => name)).not.toContain('shop.demo');
  if (found === undefined) return;
  expect(draw(found, 'shop', 60)).toBe('[shop].demo  moved · certificate active  Hostnames');
  expect(draw(found, 'shop', 30)).toBe('[shop].demo  Hostnames');
});

test('draws the severity of a hostname in its color', () => {
  const status = { label: 'status', value: 'moved', severity: 'critical' } as const;
  const known = new Map([['hostnames/shop.demo', [status]]]);
  const entries = paletteEntries({ mode: 'home', keys: keymap, situation: free }, noMemory, known);
  const [entry] = findEntries(entries, 'shop', { memory: noMemory, elsewhere: [] });
  const [row] = finderRows(entry === undefined ? [] : [entry], { height: 1, expanded: new Set() });
  const style = { ...plainSurface(60), search: 'shop', nameWidth: 8, notedWidth: 12, hasHeadings: false };
  expect(row && finderParts(row, style)).toContainEqual({ text: 'critical', role: 'critical' });
});

test('highlights the matching letters of wide, combined and escaped characters', () => {
  const place = (name: string) => ({ group: 'Keys', kind: 'key', name });
  expect(draw(place('shop-SESSIONS'), 'ses', 24)).toBe('shop-[SES]SIONS  Keys');
  expect(draw(place('配置键'), '置', 16)).toBe('配[置]键  Keys');
  expect(draw(place('cafe\u0301s'), 'cafe', 16)).toBe('[cafe\u0301]s  Keys');
  expect(draw(place('a\u001bb-ses'), 'ses', 16)).toBe('a␛b-[ses]  Keys');
  expect(draw(place('a-very-long-name-of-a-key'), 'long', 16)).toBe('a-very-[lo]…  Keys');
});

test('truncates a description before a name, and omits it on a narrow screen', () => {
  const entry = {
    group: 'Actions',
    kind: 'action',
    name: 'delete',
    about: 'Delete the bucket',
    where: 'Buckets',
    press: 'd',
  };
  expect(draw(entry, 'del', 48)).toBe('[del]ete  Delete the bucket  Buckets  d');
  expect(draw(entry, 'del', 40)).toBe('[del]ete  Delete the b…  Buckets  d');
  expect(draw(entry, 'del', 28)).toBe('[del]ete  Buckets  d');
  const refused = { ...entry, refusal: 'Read-only' };
  expect(draw(refused, 'del', 40)).toBe('[del]ete  Read-only  Buckets  d');
});
