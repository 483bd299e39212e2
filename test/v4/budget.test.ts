import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullBucket, platformBudget, takeToken } from '../../src/model/budget.ts';
import { paced } from '../../src/v4/budget.ts';
import { retrying } from '../../src/v4/retry.ts';
import type { Answer, Call } from '../../src/v4/send.ts';

const call: Call = { method: 'GET', path: '/accounts', headers: {}, repeatable: true };
const answer = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: new Uint8Array(),
});

describe('the request budget', () => {
  it('never lets more requests out than it holds in any stretch of its length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(3000), { maxLength: 200 }),
        (requests, seconds, pauses) => {
          const budget = { requests, seconds };
          let bucket = fullBucket(budget, 0);
          let now = 0;
          const sent: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const taken = takeToken(bucket, budget, now);
            bucket = taken.bucket;
            sent.push(now + taken.wait);
          }
          for (const [index, first] of sent.entries()) {
            const within = sent.filter((time, at) => at >= index && time < first + seconds * 1000);
            expect(within.length).toBeLessThanOrEqual(Math.max(requests, 2));
          }
        },
      ),
    );
  });

  it("lets 300 requests of the platform's 1,200 out at once, then three a second", () => {
    let bucket = fullBucket(platformBudget, 0);
    const waits = Array.from({ length: 303 }, () => {
      const taken = takeToken(bucket, platformBudget, 0);
      bucket = taken.bucket;
      return taken.wait;
    });
    expect(waits.slice(0, 300).every((wait) => wait === 0)).toBe(true);
    expect(waits.slice(300)).toEqual([334, 667, 1000]);
  });
});

describe('paced', () => {
  it('lets two that share a budget out as if they were one, and closes for both', async () => {
    const slept: number[] = [];
    const used = { closedUntil: 0 };
    const answers = [answer(200), answer(429, { 'retry-after': '7' })];
    const options = {
      budget: { requests: 8, seconds: 60 },
      used,
      now: () => 0,
      sleep: async (milliseconds: number) => void slept.push(milliseconds),
    };
    const one = paced(async () => answers.shift() ?? answer(200), options);
    const other = paced(async () => answers.shift() ?? answer(200), options);
    await one(call);
    await other(call);
    expect(slept).toEqual([]);
    await one(call);
    expect(slept).toEqual([10_000]);
    expect(used.closedUntil).toBe(7000);
  });

  it("holds nothing back for the limit of certificates, which is not the requests'", async () => {
    const slept: number[] = [];
    const answers = [answer(429, { 'retry-after': '30' }), answer(200)];
    const send = paced(async () => answers.shift() ?? answer(500), {
      budget: undefined,
      now: () => 0,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    });
    await send({ ...call, method: 'POST', path: '/zones/z/custom_hostnames', repeatable: false });
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual([]);
  });

  it('holds every request back while a 429 says to wait', async () => {
    let now = 0;
    const slept: number[] = [];
    const told: unknown[] = [];
    const answers = [answer(429, { 'retry-after': '7' }), answer(200), answer(200)];
    const send = paced(async () => answers.shift() ?? answer(500), {
      budget: undefined,
      now: () => now,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
        now += milliseconds;
      },
      onWait: (...wait) => told.push(wait),
    });
    expect((await send(call)).status).toBe(429);
    now += 2000;
    expect((await send(call)).status).toBe(200);
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual([5000]);
    expect(told).toEqual([[5000, 'retry-after']]);
  });

  it.each([
    ['waits once for as long as the platform asks', '240', [240_000]],
    ['waits not at all where that is too long', '301', []],
  ])('together with retries, %s', async (_, seconds, waits) => {
    let now = 0;
    const slept: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => {
      slept.push(milliseconds);
      now += milliseconds;
    };
    const answers = [answer(429, { 'retry-after': seconds })];
    const steady = paced(async () => answers.shift() ?? answer(200), {
      budget: undefined,
      now: () => now,
      sleep,
    });
    const send = retrying(steady, { sleep, jitter: () => 0 });
    expect((await send(call)).status).toBe(waits.length === 0 ? 429 : 200);
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual(waits);
  });

  it('waits for the budget and tells of waits that a person would notice', async () => {
    const told: unknown[] = [];
    const slept: number[] = [];
    const send = paced(async () => answer(200), {
      budget: { requests: 4, seconds: 30 },
      now: () => 0,
      sleep: async (milliseconds) => void slept.push(milliseconds),
      onWait: (...wait) => told.push(wait),
    });
    await send(call);
    await send(call);
    expect(slept).toEqual([10_000]);
    expect(told).toEqual([[10_000, 'budget']]);
  });
});
