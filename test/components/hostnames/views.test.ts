import { expect, test } from 'vitest';
import { hostnameColumns } from '../../../components/hostnames/columns.ts';
import { fixDialog } from '../../../components/hostnames/diagnosis-actions.ts';
import { diagnosisEntries } from '../../../components/hostnames/diagnosis-entries.ts';
import { hostnameEntries } from '../../../components/hostnames/entries.ts';
import { instructionEntries } from '../../../components/hostnames/instructions/instructions-view.ts';
import { timelineEntries } from '../../../components/hostnames/timeline.ts';
import { gaugeChange, zoneParts } from '../../../components/hostnames/zone-line.ts';
import { reading } from '../../../components/kit/keys/busy.ts';
import { fitColumns } from '../../../components/ui/lists/list-layout.ts';
import { noNeeds } from '../../../components/ui/lists/seen-widths.ts';
import { entryLines } from '../../../components/ui/viewer/entries.ts';
import { jump, linesFrom } from '../../../components/ui/viewer/scroll.ts';
import { atTop } from '../../../components/ui/viewer/source.ts';
import { diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import { known, unknown } from '../../../src/model/diagnosis/facts.ts';
import type { Finding } from '../../../src/model/diagnosis/finding.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../../src/model/hostnames/issuance.ts';
import { createInstructions } from '../../../src/model/instructions/instructions.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { ZoneOverview } from '../../../src/services/hostnames/overview.ts';
import type { HostnameRow } from '../../../src/services/hostnames/rows.ts';
import { facts, withRecord } from '../../model/diagnosis/fixture.ts';
import { drawn } from '../drawn.ts';
import { hostname, saas } from '../memory-hostnames.ts';
import { plainSurface } from '../plain-surface.ts';

const now = Date.UTC(2026, 10, 21);
const day = 24 * 3_600_000;

interface ZoneLine extends Partial<ZoneOverview> {
  readonly issuance?: IssuanceWindow;
}

function getLine({ issuance = { limit: 15, issued: [] }, ...overview }: ZoneLine, width = 100): string {
  const whole: ZoneOverview = {
    fallback: known({ origin: 'origin.saas.com', status: 'active' }),
    quota: known({ used: 3, allocated: 100 }),
    ahead: 0,
    ...overview,
  };
  return zoneParts(whole, issuance, now, plainSurface(width))
    .map(({ text }) => drawn(text))
    .join('');
}

test.each<[string, ZoneLine, string]>([
  ['no problems', {}, 'quota 3/100  issued 0/15 this minute  fallback origin.saas.com'],
  ['there is no origin', { fallback: known(null) }, 'issued 0/15 this minute  no fallback origin'],
  [
    'the origin is not in use yet',
    { fallback: known({ origin: 'o\u001b.com', status: 'pending_deployment' }) },
    'fallback o␛.com (pending_deployment)',
  ],
  [
    'nothing can be read',
    { fallback: unknown('not permitted'), quota: unknown('not permitted') },
    'quota ?  issued 0/15 this minute  fallback origin: not permitted',
  ],
  [
    'issuance is blocked',
    { issuance: { limit: 15, issued: [now - 5], blockedUntil: now + 11_400 } },
    'issued 1/15 this minute  blocked 12 s',
  ],
])('describes the zone when %s', (_, overview, wanted) => {
  expect(getLine(overview)).toContain(wanted);
});

test('truncates the line about the zone on a narrow screen', () => {
  expect(getLine({}, 40)).toBe('quota 3/100  issued 0/15  fallback orig…');
});

test('computes when the issuance gauge will change, and returns no time if it will not change', () => {
  expect(gaugeChange({ limit: 15, issued: [] }, now)).toBeUndefined();
  expect(gaugeChange({ limit: 15, issued: [now - 70_000] }, now)).toBeUndefined();
  expect(gaugeChange({ limit: 15, issued: [now - 50_000, now - 1000] }, now)).toBe(10_000);
  expect(gaugeChange({ limit: 15, issued: [], blockedUntil: now + 11_400 }, now)).toBe(400);
  expect(gaugeChange({ limit: 15, issued: [], blockedUntil: now }, now)).toBeUndefined();
});

test('shows the days left in Moved as a maximum, counted from the first time that edgectl saw the state Moved', () => {
  const cells = (row: Parameters<typeof hostnameEntries>[0]) =>
    hostnameColumns(now).map((column) => column.cell(row));
  const record = hostname('a.com', 'moved');
  expect(cells({ record, movedSeenAt: now - 2.2 * day })).toContain('deletion within 5d');
  expect(cells({ record })).toContain('deletion within 7d');
  expect(cells({ record: hostname('a.com') })[1]).toBe('');
});

test("a narrower screen truncates the platform's message first, then the next step, and the state last", () => {
  const name = { heading: 'HOSTNAME', cell: () => '' };
  const content = { name, columns: hostnameColumns(now), needs: noNeeds };
  const headings = (width: number) => fitColumns(width, content).columns.map(({ heading }) => heading);
  expect(headings(40)).toEqual(['STATE']);
  expect(headings(66)).toEqual(['SEVERITY', 'EXPIRY', 'WHO', 'STATE']);
  expect(headings(120)).toEqual([...headings(66), 'CERTIFICATE', 'STATUS', 'AGE', 'CA']);
});

test('shows the days until the certificate expires, who must act, and when a moved hostname is deleted at the latest', () => {
  const row = (record: CustomHostname) => {
    const found = hostnameColumns(now).map((column) => column.cell({ record, movedSeenAt: now - 2 * day }));
    return found.slice(0, 4).join(' | ');
  };
  const ends = new Date(now + 12.5 * day).toISOString();
  expect(row(hostname('a.com', 'moved'))).toBe('critical |  | you/customer | deletion within 5d');
  expect(row(hostname('a.com', 'active', {}, { expires_on: ends }))).toBe('ok | 12d |  | active');
  const ended = new Date(now - 3.5 * day).toISOString();
  const expired = (ssl: object) => row(hostname('a.com', 'active', {}, { status: 'expired', ...ssl }));
  expect(expired({ expires_on: ended })).toBe('error | 3d ago | customer? | certificate expired');
  expect(expired({})).toBe('error | past | customer? | certificate expired');
});

test('colors the severity, and the state only if it is critical or has no severity next to it', () => {
  const roles = (status: string, width?: number) => {
    const columns = hostnameColumns(now, width);
    const record = hostname('a.com', status, {}, { status: status === 'moved' ? 'active' : 'expired' });
    return ['SEVERITY', 'STATE'].map((heading) => {
      const column = columns.find((one) => one.heading === heading);
      return column?.parts?.({ record }, 20)[0]?.role ?? column?.role?.({ record });
    });
  };
  expect(roles('moved')).toEqual(['critical', 'critical']);
  expect(roles('active')).toEqual(['fault', 'plain']);
  expect(roles('active', 40)).toEqual(['fault', 'fault']);
});

test('colors the status that causes the problem, either of the hostname or of its certificate', () => {
  const roles = (record: CustomHostname) =>
    hostnameEntries({ record }, now).flatMap(({ text, role }) => (/^status /.test(text) ? [role] : []));
  expect(roles(hostname('a.com', 'active', {}, { status: 'expired' }))).toEqual(['good', 'fault']);
  expect(roles(hostname('a.com', 'moved'))).toEqual(['fault', 'good']);
});

test('shows each record to set as a line of a zone file, and its name and value separately', () => {
  const record = hostname(
    'a.com',
    'pending',
    {
      ownership_verification: { name: '_own.a.com', value: 'token' },
      ownership_verification_http: { http_url: 'http://a.com/own', http_body: 'b' },
    },
    { dcv_delegation_records: [{ cname: '_acme.a.com', cname_target: 'a.dcv.com' }] },
  );
  const copies = hostnameEntries({ record }, now).flatMap(({ copied }) => copied?.text ?? []);
  expect(copies).toEqual(expect.arrayContaining(['_own.a.com. TXT "token"', '_own.a.com', 'token']));
  expect(copies).toEqual(expect.arrayContaining(['http://a.com/own b', '_acme.a.com. CNAME a.dcv.com.']));
});

test('shows timestamps as the timeline does, and copies them exactly', () => {
  const record = {
    ...hostname('a.com'),
    created_at: '2026-08-20T23:06:07.301000Z',
    ssl: { expires_on: 'soon' },
  };
  const entries = hostnameEntries({ record }, now);
  expect(entries.find(({ text }) => text.startsWith('created'))).toMatchObject({
    text: 'created     2026-08-20 23:06Z',
    copied: { text: '2026-08-20T23:06:07.301000Z' },
  });
  expect(entries.find(({ text }) => text.startsWith('expires'))?.text).toBe('expires     soon');
});

test("shows the customer's instructions, and copies values and the provider's link", () => {
  const gathered = facts();
  const message = {
    ...createInstructions(gathered, diagnose(gathered)),
    domainConnect: { label: 'Panel', apply: { link: 'https://panel.test/apply?x=1', host: 'panel.test' } },
  };
  const entries = instructionEntries({ instructions: message, note: 'Name a key.' });
  expect(entries.find(({ copied }) => copied?.what === 'the link')).toMatchObject({
    text: 'https://panel.test/apply?x=1',
    stop: true,
    copied: { text: 'https://panel.test/apply?x=1' },
  });
  const values = entries.flatMap(({ copied }) => (copied?.what === 'the value' ? [copied.text] : []));
  expect(values).toEqual(message.records.map(({ value }) => value));
  expect(entries).toContainEqual({ text: 'Name a key.', role: 'warning' });
  expect(entries.filter(({ stop }) => stop)).toHaveLength(message.records.length + 1);
});

test('wraps long lines, and jumps from each marked entry to the next, from the last to the first', () => {
  const entries = [
    { text: 'one' },
    { text: 'two three four five', indent: 2, stop: true },
    { text: 'six', stop: true },
  ];
  const lines = entryLines(entries, plainSurface(12));
  expect(linesFrom(lines, atTop, 10)).toEqual(['one', '  two three', '  four five', 'six']);
  const jumped = (segment: number, line = 0, among = lines) =>
    jump(among, { top: atTop, line: { segment, line } }).line;
  expect(jumped(0)).toEqual({ segment: 1, line: 0 });
  expect(jumped(1, 1)).toEqual({ segment: 2, line: 0 });
  expect(jumped(2)).toEqual({ segment: 1, line: 0 });
  expect(jumped(0, 0, entryLines(entries.slice(0, 1), plainSurface(12)))).toEqual(atTop);
});

test('shows a diagnosis with the applied fixes, and copies commands as a user would type them', () => {
  const diagnosis = diagnose(withRecord({ status: 'moved' }));
  const step = { kind: 'set-fallback', origin: 'o\u001b.com' } as const;
  const problem = new Problem('refused', 'not\u0007 now');
  const entries = diagnosisEntries(diagnosis, [{ step, problem }]);
  expect(entries[0]?.text).toBe('Not done: set the fallback origin to o\u001b.com: not\u0007 now');
  expect(entries[1]).toMatchObject({ text: 'shop.acme.com: 1 critical fault', role: 'fault' });
  const commands = entries.filter(({ copied }) => copied?.what === 'the command');
  expect(commands.map(({ text, copied }) => [text, copied?.text])).toContainEqual([
    '$ edgectl hostname refresh shop.acme.com',
    'edgectl hostname refresh shop.acme.com',
  ]);
});

test('lists past and future events of a hostname in order', () => {
  const record = {
    ...hostname('shop.acme.com'),
    status: 'moved',
    created_at: new Date(now - 90 * day).toISOString(),
    ssl: {
      status: 'active',
      uploaded_on: new Date(now - 89 * day).toISOString(),
      expires_on: new Date(now + day).toISOString(),
    },
  };
  const row = { record, movedSeenAt: now - 2 * day, refreshedAt: now - 3_600_000 };
  expect(timelineEntries(row, now).map(({ text, role }) => [text, role])).toEqual([
    ['Timeline', 'title'],
    ['2026-08-23 00:00Z  created, 90 days ago', 'plain'],
    ['2026-08-24 00:00Z  certificate issued, 89 days ago', 'plain'],
    ['2026-11-19 00:00Z  first seen in Moved by edgectl, 2 days ago', 'warning'],
    ['2026-11-20 23:00Z  validation restarted with edgectl, 1 h ago', 'plain'],
    ['2026-11-22 00:00Z  certificate expires, unless it is renewed, in 1 day', 'dim'],
    ['2026-11-26 00:00Z  deleted by the platform, in at most 5 days', 'fault'],
  ]);
  const empty = { ...record, created_at: 'never', ssl: {}, status: 'active' };
  expect(timelineEntries({ record: empty }, now)).toEqual([]);
});

test('shows each event of a hostname on one line: a narrow surface omits the time, then the date', () => {
  const record = {
    ...hostname('shop.acme.com'),
    created_at: new Date(now - 90 * day).toISOString(),
    ssl: {
      status: 'active',
      uploaded_on: new Date(now - 9 * day).toISOString(),
      expires_on: new Date(now + day).toISOString(),
    },
  };
  const linesAt = (columns: number, row: HostnameRow = { record }) =>
    linesFrom(entryLines(timelineEntries(row, now), plainSurface(columns)), atTop, 20).slice(1);
  expect(linesAt(80)).toEqual([
    '  2026-08-23 00:00Z  created, 90 days ago',
    '  2026-11-12 00:00Z  certificate issued, 9 days ago',
    '  2026-11-22 00:00Z  certificate expires, unless it is renewed, in 1 day',
  ]);
  const dates = [
    '  2026-08-23  created, 90 days ago',
    '  2026-11-12  certificate issued, 9 days ago',
    '  2026-11-22  certificate expires, in 1 day',
  ];
  expect(linesAt(71)).toEqual(dates);
  expect(linesAt(44)).toEqual(dates);
  expect(linesAt(36)).toEqual([
    '  90 days ago  created',
    '  9 days ago   certificate issued',
    '  in 1 day     certificate expires',
  ]);
  const moved = {
    record: { ...record, status: 'moved' },
    movedSeenAt: now - 2 * day,
    refreshedAt: now - day,
  };
  expect(linesAt(36, moved)).toEqual([
    '  90 days ago  created',
    '  9 days ago   certificate issued',
    '  2 days ago   first seen in Moved',
    '  1 day ago    validation restarted',
    '  in 1 day     certificate expires',
    '  within 5d    deletion',
  ]);
  // Copying a line copies the exact time.
  expect(entryLines(timelineEntries({ record }, now), plainSurface(36)).segmentCopy?.(1)?.text).toBe(
    '2026-08-23 00:00Z  created, 90 days ago',
  );
});

test('shows no finding codes, and states only once that the operator need not act', () => {
  const texts = diagnosisEntries(diagnose(withRecord({ status: 'moved' })), []).map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringMatching(/^critical: The hostname has the status Moved/));
  expect(texts.filter((text) => /\b[A-H]\d+\b/.test(text))).toEqual([]);
  const advice = { evidence: [], who: 'nobody', remedy: { text: 'No action needed.' } } as const;
  const finding = { id: 'E1', severity: 'ok', cause: 'CAA allows it.', ...advice } as const;
  const well = { ...diagnose(facts()), findings: [finding] };
  expect(diagnosisEntries(well, []).map(({ text }) => text)).toEqual([
    'shop.acme.com: no fault',
    'ok: CAA allows it.',
    'No action needed.',
  ]);
});

test('the first line mentions a warning if there is no fault', () => {
  const advice = { id: 'E1', cause: 'Odd.', evidence: [], who: 'us', remedy: { text: 'Look.' } } as const;
  const warning = { ...advice, severity: 'warn' } as const;
  const first = (findings: readonly Finding[]) =>
    diagnosisEntries({ ...diagnose(facts()), findings, verdict: 'well' }, [])[0];
  expect(first([warning])).toEqual({ text: 'shop.acme.com: no fault, but 1 warning', role: 'warning' });
  expect(first([warning, warning])?.text).toBe('shop.acme.com: no fault, but 2 warnings');
  expect(first([{ ...advice, severity: 'info' }])).toEqual({ text: 'shop.acme.com: no fault', role: 'good' });
});

test('names facts that are unknown', () => {
  const diagnosis = diagnose(facts({ fallback: unknown('HTTP 500') }));
  expect(diagnosisEntries(diagnosis, []).map(({ text }) => text)).toContain(
    'not known: fallback origin (HTTP 500)',
  );
});

test('asks once about all steps of a plan, and asks nothing if there is no plan', () => {
  const work = { busy: reading, run: async () => ({}) };
  const asked: unknown[] = [];
  const fix = (steps: unknown) => {
    asked.push(steps);
    return work;
  };
  const asks = (of: ReturnType<typeof facts>) => fixDialog(saas, { facts: of, diagnosis: diagnose(of) }, fix);
  expect(asks(withRecord({ status: 'moved' }))).toMatchObject({
    kind: 'confirm',
    question: { lost: ['- restart validation of shop.acme.com'] },
    command: work,
  });
  expect(asks(facts())).toBeUndefined();
  expect(fixDialog(saas, undefined, fix)).toBeUndefined();
  expect(asked).toMatchObject([[{ kind: 'refresh' }]]);
});
