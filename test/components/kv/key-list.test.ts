import { expect, test } from 'vitest';
import { measureFields, metadataCell } from '../../../components/kv/metadata.ts';
import * as pages from '../../../components/ui/lists/list-pages.ts';
import {
  emptyListState,
  type ListEvent,
  type ListState,
  reduceList,
} from '../../../components/ui/lists/list-state.ts';
import { listHeader } from '../../../components/ui/lists/list-words.ts';
import * as paged from '../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../components/ui/lists/row-kind.ts';
import type { KeyEntry } from '../../../src/model/kv/kv.ts';
import { Problem } from '../../../src/model/problem.ts';
import { redact } from '../plain-surface.ts';

type KeysState = ListState<KeyEntry>;
type KeysEvent = ListEvent<KeyEntry>;

const noKeys = emptyListState<KeyEntry>(byName, { serverFilter: 'prefix', whole: false });
const reduceKeys = (state: KeysState, event: KeysEvent) => reduceList<KeyEntry>(state, event);
const keyCounts = (state: KeysState, rows: number) =>
  listHeader(state, { one: 'key', many: 'keys' }, rows, redact);
const height = 20;

function entries(from: number, count: number): KeyEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `key:${String(from + index).padStart(7, '0')}`,
  }));
}

function page(from: number, count: number, complete = false, generation = 0): KeysEvent {
  return { type: 'page', generation, items: entries(from, count), complete };
}

function after(...events: KeysEvent[]): KeysState {
  return events.reduce(reduceKeys, noKeys);
}

function moved(move: 'down' | 'last' | 'page-down'): KeysEvent {
  return { type: 'moved', move, height };
}

const needsPage = ({ list }: KeysState, rows: number) => pages.needsPage(list, rows);
const selectedKey = ({ list }: KeysState) => paged.selectedRow(list);
const shownKey = ({ list }: KeysState, index: number) => paged.shownRow(list, index);
const shownLength = ({ list }: KeysState) => paged.shownLength(list);

const complete: KeysEvent = { type: 'page', generation: 0, items: [], complete: true };

test('requests the first page, and no second page while the first page is loading', () => {
  expect(needsPage(after(), height)).toBe(true);
  expect(needsPage(after({ type: 'loading', generation: 0 }), height)).toBe(false);
});

test('requests the next page when the cursor comes within two screens of the last row', () => {
  const first = after(page(0, 1000));
  expect(needsPage(first, height)).toBe(false);
  expect(needsPage(reduceKeys(first, moved('last')), height)).toBe(true);
  expect(keyCounts(first, height)).toBe('1,000 loaded, more on the server');
});

test('continues after a short or empty page that is not the last, and stops at the end', () => {
  expect(needsPage(after(page(0, 0)), height)).toBe(true);
  expect(needsPage(after(page(0, 12)), height)).toBe(true);
  const whole = after(page(0, 12), complete);
  expect(needsPage(whole, height)).toBe(false);
  expect(keyCounts(whole, height)).toBe('12 keys');
  expect(keyCounts(after(page(0, 1), complete), height)).toBe('1 key');
});

test('reports loading from the request until the keys arrive', () => {
  expect(keyCounts(after(), height)).toBe('loading…');
  const again = after(page(0, 12), complete, { type: 'listing' });
  expect(keyCounts(again, height)).toBe('loading… · 12 loaded');
  expect(keyCounts(reduceKeys(again, { type: 'loading', generation: 1 }), height)).toBe(
    keyCounts(again, height),
  );
  expect(keyCounts(reduceKeys(again, page(0, 11, false, 1)), height)).toBe('loading… · 11 loaded');
  expect(keyCounts(reduceKeys(again, page(0, 11, true, 1)), height)).toBe('11 keys');
  expect(keyCounts(after(page(0, 1000), { type: 'loading', generation: 0 }), height)).toBe(
    'loading… · 1,000 loaded',
  );
});

test('ignores pages that were requested before the list was restarted', () => {
  const again = after(page(0, 10), { type: 'listing' }, { type: 'loading', generation: 0 });
  expect(needsPage(again, height)).toBe(true);
});

test('drops a page that an earlier list requested', () => {
  const state = after(page(0, 10), { type: 'listing' });
  expect(reduceKeys(state, page(50, 10, true, 0))).toBe(state);
});

test('filters loaded keys and shows how many are loaded; a longer filter narrows the result', () => {
  const state = after(
    page(0, 1000),
    { type: 'filtered', text: ':00001' },
    { type: 'filtered', text: ':000012' },
  );
  expect(shownLength(state)).toBe(10);
  expect(shownKey(state, 0)?.name).toBe('key:0000120');
  expect(keyCounts(state, height)).toBe('10 of 1,000 loaded, more on the server');
  expect(shownLength(reduceKeys(state, { type: 'filtered', text: ':00001' }))).toBe(100);
});

test('keeps the selected key when a filter is set and cleared', () => {
  const selected = after(page(0, 1000), moved('page-down'), { type: 'filtered', text: '19' });
  expect(selectedKey(selected)?.name).toBe('key:0000019');
  expect(selectedKey(reduceKeys(selected, { type: 'closed' }))?.name).toBe('key:0000019');
});

test('filters the keys of pages that arrive later', () => {
  const state = after(page(0, 1000), { type: 'filtered', text: '0001005' }, page(1000, 1000));
  expect(shownLength(state)).toBe(1);
  expect(selectedKey(state)?.name).toBe('key:0001005');
});

test('reads more pages for a filter only if the user requests them or moves past the last match', () => {
  const filtered = after(page(0, 1000), { type: 'filtered', text: '0000007' });
  expect(needsPage(filtered, height)).toBe(false);
  expect(needsPage(reduceKeys(filtered, { type: 'more' }), height)).toBe(true);
  expect(needsPage(reduceKeys(filtered, moved('down')), height)).toBe(true);
});

test('filters by prefix on the platform by restarting the list; Esc returns to all keys', () => {
  const applied = after(page(0, 1000), { type: 'asking', text: 'key:9' }, { type: 'entered' });
  expect(applied.list).toMatchObject({ prefix: 'key:9', contains: '', generation: 1 });
  expect(applied.dialog).toBeUndefined();
  expect(applied.list.rows.length).toBe(0);
  expect(needsPage(applied, height)).toBe(true);
  const read = reduceKeys(applied, page(90, 2, true, 1));
  expect(keyCounts(read, height)).toBe('prefix key:9 on the server · 2 keys');
  expect(reduceKeys(read, { type: 'stepped-back' }).list).toMatchObject({ prefix: '', generation: 2 });
});

test('clears an applied filter before the prefix', () => {
  const both = after(
    { type: 'filtered', text: 'x' },
    { type: 'entered' },
    { type: 'asking', text: 'k' },
    { type: 'entered' },
  );
  const once = reduceKeys(both, { type: 'stepped-back' });
  expect(once.list).toMatchObject({ prefix: 'k', contains: '' });
  expect(reduceKeys(once, { type: 'stepped-back' }).list).toMatchObject({ prefix: '', contains: '' });
});

test('keeps the old rows while a list is reread, until the new rows reach the selected key', () => {
  const loaded = after(page(0, 1000), page(1000, 1000), moved('last'));
  const again = reduceKeys(loaded, { type: 'listing' });
  expect(shownLength(again)).toBe(2000);
  const half = reduceKeys(again, page(0, 1000, false, 1));
  expect(shownLength(half)).toBe(2000);
  expect(needsPage(half, height)).toBe(true);
  const whole = reduceKeys(half, {
    type: 'page',
    generation: 1,
    items: [{ name: 'key:0000999x' }, ...entries(1000, 999)],
    complete: false,
  });
  expect(shownLength(whole)).toBe(2000);
  expect(selectedKey(whole)?.name).toBe('key:0001998');
});

test('moves the cursor to an existing row if the list becomes shorter', () => {
  const again = after(page(0, 1000), complete, moved('last'), { type: 'listing' });
  const short = reduceKeys(again, page(0, 3, true, 1));
  expect(shownLength(short)).toBe(3);
  expect(selectedKey(short)?.name).toBe('key:0000002');
});

test('inserts a written key in UTF-8 byte order, and selects it', () => {
  const names = ['a', '\u{ff5e}', '\u{10000}'];
  const state = after({
    type: 'page',
    generation: 0,
    items: names.map((name) => ({ name })),
    complete: true,
  });
  const written = reduceKeys(state, {
    type: 'changed',
    id: '\u{fffd}',
    row: { name: '\u{fffd}', expiration: 9 },
  });
  expect(Array.from({ length: 4 }, (_, at) => shownKey(written, at)?.name)).toEqual([
    'a',
    '\u{ff5e}',
    '\u{fffd}',
    '\u{10000}',
  ]);
  expect(selectedKey(written)).toEqual({ name: '\u{fffd}', expiration: 9 });
});

test('does not show a written key that sorts after the loaded keys or lacks the prefix', () => {
  const far = reduceKeys(after(page(0, 1000)), { type: 'changed', id: 'zzz', row: { name: 'zzz' } });
  expect(shownLength(far)).toBe(1000);
  const prefixed = after({ type: 'asking', text: 'key' }, { type: 'entered' }, page(0, 2, true, 1));
  expect(shownLength(reduceKeys(prefixed, { type: 'changed', id: 'abc', row: { name: 'abc' } }))).toBe(2);
});

test('replaces a changed key, and removes a deleted key without moving the cursor', () => {
  const state = after(page(0, 3), complete, moved('down'));
  const name = 'key:0000001';
  const changed = reduceKeys(state, { type: 'changed', id: name, row: { name, metadata: { a: 1 } } });
  expect(selectedKey(changed)).toEqual({ name, metadata: { a: 1 } });
  const gone = reduceKeys(changed, { type: 'changed', id: name, row: undefined });
  expect(selectedKey(gone)?.name).toBe('key:0000002');
  expect(shownLength(gone)).toBe(2);
});

test('updates the filter when a key is written or deleted', () => {
  const state = after(page(0, 30), complete, { type: 'filtered', text: '1' });
  const before = shownLength(state);
  const gone = reduceKeys(state, { type: 'changed', id: 'key:0000001', row: undefined });
  expect(shownLength(gone)).toBe(before - 1);
  const names = Array.from({ length: before - 1 }, (_, at) => shownKey(gone, at)?.name);
  expect(names.every((name) => name?.includes('1'))).toBe(true);
});

test('stops reading after a failure, until the list is reread', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after(page(0, 1000), moved('last'), { type: 'failed', problem, command: { does: 'list' } });
  expect(failed.dialog).toEqual({ kind: 'problem', problem, command: { does: 'list' } });
  const dismissed = reduceKeys(failed, { type: 'closed' });
  expect(needsPage(dismissed, height)).toBe(false);
  expect(keyCounts(dismissed, height)).toBe('1,000 loaded, stopped: press r to reload');
  expect(needsPage(reduceKeys(dismissed, { type: 'listing' }), height)).toBe(true);
});

test('moves through a million keys as fast as through ten keys', () => {
  let state = after();
  for (let at = 0; at < 1000; at++) state = reduceKeys(state, page(at * 1000, 1000));
  expect(shownLength(state)).toBe(1_000_000);
  const start = performance.now();
  for (let press = 0; press < 10_000; press++) state = reduceKeys(state, moved('down'));
  expect(selectedKey(state)?.name).toBe('key:0010000');
  // Ten microseconds per press would mean that each press copies the list. The limit is higher, because the machine can be busy.
  expect((performance.now() - start) / 10_000).toBeLessThan(0.05);
});

test('aligns the same field of the metadata of several keys', () => {
  const all = [
    { team: 'checkout', revision: 3 },
    { team: 'web', revision: 12 },
    { revision: 4 },
    { type: 'image/png' },
    undefined,
    'text',
  ];
  const widths = measureFields(all);
  expect(all.map((metadata) => metadataCell(metadata, widths))).toEqual([
    'team=checkout revision=3',
    'team=web      revision=12',
    '              revision=4',
    'type=image/png',
    '',
    '"text"',
  ]);
});
