import { expect, test } from 'vitest';
import { homeLines } from '../../../components/home/home-lines.ts';
import {
  emptyHome,
  type HomeEvent,
  type HomeState,
  isReading,
  reduceHome,
} from '../../../components/home/home-state.ts';
import { cursorAt, type HomeLine } from '../../../components/home/lines.ts';
import { nouns } from '../../../components/kit/nouns.ts';
import { noMemory } from '../../../src/model/places/memory.ts';
import { Problem } from '../../../src/model/problem.ts';
import { hostname, saas } from '../memory-hostnames.ts';

const now = Date.UTC(2026, 10, 21, 10);

function after(...events: HomeEvent[]): HomeState {
  return events.reduce(reduceHome, emptyHome);
}

function renderHome(state: HomeState, height = 24): string[] {
  const facts = { tasks: [], held: [], memory: noMemory, before: undefined, nouns, now, height };
  return homeLines({ state, ...facts }).map((line: HomeLine) =>
    'heading' in line ? `# ${line.heading}` : `${line.mark}|${line.subject}|${line.about ?? ''}`,
  );
}

const hostnames = (names: readonly string[], status: string): HomeEvent => ({
  type: 'read',
  part: 'hostnames',
  value: {
    zone: saas,
    isWhole: true,
    ahead: 0,
    rows: names.map((name) => ({ record: hostname(name, status), movedSeenAt: now })),
  },
});

test('shows the data for which each section waits, and shows the other sections if a section fails', () => {
  const state = after(
    { type: 'waiting', part: 'hostnames', waitsFor: 'the zone' },
    { type: 'waiting', part: 'buckets', waitsFor: 'the buckets' },
    { type: 'failed', part: 'workers', problem: new Problem('unreachable', 'No answer.') },
    { type: 'read', part: 'namespaces', value: { rows: [{ id: 'a', title: 'sessions' }], isWhole: true } },
  );
  expect(isReading(state)).toBe(true);
  expect(renderHome(state)).toEqual([
    '# Needs attention',
    '|waiting for the zone…|',
    '# Go to',
    '1|Namespaces|1',
    '2|Buckets|waiting for the buckets…',
    '3|Hostnames|',
    '4|Workers|Reading workers failed: No answer. Press r to retry.',
    '5|Tasks|0',
  ]);
});

test('reports missing permissions as information, not as a warning', () => {
  const refused = after({
    type: 'failed',
    part: 'hostnames',
    problem: new Problem('not-permitted', 'Authentication error.'),
  });
  expect(renderHome(refused)[1]).toBe('|The credentials do not allow reading hostnames.|');
});

test('lists the most severe hostnames first, with days left, who must act, and the number of hostnames not shown', () => {
  const mixed = after(hostnames(['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'], 'moved'));
  expect(renderHome(mixed, 6).slice(0, 7)).toEqual([
    '# Needs attention',
    'moved|a.com|deletion within 7d  you/customer',
    'moved|b.com|deletion within 7d  you/customer',
    'moved|c.com|deletion within 7d  you/customer',
    'moved|d.com|deletion within 7d  you/customer',
    '|and 2 more: press 3|',
    '# Go to',
  ]);
  expect(renderHome(after(hostnames(['a.com'], 'active')))[1]).toBe(
    '|The platform reports all hostnames as active.|',
  );
});

test.each([
  [25, 'moved|r.com'],
  [24, '|and 2 more: press 3|'],
])('lists as many hostnames as fit on a screen of %s rows together with the links', (height, last) => {
  const names = [...'abcdefghijklmnopqr'].map((letter) => `${letter}.com`);
  const lines = renderHome(after(hostnames(names, 'moved')), height);
  expect(lines[lines.indexOf('# Go to') - 1]).toContain(last);
  expect(lines.length).toBe(height);
});

test('fills the height of a short screen with hostnames, and shows the links after scrolling', () => {
  const names = Array.from({ length: 10 }, (_, index) => `${index}.com`);
  const lines = renderHome(after(hostnames(names, 'moved')), 9);
  expect(lines[8]).toBe('|and 3 more: press 3|');
  expect(lines[9]).toBe('# Go to');
});

test('never emphasizes what expires later more than what expires first', () => {
  const days = (count: number) => new Date(now + count * 86_400_000).toISOString();
  const certificate = (name: string, left: number) => ({
    record: hostname(name, 'active', {}, { expires_on: days(left) }),
  });
  const rows = [certificate('b.com', 20), certificate('a.com', 3)];
  const namespace = { id: 'n', title: 'sessions' };
  const keys = [{ namespace, count: 1, first: 'key', expiration: now / 1000 + 60 }];
  const state = after(
    { type: 'read', part: 'hostnames', value: { zone: saas, isWhole: true, ahead: 0, rows } },
    { type: 'read', part: 'keys', value: keys },
  );
  const facts = { tasks: [], held: [], memory: noMemory, before: undefined, nouns, now, height: 40 };
  const lines = homeLines({ state, ...facts });
  const soon = lines.slice(lines.findIndex((line) => 'heading' in line && line.heading === 'Expires soon'));
  expect(soon.slice(1, 4).map((line) => 'subject' in line && [line.subject, line.role])).toEqual([
    ['key', 'fault'],
    ['a.com', 'fault'],
    ['b.com', 'warning'],
  ]);
});

test('lists upcoming renewals in free rows, unless the overview shows them', () => {
  const expires_on = new Date(now + 40 * 86_400_000).toISOString();
  const rows = ['a.com', 'b.com', 'c.com'].map((name) => ({
    record: hostname(name, 'active', {}, { expires_on }),
  }));
  const value = { zone: saas, isWhole: true, ahead: 0, rows };
  const state = after({ type: 'read', part: 'hostnames', value });
  const lines = renderHome(state, 40);
  expect(lines.slice(lines.indexOf('# Upcoming renewals'), lines.indexOf('# Go to'))).toEqual([
    '# Upcoming renewals',
    ...['a.com', 'b.com', 'c.com'].map((name) => `10d|${name}|`),
  ]);
  expect(renderHome(state, 11)).toHaveLength(11);
  expect(renderHome(state, 10)).not.toContain('# Upcoming renewals');
  const facts = { tasks: [], held: [], memory: noMemory, before: undefined, nouns, now, height: 40 };
  const beside = homeLines({ state, ...facts, hasOverview: true });
  expect(beside.some((line) => 'heading' in line && line.heading === 'Upcoming renewals')).toBe(false);
});

test('shows the previous content while rereading', () => {
  const again = reduceHome(after(hostnames(['a.com'], 'moved')), {
    type: 'waiting',
    part: 'hostnames',
    waitsFor: 'the zone',
  });
  expect(renderHome(again)[1]).toContain('a.com');
  expect(isReading(again)).toBe(true);
});

test('keeps the cursor on the first line until the user moves it, and then on its line, while lines arrive', () => {
  expect(cursorAt(['a', 'b'], undefined)).toBe(0);
  const moved = reduceHome(emptyHome, { type: 'moved', move: 'down', stops: ['a', 'b'], at: 0, height: 5 });
  expect(cursorAt(['x', 'a', 'b'], moved.chosen)).toBe(2);
  expect(cursorAt(['x'], moved.chosen)).toBe(0);
});

test('lists and counts only the hostnames that require an action', () => {
  const lines = renderHome(after(hostnames(['a.com', 'b.com'], 'pending_deletion')));
  expect(lines[1]).toBe('|No action needed: 2 in progress, the others are active.|');
});
