import { expect, test } from 'vitest';
import { divideHome } from '../../../components/home/home-layout.ts';
import { emptyHome, reduceHome } from '../../../components/home/home-state.ts';
import { overviewEntries } from '../../../components/home/overview.ts';
import { expiringSection, renewalSection } from '../../../components/home/sections.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';

const now = Date.UTC(2026, 10, 21, 10);
const day = 24 * 3600 * 1000;

const certificate = (hostname: string, days: number): CustomHostname => ({
  id: hostname,
  hostname,
  status: 'active',
  ssl: { status: 'active', expires_on: new Date(now + days * day).toISOString() },
});

const zone = { id: 'z', name: 'saas.com' };

function read(records: readonly CustomHostname[]) {
  const rows = records.map((record) => ({ record }));
  const value = { zone, isWhole: true, ahead: 0, rows };
  return reduceHome(emptyHome, { type: 'read', part: 'hostnames', value });
}

function overview(records: readonly CustomHostname[], height: number, left?: { left: number; of: number }) {
  const state = read(records);
  return overviewEntries({ state, tasks: [], left, now, height }).map(({ text }) => text);
}

test('lists renewals by date, 30 days before the certificate expires, and marks renewals that are due', () => {
  const lines = overview(
    [certificate('b.com', 75), certificate('a.com', 40), certificate('late.com', 3)],
    40,
  );
  expect(lines.slice(0, 5)).toEqual([
    'Upcoming renewals',
    'due      late.com',
    '10d      a.com',
    '45d      b.com',
    '',
  ]);
});

test('lists an active certificate once: as a renewal until the renewal is overdue, then as expiring', () => {
  const second = 1 / 86_400;
  const state = read([
    certificate('late.com', 30 - second),
    certificate('now.com', 30),
    certificate('soon.com', 30 + second),
  ]);
  const subjects = (lines: ReturnType<typeof renewalSection>) =>
    lines.flatMap((line) => ('subject' in line ? [line.subject] : []));
  expect(subjects(expiringSection(state, now))).toEqual(['late.com']);
  expect(subjects(renewalSection(state, now, 20))).toEqual(['now.com', 'soon.com']);
});

test('lists no renewal of a hostname that will be deleted earlier, or that needs a fix first', () => {
  const moved = { ...certificate('moved.com', 40), status: 'moved' };
  const pending = { ...certificate('pending.com', 40), status: 'pending' };
  expect(overview([moved, pending], 40)).not.toContain('Upcoming renewals');
});

test('shows only as many renewals as the height and the request budget allow', () => {
  const many = Array.from({ length: 40 }, (_, index) => certificate(`h${index}.com`, 40 + index));
  const lines = overview(many, 24, { left: 150, of: 300 });
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines).toContain('         and 25 more');
  expect(lines.slice(-3)).toEqual([
    'Request budget',
    `${'━'.repeat(12)}${'─'.repeat(12)}  150 of 300 now`,
    '1,200 in 5 minutes',
  ]);
  expect(overview([], 24)).toContain('No request limit here.');
});

test('keeps the columns that show who must act on every screen of usual size', () => {
  for (const columns of [120, 140, 159, 160, 200]) {
    expect(divideHome({ columns, rows: 40 }, true).main.width).toBeGreaterThanOrEqual(78);
  }
});

test('fills the width of every screen, and shows more regions on wider screens', () => {
  let before = 0;
  for (let columns = 40; columns <= 220; columns++) {
    const { main, preview, overview: third } = divideHome({ columns, rows: 40 }, true);
    const regions = [main, preview, third].filter((region) => region !== undefined);
    expect(regions.reduce((left, { width }) => left + width, 0)).toBe(columns);
    expect(regions.length).toBeGreaterThanOrEqual(before);
    expect(Math.min(...regions.map(({ width }) => width))).toBeGreaterThanOrEqual(40);
    before = regions.length;
  }
  expect(before).toBe(3);
});
