import { expect, test } from 'vitest';
import {
  type HostnamesEvent,
  type HostnamesState,
  hostnameCounts,
  noZone,
  reduceHostnames,
  selectedIn,
} from '../../../components/hostnames/hostnames-state.ts';
import { needsPage, selectedHostname, shownLength } from '../../../components/hostnames/list.ts';
import { idsToLookAt, noLooks } from '../../../components/hostnames/looks.ts';
import { Problem } from '../../../src/model/problem.ts';
import { hostname, saas } from '../memory-hostnames.ts';

const alpha = { record: hostname('alpha.com') };
const beta = { record: hostname('beta.com', 'pending') };
const gamma = { record: hostname('gamma.com', 'moved'), movedSeenAt: 1 };

const zone: HostnamesEvent = { type: 'zone', zone: saas };
const down: HostnamesEvent = { type: 'moved', move: 'down', height: 10 };
const problem = new Problem('refused', 'no');

function after(...events: HostnamesEvent[]): HostnamesState {
  return events.reduce(reduceHostnames, noZone);
}

function page(state: HostnamesState, rows: (typeof alpha)[], complete = true): HostnamesState {
  const { generation } = state.list;
  return reduceHostnames(state, { type: 'page', generation, rows, complete });
}

const listed = page(after(zone), [alpha, beta, gamma]);
const names = (state: HostnamesState) =>
  [...state.list.rows.chunks].flat().map(({ record }) => record.hostname);

test('says nothing of a list before its zone is known, then what has come', () => {
  expect(hostnameCounts(noZone)).toBe('');
  expect(hostnameCounts(page(after(zone), [alpha], false))).toBe('saas.com · 1 loaded, more on the server');
  expect(hostnameCounts(listed)).toBe('saas.com · 3 hostnames');
});

test('escapes the names of zones and what was asked for', () => {
  const hostile = after(
    { type: 'zone', zone: { id: 'z', name: 'a\u001b.com' } },
    { type: 'filtered', text: '\u202e' },
    { type: 'applied' },
  );
  expect(hostnameCounts(page(hostile, []))).toBe('a\\e.com · contains \\u{202e} · 0 hostnames');
});

test('drops pages of an earlier list', () => {
  const stale = reduceHostnames(listed, { type: 'page', generation: 0, rows: [alpha], complete: false });
  expect(names(stale)).toEqual(['alpha.com', 'beta.com', 'gamma.com']);
});

test('asks for pages one screen ahead, on after a short one, and for none when all is there', () => {
  const full = Array.from({ length: 50 }, (_, at) => ({ record: hostname(`h${at}.com`) }));
  expect(needsPage(page(after(zone), full, false).list, 10)).toBe(false);
  expect(needsPage(page(after(zone), full, false).list, 30)).toBe(true);
  expect(needsPage(page(after(zone), [alpha], false).list, 10)).toBe(true);
  expect(needsPage(listed.list, 10)).toBe(false);
  expect(needsPage(reduceHostnames(page(after(zone), full, false), { type: 'more' }).list, 10)).toBe(true);
});

test('filters in any case, keeps the selection where it can, and Esc clears the filter', () => {
  const filtered = reduceHostnames(reduceHostnames(listed, down), { type: 'filtered', text: 'BETA' });
  expect(hostnameCounts(filtered)).toBe('saas.com · 1 of 3 loaded');
  const closed = reduceHostnames(filtered, { type: 'closed' });
  expect(closed).toMatchObject({ dialog: undefined, list: { contains: '' } });
  expect(selectedIn(closed)).toEqual(beta);
});

test('says that a list is coming, and which filter is kept', () => {
  expect(hostnameCounts(after(zone))).toBe('loading… · saas.com · 0 loaded, more on the server');
  const kept = [{ type: 'filtered', text: 'BETA' }, { type: 'kept' }] as const;
  expect(hostnameCounts(kept.reduce(reduceHostnames, listed))).toBe(
    'saas.com · filter: BETA · 1 of 3 loaded',
  );
});

test('goes back one filter at a time: what is shown, what was asked for, the status', () => {
  const begun = after(
    zone,
    { type: 'status', status: 'moved' },
    { type: 'filtered', text: 'ga' },
    { type: 'applied' },
    { type: 'filtered', text: 'gamma' },
  );
  expect(begun.list.search).toEqual({ contains: 'ga', status: 'moved' });
  const steps: HostnamesEvent[] = [{ type: 'unfiltered' }, { type: 'unfiltered' }, { type: 'unfiltered' }];
  let state = reduceHostnames(begun, { type: 'kept' });
  const seen = steps.map((step) => {
    state = reduceHostnames(state, step);
    return [state.list.contains, state.list.search.contains, state.list.search.status];
  });
  expect(seen).toEqual([
    ['', 'ga', 'moved'],
    ['', '', 'moved'],
    ['', '', ''],
  ]);
});

test('keeps old rows and the selection while the list is read again', () => {
  const again = reduceHostnames(reduceHostnames(listed, down), { type: 'listing' });
  expect(names(again).length).toBe(3);
  const first = page(again, [gamma], false);
  expect(names(first).length).toBe(3);
  const done = page(first, [beta, alpha]);
  expect(names(done)).toEqual(['gamma.com', 'beta.com', 'alpha.com']);
  expect(selectedIn(done)).toEqual(beta);
});

test('replaces a changed row in its place, puts a new one first and selects it, and drops one that is gone', () => {
  const active = { record: hostname('beta.com', 'active') };
  const changed = reduceHostnames(listed, { type: 'changed', id: active.record.id, row: active });
  expect(changed.list.rows.chunks[0]?.[1]).toEqual(active);
  const fresh = { record: hostname('new.com', 'pending') };
  const filtered = reduceHostnames(listed, { type: 'filtered', text: 'beta' });
  const created = reduceHostnames(filtered, { type: 'changed', id: fresh.record.id, row: fresh });
  expect(created.list.contains).toBe('');
  expect(selectedHostname(created.list)).toEqual(fresh);
  const gone = reduceHostnames(listed, { type: 'changed', id: alpha.record.id, row: undefined });
  expect(names(gone)).toEqual(['beta.com', 'gamma.com']);
  expect(shownLength(gone.list)).toBe(2);
});

test('takes what a look has found, counts looks without news, and never puts back what is not listed', () => {
  const active = { record: hostname('beta.com', 'active') };
  const quiet = reduceHostnames(listed, {
    type: 'looked',
    found: [
      { id: beta.record.id, row: beta },
      { id: 'other', row: { record: hostname('other.com') } },
    ],
  });
  expect(quiet.looks).toEqual({ count: 1, quiet: 1, ended: false });
  expect(quiet.list).toBe(listed.list);
  const news = reduceHostnames(quiet, { type: 'looked', found: [{ id: beta.record.id, row: active }] });
  expect(news.looks).toEqual({ count: 2, quiet: 0, ended: false });
  expect(news.list.rows.chunks[0]?.[1]).toEqual(active);
});

test('looks no further once a look has failed, until the list is read again', () => {
  const blind = reduceHostnames(listed, { type: 'blinded' });
  expect(blind.looks.ended).toBe(true);
  expect(reduceHostnames(blind, { type: 'listing' }).looks).toEqual(noLooks);
});

test('looks at a few rows in progress at a time, each in its turn', () => {
  const rows = Array.from({ length: 6 }, (_, at) => ({ record: hostname(`p${at}`, 'pending') }));
  const [first, second] = [0, 1].map((count) => idsToLookAt([alpha, gamma, ...rows], { ...noLooks, count }));
  expect(first).toEqual(['id-p0', 'id-p1', 'id-p2', 'id-p3']);
  expect(second).toEqual(['id-p4', 'id-p5', 'id-p0', 'id-p1']);
  expect(idsToLookAt([alpha, gamma, undefined], noLooks)).toEqual([]);
});

test('keeps a form through the failure of its creation, and shows any other in a box', () => {
  const form = { title: 'New', lines: [], fields: [], focus: 0, saving: true };
  const open = after(zone, {
    type: 'asked',
    dialog: { kind: 'form', purpose: 'create', subject: undefined, form },
  });
  const create = { does: 'create', wanted: { hostname: 'a.com' } } as const;
  const failed = reduceHostnames(open, { type: 'failed', problem, command: create });
  expect(failed.dialog).toMatchObject({ kind: 'form', form: { problem, saving: false } });
  const list = reduceHostnames(listed, { type: 'failed', problem, command: { does: 'list' } });
  expect(list).toMatchObject({ dialog: { kind: 'problem' }, list: { stopped: true } });
  expect(hostnameCounts(page(list, [], false))).toContain('stopped');
});

test('forgets everything of another zone', () => {
  const other = reduceHostnames(listed, { type: 'zone', zone: { id: 'y', name: 'other.com' } });
  expect(names(other)).toEqual([]);
  expect(other.list.generation).toBe(listed.list.generation + 1);
});

test('waits for no page that was asked for before the list was begun anew', () => {
  const again = reduceHostnames(listed, { type: 'listing' });
  const { generation } = again.list;
  const late = reduceHostnames(again, { type: 'loading', generation: generation - 1 });
  expect(needsPage(late.list, 10)).toBe(true);
  expect(needsPage(reduceHostnames(again, { type: 'loading', generation }).list, 10)).toBe(false);
});
