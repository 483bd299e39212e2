import { expect, it } from 'vitest';
import { memoryPace, openRequestPacer } from '../../src/v4/budget.ts';

const [requests, spanMs] = [1200, 30_000];

/** Creates a clock that jumps to the next timer when no other code can run. */
function openClock() {
  let now = 1_000_000;
  const timers: { readonly at: number; readonly fire: () => void }[] = [];
  return {
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((fire) => {
        const at = now + milliseconds;
        const later = timers.findIndex((timer) => timer.at > at);
        timers.splice(later === -1 ? timers.length : later, 0, { at, fire });
      }),
    async runUntil(finished: Promise<unknown>) {
      let isRunning = true;
      finished.finally(() => {
        isRunning = false;
      });
      for (;;) {
        await new Promise(setImmediate);
        const timer = timers.shift();
        if (!isRunning || timer === undefined) return;
        now = timer.at;
        timer.fire();
      }
    },
  };
}

/** Creates a platform that counts each request when it arrives, in a sliding period, and announces its limit. */
function openPlatform(now: () => number) {
  let times: number[] = [];
  return () => {
    times = times.filter((time) => time > now() - spanMs);
    if (times.length >= requests) return { status: 429, headers: { 'retry-after': '1' } };
    times.push(now());
    const reset = Math.ceil(((times[0] ?? 0) + spanMs - now()) / 1000);
    const ratelimit = `"default";r=${requests - times.length};t=${reset}`;
    return { status: 200, headers: { ratelimit, 'ratelimit-policy': '"default";q=1200;w=30' } };
  };
}

it.each([
  ['5 ms', () => 5],
  ['20 to 300 ms, out of order', (request: number) => 20 + ((request * 7919) % 281)],
])(
  'gets no 429 with 20 clients, %s from the platform, and loses at most 5 %% of the limit',
  async (_, delayMs) => {
    const { now, sleep, runUntil } = openClock();
    const pacer = openRequestPacer({ budget: undefined, store: memoryPace(), now, sleep });
    const respond = openPlatform(now);
    const statuses: number[] = [];
    const reads = 3600;
    let next = 0;
    const runClient = async () => {
      while (next < reads) {
        const request = next++;
        const settle = await pacer.admit({ method: 'GET', path: '/zones' });
        await sleep(delayMs(request));
        const answer = respond();
        await sleep(delayMs(request + 1));
        settle(answer);
        statuses.push(answer.status);
      }
    };
    const begun = now();
    await runUntil(Promise.all(Array.from({ length: 20 }, runClient)));
    expect([statuses.length, new Set(statuses)]).toEqual([reads, new Set([200])]);
    expect(now() - begun).toBeLessThan((1.05 * reads * spanMs) / requests);
  },
);

it.each([
  ['limits', { q: 600, w: 300 }, { q: 1200, w: 300 }],
  ['limits and periods', { q: 600, w: 300 }, { q: 240, w: 60 }],
])(
  'delays requests under alternating %s no longer than under the lower limit alone',
  async (_, lower, higher) => {
    const { now, sleep, runUntil } = openClock();
    const pacer = openRequestPacer({ budget: undefined, store: memoryPace(), now, sleep });
    const reads = 3000;
    const waits: number[] = [];
    let next = 0;
    const runClient = async () => {
      while (next < reads) {
        const { q, w } = next++ % 2 === 0 ? lower : higher;
        const begun = now();
        const settle = await pacer.admit({ method: 'GET', path: '/zones' });
        waits.push(now() - begun);
        await sleep(20);
        settle({ status: 200, headers: { 'ratelimit-policy': `"default";q=${q};w=${w}` } });
      }
    };
    const begun = now();
    await runUntil(Promise.all(Array.from({ length: 4 }, runClient)));
    expect(now() - begun).toBeLessThan((1.05 * reads * lower.w * 1000) / lower.q);
    expect(Math.max(...waits)).toBeLessThan((lower.w * 1000) / 2);
  },
);
