import { expect, test } from 'vitest';
import { checkEntries, doctorCounts } from '../../../components/doctor/doctor-view.ts';
import { check } from '../../../src/model/doctor/check.ts';
import { Problem } from '../../../src/model/problem.ts';
import { openDemo } from '../open-platform.tsx';

test('checks all requirements of the console, copies a line of the report, and repeats the checks on request', async () => {
  const app = await openDemo({ columns: 120, rows: 40 });
  await app.go(['!'], 'permission-zones');
  const text = app.screen.text();
  expect(text).toMatch(/✓ credentials +The sandbox's own: profile sandbox, from the command line/);
  expect(text).toMatch(/✓ permission-kv +Key-value data: read and change/);
  expect(app.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  await app.go(['y'], '✓ Copied the line on version');
  const before = app.calls.length;
  await app.go(['r'], (screen) => app.calls.length > before + 5 && !/looking/.test(screen.text()));
  await app.go(['esc'], 'Home');
});

test('shows a failed check with a sign and a remedy, and jumps to each failed check', async () => {
  const app = await openDemo({
    through: (send) => async (call) => {
      if (call.path.endsWith('/tokens/verify'))
        throw new Problem('unreachable', 'No answer.', { remedy: { kind: 'check-network' } });
      return send(call);
    },
  });
  await app.go([':'], 'go to:');
  await app.go([...'doctor'], (screen) => screen.selected()?.includes('Check credentials') ?? false);
  await app.go(['enter'], '✗ platform');
  expect(app.screen.text()).toContain('1 error · 0 warnings');
  await app.go(['tab'], (screen) => (screen.selected() ?? '').includes('✗ platform'));
});

test('marks and counts checks with an unknown result', () => {
  const unknown = check.unknown('permission-kv', 'Key-value data: read');
  const known = check.ok('network', 'no proxy');
  expect([unknown, known].flatMap(checkEntries).map(({ text }) => text[0])).toEqual(['?', '✓']);
  const found = { grade: 'ok', isSignedOut: false } as const;
  expect(doctorCounts({ ...found, checks: [unknown, known] })).toBe('no problems · 1 unknown');
  expect(doctorCounts({ ...found, checks: [known] })).toBe('no problems');
});
