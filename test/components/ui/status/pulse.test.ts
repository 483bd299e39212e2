import { expect, onTestFinished, test, vi } from 'vitest';
import { Pulse, slowAfterMs } from '../../../../components/kit/pulse.ts';
import { formatAge } from '../../../../components/ui/status/age.ts';
import { statusParts, statusRoom } from '../../../../components/ui/status/Status.tsx';
import { platformBudget, requestsLeft, unusedBudget } from '../../../../src/model/budget.ts';
import { Problem } from '../../../../src/model/problem.ts';
import type { Answer, Call } from '../../../../src/v4/send.ts';

const call: Call = { method: 'GET', path: '/x', headers: {}, repeatable: true };
const answer: Answer = { status: 200, headers: {}, body: new Uint8Array() };

test('reports a retry, a missing answer, and a recovery', async () => {
  let retries = 0;
  const pulse = new Pulse({ retries: () => retries });
  const messages: string[] = [];
  pulse.subscribe(() => messages.push(pulse.connectivity));
  const gate = Promise.withResolvers<Answer>();
  const slow = pulse.watch(() => gate.promise)(call);
  expect(pulse.connectivity).toBe('ok');
  retries++;
  expect(pulse.connectivity).toBe('retrying');
  gate.reject(new Problem('unreachable', 'No answer.'));
  await expect(slow).rejects.toThrow('No answer.');
  await pulse.watch(async () => answer)(call);
  expect(messages).toEqual(['offline', 'ok']);
});

test('reports a refusal by the platform until later calls succeed, regardless of the results of other calls', async () => {
  const pulse = new Pulse({ retries: () => 0 });
  const refusal = { ...answer, status: 403 };
  const gate = Promise.withResolvers<Answer>();
  const beside = pulse.watch(() => gate.promise)(call);
  await pulse.watch(async () => refusal)(call);
  gate.resolve(answer);
  await beside;
  expect(pulse.connectivity).toBe('refused');
  await pulse.watch(async () => ({ ...answer, status: 404 }))(call);
  expect(pulse.connectivity).toBe('ok');
  const expired = pulse.watch(() => Promise.reject(new Problem('not-signed-in', 'Expired.')))(call);
  await expect(expired).rejects.toThrow('Expired.');
  expect(pulse.connectivity).toBe('refused');
});

test('reports a slow answer while it is pending, and until another answer is fast', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pulse = new Pulse({ retries: () => 0 });
  const messages: string[] = [];
  pulse.subscribe(() => messages.push(pulse.connectivity));
  const gate = Promise.withResolvers<Answer>();
  const late = pulse.watch(() => gate.promise)(call);
  vi.advanceTimersByTime(slowAfterMs - 1);
  expect(pulse.connectivity).toBe('ok');
  vi.advanceTimersByTime(1);
  gate.resolve(answer);
  await late;
  await pulse.watch(async () => answer)(call);
  expect(messages).toEqual(['slow', 'slow', 'ok']);
});

test('reports no slow answer while the call waits for the user', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pulse = new Pulse({ retries: () => 0 });
  const asked = Promise.withResolvers<Answer>();
  const sent = pulse.watch(() => pulse.whileAsking(() => asked.promise))(call);
  vi.advanceTimersByTime(2 * slowAfterMs);
  expect(pulse.connectivity).toBe('ok');
  asked.resolve(answer);
  await sent;
  expect(pulse.connectivity).toBe('ok');
});

test("reports a slow answer after the user has answered, and counts the delay from the user's answer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pulse = new Pulse({ retries: () => 0 });
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Answer>()];
  const sent = pulse.watch(() => pulse.whileAsking(() => asked.promise).then(() => answered.promise))(call);
  vi.advanceTimersByTime(2 * slowAfterMs);
  asked.resolve();
  await vi.advanceTimersByTimeAsync(slowAfterMs - 1);
  expect(pulse.connectivity).toBe('ok');
  await vi.advanceTimersByTimeAsync(1);
  expect(pulse.connectivity).toBe('slow');
  answered.resolve(answer);
  await sent;
});

test('counts the requests that the budget allows, never below zero', () => {
  const unused = unusedBudget(platformBudget, 0);
  expect(requestsLeft(undefined, platformBudget, 0)).toEqual({ left: 300, of: 300 });
  expect(requestsLeft({ ...unused, last: 1000 }, platformBudget, 0).left).toBe(0);
  expect(requestsLeft({ ...unused, tokens: 0 }, platformBudget, 10_000).left).toBe(30);
  expect(requestsLeft({ ...unused, tokens: 0 }, platformBudget, 1_000_000).left).toBe(300);
});

test.each([
  [80, '3 min ago · ok · 1,200 requests left'],
  [30, '3 min ago · ok'],
  [15, '3 min ago'],
  [10, ''],
])('shows the status %j with %i columns available', (room, shown) => {
  const standing = { connectivity: 'ok', age: '3 min ago', budget: { left: 1200, of: 1200 } } as const;
  expect(joinText(statusParts(standing, room))).toBe(shown);
});

test('omits faults last from the status', () => {
  const standing = { connectivity: 'offline', age: '3 min ago', budget: { left: 10, of: 1200 } } as const;
  expect([60, 38, 20, 5].map((room) => joinText(statusParts(standing, room)))).toEqual([
    '3 min ago · offline · 10 requests left',
    'offline · 10 requests left',
    'offline',
    '',
  ]);
  expect([100, 40].map((columns) => statusRoom(standing, columns))).toEqual([21, 9]);
  expect([100, 40].map((columns) => statusRoom({ ...standing, connectivity: 'ok' }, columns))).toEqual([
    11, 0,
  ]);
});

test('formats an age in growing steps, and returns the time until the next step', () => {
  const messages = [0, 9_999, 10_000, 59_000, 60_000, 179_000, 3_600_000, 90_000_000].map(formatAge);
  expect(messages.map(({ words }) => words)).toEqual([
    'just now',
    'just now',
    '10 s ago',
    '50 s ago',
    '1 min ago',
    '2 min ago',
    '1 h ago',
    '1 d ago',
  ]);
  expect(messages.map(({ validForMs }) => validForMs)).toEqual([
    10_000, 1, 10_000, 1_000, 60_000, 1_000, 3_600_000, 82_800_000,
  ]);
  // The clock was set back.
  expect(formatAge(-5_000).words).toBe('just now');
});

function joinText(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('');
}
