import { expect, test } from 'vitest';
import { gravityOf } from '../../../components/hostnames/columns.ts';
import { statusMenu, zoneMenu } from '../../../components/hostnames/menus.ts';
import { filterOfStatus } from '../../../components/hostnames/status-filter.ts';
import { noZone, reduceZone, type ZoneEvent } from '../../../components/hostnames/zone-state.ts';
import { Problem } from '../../../src/model/problem.ts';
import { hostname, saas } from '../memory-hostnames.ts';

const after = (...events: ZoneEvent[]) => events.reduce(reduceZone, noZone);
const taken: ZoneEvent = { type: 'taken', zone: saas };
const finding: ZoneEvent = { type: 'begun', busy: { kind: 'reading', words: 'reading the zones' } };

test('forgets everything of another zone', () => {
  const known = after(taken, { type: 'issuance', issuance: { limit: 15, issued: [1] } }, { type: 'ticked' });
  expect(known).toMatchObject({ zone: saas, issuance: { issued: [1] }, ticks: 1 });
  const other = { id: 'y', name: 'other.com' };
  expect(reduceZone(known, { type: 'taken', zone: other })).toEqual({ zone: other, ticks: 0 });
});

test('looks for a zone until it is taken, asked for or not to be had', () => {
  expect(after(finding).busy?.words).toBe('reading the zones');
  expect(after(finding, taken)).toEqual({ zone: saas, ticks: 0 });
  const asked = after(finding, { type: 'asked', dialog: zoneMenu({ zones: [saas], more: false }) });
  expect(asked).toMatchObject({ busy: undefined, dialog: { kind: 'menu' } });
  const problem = new Problem('usage', 'There is none.');
  const failed = after(finding, { type: 'failed', problem, command: { does: 'find' } });
  expect(failed).toMatchObject({ busy: undefined, dialog: { kind: 'problem', command: { does: 'find' } } });
});

test('offers zones by their escaped names, and says that there are others', () => {
  const menu = zoneMenu({ zones: [{ id: 'z', name: 'a\u001b.com' }], more: true });
  expect(menu.title).toContain('the first 1;');
  expect(menu.items).toMatchObject([{ label: 'a\\e.com', command: { does: 'take', zone: { id: 'z' } } }]);
});

test('offers every status after any, the present one selected', () => {
  const menu = statusMenu('moved');
  expect(menu.items[0]).toEqual({ label: 'any status', command: { does: 'list', status: '' } });
  expect(menu.items[menu.initial]?.command.status).toBe('moved');
  expect(statusMenu('').initial).toBe(0);
});

test('offers the statuses of certificates as well, which are another filter of the platform', () => {
  const labels = statusMenu('').items.map(({ label }) => label);
  expect(labels).toContain('certificate pending_validation');
  expect(statusMenu('certificate expired').items[statusMenu('certificate expired').initial]?.label).toBe(
    'certificate expired',
  );
  expect(['', 'moved', 'certificate expired'].map(filterOfStatus)).toEqual([
    {},
    { status: 'moved' },
    { certificateStatus: 'expired' },
  ]);
});

test('sorts the graver first, whatever the words of the statuses are', () => {
  const rows = [
    hostname('a.acme.com', 'active'),
    hostname('b.acme.com', 'pending'),
    hostname('c.acme.com', 'moved'),
    hostname('d.acme.com', 'blocked'),
  ].map((record) => ({ record }));
  const sorted = rows.toSorted((one, other) => (gravityOf(one) < gravityOf(other) ? -1 : 1));
  expect(sorted.map(({ record }) => record.status)).toEqual(['moved', 'blocked', 'pending', 'active']);
});
