import { expect, test } from 'vitest';
import { Pulse } from '../../../../components/kit/pulse.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { fillDemo, openConsole, testNow } from '../../open-console.tsx';

/** Without refreshing, the age of data grows. */
const settings = { refresh: 'off' } as const;

/** Creates a clock that the test sets. */
function clock() {
  const at = { time: testNow };
  return { at, now: () => at.time };
}

const calm = () => new Pulse({ retries: () => 0 });
const firstLine = (screen: { lines(): string[] }) => screen.lines()[0] ?? '';

test('shows the age of the rows, and redraws the age only when its words change', async () => {
  const { at, now } = clock();
  const app = openConsole({ fill: fillDemo, now, pulse: calm(), settings });
  await app.screen.waitFor((screen) => / just now · ok$/.test(firstLine(screen)));
  await app.go(['?'], (screen) => / ok$/.test(firstLine(screen)) && !/just now/.test(firstLine(screen)));
  at.time += 9_990;
  await app.go(['esc'], (screen) => / just now · ok$/.test(firstLine(screen)));
  at.time += 10;
  await app.screen.waitFor((screen) => / 10 s ago · ok$/.test(firstLine(screen)));
  at.time += 3 * 60_000;
  await app.go(['r'], (screen) => / just now · ok$/.test(firstLine(screen)));
});

test('shows the age of a value, and the age of its list after the value was closed', async () => {
  const { at, now } = clock();
  const app = openConsole({ fill: fillDemo, now, pulse: calm(), settings });
  await app.screen.waitFor('demo-sessions');
  await app.go(['down', 'enter'], 'user:2');
  at.time += 120_000;
  await app.go(['enter'], (screen) => / just now · ok$/.test(firstLine(screen)));
  await app.go(['esc'], (screen) => / 2 min ago · ok$/.test(firstLine(screen)));
});

test.each([
  [80, / just now · ok$/],
  [40, /^LOCAL +demo · Demo account$|just now$/],
])('at %i columns, omits the least important facts of the status', async (columns, wanted) => {
  const app = openConsole({ fill: fillDemo, columns, rows: 12, pulse: calm(), settings });
  await app.screen.waitFor('demo-sessions');
  await app.screen.waitFor((screen) => wanted.test(firstLine(screen)));
});

test('shows a connection fault instead of the account if there is no room for both', async () => {
  const pulse = calm();
  const call = { method: 'GET', path: '/x', headers: {}, repeatable: true } as const;
  const unanswered = pulse.watch(() => Promise.reject(new Problem('unreachable', 'No answer.')))(call);
  await expect(unanswered).rejects.toThrow('No answer.');
  const label = { accountLabel: 'An account with a name that takes all there is' };
  const app = openConsole({ fill: fillDemo, columns: 40, rows: 12, pulse, label });
  await app.screen.waitFor((screen) => / offline$/.test(firstLine(screen)));
  expect(firstLine(app.screen)).toMatch(/^LOCAL {2}demo/);
});
