import { expect, test } from 'vitest';
import { Pulse } from '../../../components/status/pulse.ts';
import { statusParts } from '../../../components/status/Status.tsx';
import { platformBudget, requestsLeft } from '../../../src/model/budget.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { Answer, Call } from '../../../src/v4/send.ts';

const call: Call = { method: 'GET', path: '/x', headers: {}, repeatable: true };
const answer: Answer = { status: 200, headers: {}, body: new Uint8Array() };

test('says that a call is repeated, that there was no answer, and that there is one again', async () => {
  let retries = 0;
  const pulse = new Pulse({ retries: () => retries });
  const told: string[] = [];
  pulse.subscribe(() => told.push(pulse.connectivity));
  const gate = Promise.withResolvers<Answer>();
  const slow = pulse.watch(() => gate.promise)(call);
  expect(pulse.connectivity).toBe('ok');
  retries++;
  expect(pulse.connectivity).toBe('retrying');
  gate.reject(new Problem('unreachable', 'No answer.'));
  await expect(slow).rejects.toThrow('No answer.');
  await pulse.watch(async () => answer)(call);
  expect(told).toEqual(['offline', 'ok']);
});

test('counts the requests that may go out at once, and none below nothing', () => {
  expect(requestsLeft(undefined, platformBudget, 0)).toEqual({ left: 300, of: 300 });
  expect(requestsLeft({ tokens: -4, at: 0 }, platformBudget, 0).left).toBe(0);
  expect(requestsLeft({ tokens: 0, at: 0 }, platformBudget, 10_000).left).toBe(30);
  expect(requestsLeft({ tokens: 0, at: 0 }, platformBudget, 1_000_000).left).toBe(300);
});

test('leaves out of the status what there is no room for', () => {
  const text = (room: number) =>
    statusParts('offline', { left: 1200, of: 1200 }, room)
      .map((part) => part.text)
      .join('');
  expect([text(40), text(20), text(5)]).toEqual(['offline · 1,200 requests left', 'offline', '']);
});
