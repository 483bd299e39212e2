import { expect, test } from 'vitest';
import { Messages } from '../../../components/kit/messages.ts';
import { messageEntries } from '../../../components/messages/message-view.ts';
import { Problem } from '../../../src/model/problem.ts';
import { openKeys } from '../open-console.tsx';

test('marks success and failure with a sign above the footer, and records both notices', async () => {
  const app = await openKeys();
  await app.go(['down', 'y'], '✓ Copied');
  expect(app.screen.lines().at(-1)).toMatch(/\? more$/);
  app.kv.failNext('readKey', new Problem('refused', 'No\u001b[2J.', { requestId: 'ray-1', status: 500 }));
  await app.go(['enter'], 'error: No');
  await app.go(['esc'], 'Reading…');
  await app.go(['esc'], 'Enter value');
  await app.go(['M'], 'Messages · 2 messages, 1 failed');
  const lines = app.screen.lines();
  expect(lines[3]).toMatch(/^10:00:00Z ✓ Copied the name /);
  expect(lines.slice(4, 6).map((line) => line.trimEnd())).toEqual([
    '10:00:00Z ✗ No␛[2J. [HTTP 500]',
    '            request id: ray-1',
  ]);
  expect(app.screen.selected()).toContain('request id');
  await app.go(['y'], '✓ Copied the request id');
  expect(app.screen.clipboards.at(-1)).toBe(`c;${Buffer.from('ray-1').toString('base64')}`);
  await app.go(['esc'], 'Enter value');
});

test('records each notice, including notices about refused presses', async () => {
  const app = await openKeys({ label: { readOnly: true } });
  await app.go(['n'], '! This session is read-only.');
  await app.go(['M'], '10:00:00Z ! This session is read-only.');
});

test('keeps the last 500 messages, counts repeats, and shows the remedy for a failure', () => {
  let now = 0;
  const messages = new Messages(() => now);
  for (let index = 0; index < 600; index++) messages.add({ tone: 'told', text: `${index}` });
  expect(messages.all.map(({ text }) => Number(text))).toEqual(
    Array.from({ length: 500 }, (_, at) => at + 100),
  );
  now = 1000;
  messages.add({ tone: 'told', text: '599' });
  expect(messages.all.at(-1)).toMatchObject({ at: 1000, times: 2 });
  messages.addProblem(new Problem('refused', 'Two\nlines.', { hint: 'Wait.', platformCode: 10013 }));
  messages.addProblem(new Problem('interrupted', 'Interrupted.'));
  const last = messages.all.at(-1);
  expect(messages.all).toHaveLength(500);
  expect(last && messageEntries(last).map(({ text }) => text)).toEqual([
    '00:00:01Z ✗ Two',
    'lines. [code 10013]',
    'Wait.',
  ]);
});

test('shows a notice in as many lines as it needs and the screen allows', async () => {
  const app = await openKeys({ columns: 80, rows: 24 });
  app.note(`No server runs it. Start one on /${'home/operator/'.repeat(14)}data. r connects again.`);
  await app.screen.waitFor((screen) => /r connects again\.$/m.test(screen.text()));
  expect(app.screen.lines()).toHaveLength(24);
});

test('wraps a long notice completely at 40x12, and removes the notice at the next press', async () => {
  const app = await openKeys({ columns: 40, rows: 12 });
  app.note('The platform has answered 429 to the last request; edgectl waits for 20 s and asks again.');
  await app.screen.waitFor((screen) => /and asks again\.$/m.test(screen.text()));
  const lines = app.screen.lines();
  expect(lines.slice(-3).map((line) => line.trim())).toEqual([
    '· The platform has answered 429 to the',
    'last request; edgectl waits for 20 s',
    'and asks again.',
  ]);
  expect(lines).toHaveLength(12);
  // A note does not cover a question.
  await app.go(['d'], 'y yes');
  app.note('The platform has answered 429 to the last request; edgectl waits for 20 s and asks again.');
  await app.screen.waitFor((screen) => /^· The platform .*…$/.test(screen.lines().at(-1) ?? ''));
  expect(app.screen.text()).toContain('Yes: ');
});
