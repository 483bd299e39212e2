import { expect, test } from 'vitest';
import { hostnameKind } from '../../../components/hostnames/row-order.ts';
import { hostnameTags } from '../../../components/hostnames/tags.ts';
import { noZone, reduceZone, type ZoneEvent, zoneMenu } from '../../../components/hostnames/zone-state.ts';
import { addPage, putRow, restartWithPrefix } from '../../../components/ui/lists/list-pages.ts';
import { narrowTo } from '../../../components/ui/lists/narrowing.ts';
import { emptyList, shownLength } from '../../../components/ui/lists/paged-list.ts';
import { rememberView, restoreList } from '../../../components/ui/lists/saved-view.ts';
import { tagMenu } from '../../../components/ui/lists/tag-menu.ts';
import { urgencyKey } from '../../../src/model/hostnames/attention.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { noMemory } from '../../../src/model/places/memory.ts';
import { Problem } from '../../../src/model/problem.ts';
import { hostname, saas } from '../memory-hostnames.ts';

const after = (...events: ZoneEvent[]) => events.reduce(reduceZone, noZone);
const taken: ZoneEvent = { type: 'taken', zone: saas };
const finding: ZoneEvent = { type: 'begun', busy: { kind: 'reading', words: 'reading the zones' } };

test('drops all facts about the previous zone when another zone is selected', () => {
  const known = after(taken, { type: 'issuance', issuance: { limit: 15, issued: [1] } }, { type: 'ticked' });
  expect(known).toMatchObject({ zone: saas, issuance: { issued: [1] }, ticks: 1 });
  const other = { id: 'y', name: 'other.com' };
  expect(reduceZone(known, { type: 'taken', zone: other })).toEqual({ zone: other, ticks: 0 });
});

test('searches for a zone until one is selected, the user must choose, or none is available', () => {
  expect(after(finding).busy?.words).toBe('reading the zones');
  expect(after(finding, taken)).toEqual({ zone: saas, ticks: 0 });
  const asked = after(finding, {
    type: 'asked',
    dialog: zoneMenu({ zones: [saas], more: false }, () => undefined),
  });
  expect(asked).toMatchObject({ busy: undefined, dialog: { kind: 'menu' } });
  const problem = new Problem('usage', 'There is none.');
  const command = () => undefined;
  const failed = after(finding, { type: 'failed', problem, command });
  expect(failed).toMatchObject({ busy: undefined, dialog: { kind: 'problem', command } });
});

test('lists zones by their escaped names, and reports that more zones exist', () => {
  const taken: string[] = [];
  const menu = zoneMenu({ zones: [{ id: 'z', name: 'a\u001b.com' }], more: true }, ({ id }) =>
    taken.push(id),
  );
  expect(menu.title).toContain('the first 1; for another zone, ');
  expect(menu.items).toMatchObject([{ label: 'a\u001b.com' }]);
  menu.items[0]?.command();
  expect(taken).toEqual(['z']);
});

const rowsOf = (...records: CustomHostname[]) => records.map((record) => ({ record }));
const listOf = (only: readonly string[], ...records: CustomHostname[]) => {
  const list = restartWithPrefix(emptyList(hostnameKind, { whole: true }), '');
  const rows = rowsOf(...records);
  return narrowTo(addPage(list, { generation: 1, items: rows, complete: true }), only);
};

test('lists the kinds of faults and the certificate statuses with counts, and accepts one choice of each', () => {
  const fleet = [
    hostname('a.acme.com', 'moved'),
    hostname('b.acme.com', 'moved', {}, { status: 'pending_validation' }),
    hostname('c.acme.com', 'active'),
  ];
  const labels = (only: readonly string[]) =>
    tagMenu(listOf(only, ...fleet), hostnameTags).items.map(({ label, hint, group = '' }) =>
      `${hint} ${group} ${label}`.replace('  ', ' '),
    );
  expect(labels([])).toEqual([
    '3 all',
    '2 state needs action',
    '2 state moved',
    '1 state active',
    '2 certificate active',
    '1 certificate pending_validation',
    '2 hostname moved',
    '1 hostname active',
  ]);
  const menu = tagMenu(listOf(['moved'], ...fleet), hostnameTags);
  expect(menu.items[menu.initial]).toMatchObject({ label: 'moved', hint: '2', isPresent: true });
  const chosen = Object.fromEntries(
    menu.items.map(({ label, group, command }) => [`${group} ${label}`, command]),
  );
  expect(chosen).toMatchObject({
    'state moved': { does: 'show-only', only: [] },
    'state active': { only: ['active'] },
    'certificate active': { only: ['moved', 'certificate active'] },
  });
  expect(labels(['moved'])).toContain('1 certificate active');
});

test('shows only rows that have all tags, including rows loaded later', () => {
  const list = listOf(['moved', 'certificate active'], hostname('a.acme.com', 'moved'));
  expect(shownLength(list)).toBe(1);
  expect(shownLength(putRow(list, { record: hostname('b.acme.com', 'moved') }))).toBe(2);
  expect(shownLength(putRow(list, { record: hostname('c.acme.com', 'pending') }))).toBe(1);
});

test('clears the tags when the user leaves the list, and does not save the default order', () => {
  const place = { kind: 'hostnames' } as const;
  const list = listOf(['moved'], hostname('a.acme.com', 'moved'));
  const memory = rememberView(list, place, noMemory);
  expect(memory.views).toEqual([['hostnames', { only: ['moved'] }]]);
  const next = restoreList(emptyList(hostnameKind), { place }, memory);
  expect([next.only, next.sort]).toEqual([['moved'], { heading: 'SEVERITY', isReversed: false }]);
});

test('sorts by severity, regardless of the names of the statuses', () => {
  const rows = [
    hostname('a.acme.com', 'active'),
    hostname('b.acme.com', 'pending'),
    hostname('c.acme.com', 'moved'),
    hostname('d.acme.com', 'blocked'),
  ].map((record) => ({ record }));
  const sorted = rows.toSorted((one, other) => (urgencyKey(one) < urgencyKey(other) ? -1 : 1));
  expect(sorted.map(({ record }) => record.status)).toEqual(['moved', 'blocked', 'pending', 'active']);
});
