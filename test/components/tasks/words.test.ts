import { expect, test } from 'vitest';
import { deleting } from '../../../components/kit/keys/busy.ts';
import { taskEntries } from '../../../components/tasks/entries.ts';
import { removeTaskDialog } from '../../../components/tasks/task-actions.ts';
import {
  resultLine,
  shortProgress,
  taskCounts,
  taskLine,
  taskRole,
  taskStateWord,
  taskTitle,
} from '../../../components/ui/tasks/words.ts';
import { entryLines } from '../../../components/ui/viewer/entries.ts';
import { listSubjects, parseTask, type Task, type TaskWork } from '../../../src/model/tasks/task.ts';

const namespace = { id: 'n1', title: 'flags' };

function task(id: number, change: Partial<Task> = {}): Task {
  return {
    version: 1,
    id: id.toString(16).padStart(16, '0'),
    work: { does: 'delete-keys', namespace },
    marked: 1200,
    target: 'production',
    profileName: 'acme',
    accountLabel: 'Acme',
    state: 'interrupted',
    runs: 1,
    started: 0,
    failed: { count: 0, first: [] },
    warnings: [],
    confirmed: [],
    ...change,
  };
}

test('labels a task in the sandbox like the badge, and never as production', () => {
  const where = { kind: 'sandbox', folder: '/data' } as const;
  const whereLine = (change: Partial<Task>, session: { isDemo?: boolean } = {}) =>
    taskEntries(task(1, { profileName: 'sandbox', accountLabel: 'Sandbox', ...change }), {
      pace: undefined,
      now: 0,
      elsewhere: false,
      columns: 80,
      session: { where, ...session },
    }).find(({ text }) => text.startsWith('where'))?.text;
  expect(whereLine({ where })).toBe('where     SANDBOX · Sandbox');
  expect(whereLine({ where }, { isDemo: true })).toBe('where     DEMO · Sandbox');
  expect(whereLine({ where: { ...where, folder: '/other' }, target: 'preview' }, { isDemo: true })).toBe(
    'where     SANDBOX PREVIEW · Sandbox',
  );
  const remote = { kind: 'remote', profile: 'acme', baseUrl: 'https://api.acme.invalid/client/v4' } as const;
  expect(whereLine({ where: remote, profileName: 'acme' })).toBe('where     acme · Sandbox · production');
});

test('asks only before an unfinished task is removed', () => {
  const work = { busy: deleting, run: async () => ({}) };
  for (const state of ['partly', 'failed', 'stopped', 'interrupted'] as const) {
    expect(removeTaskDialog(task(1, { state }), work)).toMatchObject({ kind: 'confirm', command: work });
  }
  expect(removeTaskDialog(task(1, { state: 'done' }), work)).toBeUndefined();
});

const bucket = 'assets';
const works: ReadonlyArray<readonly [TaskWork, string, readonly string[]]> = [
  [
    { does: 'import-keys', namespace, path: '/x/big.ndjson', skipInvalid: false },
    'Import big.ndjson into flags',
    ['namespace n1'],
  ],
  [
    { does: 'export-keys', namespace, path: '/x/out.ndjson' },
    'Export 1,200 keys from flags to out.ndjson',
    ['namespace n1'],
  ],
  [{ does: 'delete-keys', namespace }, 'Delete 1,200 keys from flags', ['namespace n1']],
  [
    { does: 'export-namespace', namespace, path: '/x/out.ndjson' },
    'Export all keys from flags to out.ndjson',
    ['namespace n1'],
  ],
  [{ does: 'clear-namespace', namespace }, 'Delete all keys from flags', ['namespace n1']],
  [
    { does: 'expire-keys', namespace, expiration: null },
    'Set the expiry of 1,200 keys in flags',
    ['namespace n1'],
  ],
  [
    { does: 'copy-keys', namespace, to: { namespace: { id: 'n2', title: 'other' } }, onConflict: 'skip' },
    'Copy 1,200 keys from flags to other',
    ['namespace n1', 'namespace n2'],
  ],
  [
    { does: 'upload', bucket, path: '/x/a.txt', key: 'docs/a.txt', existing: 'replace' },
    'Upload a.txt to assets/docs/a.txt',
    ['bucket assets'],
  ],
  [
    { does: 'download', bucket, prefix: '', path: '/x/down', single: false, existing: 'skip' },
    'Download 1,200 marked entries from assets to down',
    ['bucket assets'],
  ],
  [
    {
      does: 'copy-objects',
      bucket,
      prefix: '',
      to: { bucket: 'b2', key: 'x/' },
      single: false,
      existing: 'skip',
    },
    'Copy 1,200 marked entries from assets to b2/x/',
    ['bucket assets', 'bucket b2'],
  ],
  [{ does: 'delete-objects', bucket }, 'Delete 1,200 marked entries from assets', ['bucket assets']],
  [
    { does: 'sync-objects', bucket, prefix: 'docs/', path: '/x/site', direction: 'upload', remove: true },
    'Sync site to assets/docs/',
    ['bucket assets'],
  ],
  [{ does: 'delete-bucket', bucket }, 'Delete the bucket assets with all its objects', ['bucket assets']],
];

test.each(works)('a record of %j can be read back and has a title and subjects', (work, title, subjects) => {
  const made = task(1, { work });
  expect(parseTask(JSON.stringify(made))).toEqual(made);
  expect(taskTitle(made)).toBe(title);
  expect(listSubjects(work)).toEqual(subjects);
});

test('does not call the selected row marked in the title of a task if the row is not marked', () => {
  const work = { does: 'delete-objects', bucket: 'assets' } as const;
  expect(taskTitle(task(1, { work, marked: 1 }))).toBe('Delete 1 entry from assets');
});

test.each([
  '',
  'null',
  '{}',
  JSON.stringify({ ...task(1), version: 2 }),
  JSON.stringify({ ...task(1), id: '../../x' }),
  JSON.stringify({ ...task(1), work: { does: 'format-disk' } }),
])('skips an invalid record: %s', (text) => {
  expect(parseTask(text)).toBeUndefined();
});

test('shows the outcome or the problem of a task before its title', () => {
  const failed = { count: 2, first: [] };
  expect(taskLine(task(1, { state: 'done', outcome: 'Deleted 1 key from flags.' }))).toBe(
    'Deleted 1 key from flags.',
  );
  expect(taskLine(task(1, { state: 'partly', outcome: 'Deleted 1 key from flags.', failed }))).toBe(
    'Deleted 1 key from flags. 2 failed.',
  );
  const problem = { code: 'unreachable', message: 'No answer.' };
  expect(taskLine(task(1, { state: 'failed', problem }))).toBe('No answer. (Delete 1,200 keys from flags)');
});

test('a diagnosis shows how many hostnames have a fault, and lists the most severe faults', () => {
  const zone = { id: 'z1', name: 'saas.example' };
  const first = [{ hostname: 'a.example', severity: 'critical', cause: 'its DNS points elsewhere' }] as const;
  const diagnosis = (count: number) =>
    task(1, {
      work: { does: 'diagnose-hostnames', zone },
      state: 'done',
      started: 0,
      ended: 2500,
      outcome: `Diagnosed 25 hostnames in saas.example: ${count} with a fault.`,
      faults: { count, total: 25, first: count === 0 ? [] : first },
    });
  expect([17, 1, 0].map((count) => taskLine(diagnosis(count)))).toEqual([
    'Diagnose 25 hostnames in saas.example',
    'Diagnose 25 hostnames in saas.example',
    'Diagnose 25 hostnames in saas.example',
  ]);
  expect([17, 1, 0].map((count) => resultLine(diagnosis(count)))).toEqual([
    '17 of 25 hostnames have a fault · saas.example',
    '1 of 25 hostnames has a fault · saas.example',
    'No fault in 25 hostnames · saas.example',
  ]);
  expect(taskCounts([diagnosis(17), diagnosis(0)])).toBe('1 with faults, 1 done');
  expect([17, 1, 0].map((count) => [taskStateWord(diagnosis(count)), taskRole(diagnosis(count))])).toEqual([
    ['17 faults', 'critical'],
    ['1 fault', 'critical'],
    ['done', 'good'],
  ]);
  const where = { kind: 'sandbox', folder: '/data' } as const;
  const entries = (columns: number) =>
    taskEntries(diagnosis(17), { pace: undefined, now: 9000, elsewhere: false, columns, session: { where } });
  const lines = (columns: number) => entries(columns).map(({ text }) => text);
  expect(lines(38).at(0)).toBe('17 of 25 hostnames have a fault · saas.example');
  expect(lines(38)).toContain('state     17 faults, took 2s');
  // The faults are directly below the headline, so that a small screen shows them.
  expect(lines(38).slice(1, 4)).toEqual(['critical  a.example', 'Its DNS points elsewhere', 'and 16 more']);
  expect(lines(80).at(1)).toBe('critical  a.example  Its DNS points elsewhere');
  expect(entries(38).at(2)?.subject).toBe('a.example');
  // The headline has the style of the most severe hostname.
  expect(entries(80).at(0)?.role).toBe('critical');
});

test("wraps the cause of a fault next to its hostname, and omits the platform's code", () => {
  const cause = 'caa_error: the CAA records of the zone list other authorities, not pki.goog.';
  const done = task(1, {
    work: { does: 'diagnose-hostnames', zone: { id: 'z1', name: 'saas.example' } },
    state: 'done',
    ended: 1,
    outcome: 'Diagnosed.',
    faults: { count: 1, total: 1, first: [{ hostname: 'a.example', severity: 'error', cause }] },
  });
  const surface = { columns: 60, redact: (text: string) => text };
  const where = { kind: 'sandbox', folder: '/data' } as const;
  const facts = { pace: undefined, now: 2, elsewhere: false, columns: 60, session: { where } };
  const view = entryLines(taskEntries(done, facts), surface);
  expect(view.lines(1)).toEqual([
    '  error     a.example  The CAA records of the zone list',
    '                       other authorities, not pki.goog.',
  ]);
});

test('shows phase, percentage or amount, and time left in the short form of progress', () => {
  const progress = {
    phase: 'writing',
    unit: 'entries',
    done: 340,
    total: 1000,
    retries: 0,
    failed: 0,
  } as const;
  const running = task(1, { state: 'running', progress });
  expect(shortProgress(running, { rate: 10, secondsLeft: 66 })).toBe('writing 34% 1m left');
  expect(shortProgress({ ...running, progress: { ...progress, total: undefined } }, undefined)).toBe(
    'writing 340',
  );
  expect(shortProgress({ ...running, state: 'stopped' }, undefined)).toBe('writing 34%');
  expect(shortProgress({ ...running, state: 'done' }, undefined)).toBe('');
});

test('shows only counts above zero', () => {
  expect(taskCounts([])).toBe('no tasks');
  const states = ['running', 'waiting', 'failed', 'partly', 'stopped', 'done'] as const;
  expect(taskCounts(states.map((state, index) => task(index, { state })))).toBe(
    '1 running, 1 waiting, 2 failed, 1 to resume, 1 done',
  );
});
