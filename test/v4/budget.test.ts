import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  platformBudget,
  type RequestBudget,
  releasePlace,
  takePlace,
  unusedBudget,
} from '../../src/model/budget.ts';
import { Problem } from '../../src/model/problem.ts';
import { findPaceLimits } from '../../src/services/session/server.ts';
import { memoryPace, openRequestPacer, withPace } from '../../src/v4/budget.ts';
import { type Retry, type RetryOptions, withRetries } from '../../src/v4/retry.ts';
import { formatWait, readRetryAfter, retryAfterSeconds } from '../../src/v4/retry-after.ts';
import { type Answer, type Call, readBody } from '../../src/v4/send.ts';

const call: Call = { method: 'GET', path: '/accounts', headers: {}, repeatable: true };
const hostname: Call = { ...call, method: 'POST', path: '/zones/z/custom_hostnames', repeatable: false };
const answer = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: new Uint8Array(),
});

describe('the request budget', () => {
  it('never allows more requests than its size in any interval of its length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(3000), { maxLength: 200 }),
        (requests, seconds, pauses) => {
          const budget = { requests, seconds };
          let use = unusedBudget(budget, 0);
          let now = 0;
          const sent: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const taken = takePlace(use, budget, now);
            use = taken.use;
            sent.push(taken.time);
          }
          for (const [index, first] of sent.entries()) {
            const within = sent.filter((time, at) => at >= index && time < first + seconds * 1000);
            expect(within.length).toBeLessThanOrEqual(requests);
          }
        },
      ),
    );
  });

  it("allows 300 of the platform's 1,200 requests immediately, then three per second", () => {
    let use = unusedBudget(platformBudget, 0);
    const waits = Array.from({ length: 303 }, () => {
      const taken = takePlace(use, platformBudget, 0);
      use = taken.use;
      return taken.time;
    });
    expect(waits.slice(0, 300).every((wait) => wait === 0)).toBe(true);
    expect(waits.slice(300)).toEqual([334, 667, 1000]);
  });
});

describe('paced requests', () => {
  it('share one budget between two clients, and a wait delays both clients', async () => {
    const slept: number[] = [];
    const store = memoryPace();
    const answers = [answer(200), answer(429, { 'retry-after': '7' })];
    const options = {
      budget: { requests: 8, seconds: 60 },
      store,
      now: () => 0,
      sleep: async (milliseconds: number) => void slept.push(milliseconds),
    };
    const one = withPace(async () => answers.shift() ?? answer(200), openRequestPacer(options));
    const other = withPace(async () => answers.shift() ?? answer(200), openRequestPacer(options));
    await one(call);
    await other(call);
    expect(slept).toEqual([]);
    await one(call);
    // After the pause, the six other requests are spread over the rest of the minute.
    expect(slept).toEqual([8934]);
    expect(store.known.closedUntil).toBe(7000);
  });

  it('are not delayed by the limit of certificates', async () => {
    const slept: number[] = [];
    const answers = [answer(429, { 'retry-after': '30' }), answer(200)];
    const send = withPace(
      async () => answers.shift() ?? answer(500),
      openRequestPacer({
        budget: undefined,
        now: () => 0,
        sleep: async (milliseconds) => void slept.push(milliseconds),
      }),
    );
    await send({ ...call, method: 'POST', path: '/zones/z/custom_hostnames', repeatable: false });
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual([]);
  });

  it('are all delayed while a 429 requires a wait', async () => {
    let now = 0;
    const slept: number[] = [];
    const messages: unknown[] = [];
    const answers = [answer(429, { 'retry-after': '7' }), answer(200), answer(200)];
    const send = withPace(
      async () => answers.shift() ?? answer(500),
      openRequestPacer({
        budget: undefined,
        now: () => now,
        sleep: async (milliseconds) => {
          slept.push(milliseconds);
          now += milliseconds;
        },
        onWait: (...wait) => messages.push(wait),
      }),
    );
    expect((await send(call)).status).toBe(429);
    now += 2000;
    expect((await send(call)).status).toBe(200);
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual([5000]);
    expect(messages).toEqual([[5000, 'retry-after']]);
  });

  it('are not counted if they are cancelled during their wait', async () => {
    const store = memoryPace();
    const pacer = openRequestPacer({
      budget: { requests: 4, seconds: 40 },
      store,
      now: () => 0,
      sleep: async (_, signal) => signal?.throwIfAborted(),
    });
    await pacer.admit(call);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(pacer.admit({ ...call, signal })).rejects.toThrow('cancelled');
    const counts = store.known.counted?.use.cells.map(([, count]) => count);
    expect(counts).toEqual([1]);
  });

  /** Opens a pacer at the time 0. The waits never end, and are recorded. */
  function openWaiting(limits: { readonly budget: RequestBudget; readonly limitsCertificates?: boolean }) {
    const clock = { now: 0 };
    const waits: number[] = [];
    const pacer = openRequestPacer({
      ...limits,
      now: () => clock.now,
      sleep(milliseconds, signal) {
        waits.push(milliseconds);
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    /** Starts requests, which are cancelled by the returned function. */
    const wait = (paced: Pick<Call, 'method' | 'path'>, count: number) => {
      const cancels = Array.from({ length: count }, () => {
        const controller = new AbortController();
        const admitted = pacer.admit({ ...paced, signal: controller.signal });
        return async () => {
          controller.abort(new Error('cancelled'));
          await expect(admitted).rejects.toThrow('cancelled');
        };
      });
      return { cancel: async (index: number) => cancels.at(index)?.(), cancels };
    };
    return { clock, waits, pacer, wait };
  }

  it('do not wait for requests that were cancelled', async () => {
    const { clock, waits, pacer, wait } = openWaiting({ budget: { requests: 4, seconds: 40 } });
    await pacer.admit(call);
    const { cancels } = wait(call, 8);
    expect(waits.at(-1)).toBeGreaterThan(70_000);
    clock.now = 5000;
    for (const cancel of cancels.slice(0, -1)) await cancel();
    const last = (waits.at(-1) ?? 0) - clock.now;
    const behind = wait(call, 1);
    expect(waits.at(-1)).toBeGreaterThan(last);
    await behind.cancel(0);
    await cancels.at(-1)?.();
    // Three requests are spread over the 40 seconds after the first.
    wait(call, 1);
    expect(waits.at(-1)).toBeLessThan(14_000);
  });

  it('do not exceed the budget after other requests were cancelled', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.tuple(fc.nat(3000), fc.nat(5)), { maxLength: 200 }),
        (requests, seconds, steps) => {
          const budget = { requests, seconds };
          let use = unusedBudget(budget, 0);
          let now = 0;
          let times: number[] = [];
          for (const [pause, kind] of steps) {
            now += pause;
            const waiting = times.filter((time) => time > now);
            const cancelled = kind < 2 ? waiting.at(kind === 0 ? 0 : -1) : undefined;
            if (cancelled === undefined) {
              const taken = takePlace(use, budget, now);
              use = taken.use;
              times.push(taken.time);
            } else {
              use = releasePlace(use, budget, cancelled, now);
              times = times.toSpliced(times.indexOf(cancelled), 1);
            }
          }
          for (const first of times) {
            const within = times.filter((time) => time >= first && time < first + seconds * 1000);
            expect(within.length).toBeLessThanOrEqual(requests);
          }
        },
      ),
    );
  });

  it('do not wait for cancelled writes to the same key', async () => {
    const { waits, pacer, wait } = openWaiting({ budget: platformBudget });
    const write = { method: 'PUT', path: '/accounts/a/storage/kv/namespaces/n/values/one' } as const;
    await pacer.admit(write);
    const { cancels } = wait(write, 3);
    await cancels[0]?.();
    const behind = wait(write, 1);
    await behind.cancel(0);
    await cancels[1]?.();
    wait(write, 1);
    expect(waits).toEqual([1000, 2000, 3000, 4000, 4000]);
    await cancels[2]?.();
    wait(write, 1);
    expect(waits.at(-1)).toBe(5000);
  });

  it('wait a second before the next write to a key after all waiting writes to the key were cancelled', async () => {
    const { waits, pacer, wait } = openWaiting({ budget: platformBudget });
    const write = { method: 'PUT', path: '/accounts/a/storage/kv/namespaces/n/values/one' } as const;
    await pacer.admit(write);
    for (const cancel of wait(write, 3).cancels) await cancel();
    wait(write, 1);
    expect(waits).toEqual([1000, 2000, 3000, 1000]);
  });

  it('do not wait for cancelled requests for new hostnames', async () => {
    const { waits, pacer, wait } = openWaiting({ budget: platformBudget, limitsCertificates: true });
    for (let count = 0; count < 15; count += 1) await pacer.admit(hostname);
    const { cancels } = wait(hostname, 16);
    expect([waits[0], waits.at(-1)]).toEqual([61_000, 122_000]);
    for (const cancel of cancels) await cancel();
    wait(hostname, 1);
    expect(waits.at(-1)).toBe(61_000);
  });

  it('write to one key at intervals of a second, and do not delay other requests', async () => {
    const slept: number[] = [];
    const pacer = openRequestPacer({
      budget: platformBudget,
      now: () => 0,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    });
    const write = (method: string, key: string) =>
      pacer.admit({ method, path: `/accounts/a/storage/kv/namespaces/n/values/${key}` });
    await write('PUT', 'one');
    await write('PUT', 'other');
    await write('GET', 'one');
    expect(slept).toEqual([]);
    await write('DELETE', 'one');
    expect(slept).toEqual([1000]);
  });

  it.each([
    ['the lower budget of the user replaces', { requests: 40, seconds: 60 }, true, 10],
    ['a higher budget of the user does not replace', { requests: 4000, seconds: 60 }, true, 25],
    ['a lower default budget does not replace', { requests: 40, seconds: 60 }, false, 25],
  ])('%s the announced limit', async (_, own, isChosen, burst) => {
    const limits = findPaceLimits('https://api.example.com/client/v4', { ...own, isChosen });
    const pacer = openRequestPacer({ ...limits, now: () => 0, sleep: async () => undefined });
    const headers = { 'ratelimit-policy': '"default";q=100;w=60' };
    (await pacer.admit(call))({ status: 200, headers });
    expect(pacer.requestsLeft()?.of).toBe(burst);
  });

  it.each([
    ['a request', call],
    ['a new hostname', hostname],
  ])('end the wait that a 429 for %s required if the clock is set back by a day', async (_, paced) => {
    let now = 10 * 86_400_000;
    const slept: number[] = [];
    const answers = [answer(429, { 'retry-after': '30' }), answer(429, { 'retry-after': '7' })];
    const send = withPace(
      async () => answers.shift() ?? answer(200),
      openRequestPacer({
        budget: platformBudget,
        now: () => now,
        sleep: async (milliseconds) => void slept.push(milliseconds),
      }),
    );
    await send(paced);
    now -= 86_400_000;
    await send(paced);
    expect(slept).toEqual([]);
    await send(paced);
    expect(slept).toEqual([7000]);
  });

  it.each([
    ['waits once for the requested time', '240', [240_000]],
    ['does not wait if that is too long', '301', []],
  ])('together with retries, the budget %s', async (_, seconds, waits) => {
    let now = 0;
    const slept: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => {
      slept.push(milliseconds);
      now += milliseconds;
    };
    const answers = [answer(429, { 'retry-after': seconds })];
    const steady = withPace(
      async () => answers.shift() ?? answer(200),
      openRequestPacer({
        budget: undefined,
        now: () => now,
        sleep,
      }),
    );
    const send = withRetries(steady, { sleep, jitter: () => 0 });
    expect((await send(call)).status).toBe(waits.length === 0 ? 429 : 200);
    expect((await send(call)).status).toBe(200);
    expect(slept).toEqual(waits);
  });

  it('wait for the budget, and report waits that a user would notice', async () => {
    const messages: unknown[] = [];
    const slept: number[] = [];
    const send = withPace(
      async () => answer(200),
      openRequestPacer({
        budget: { requests: 4, seconds: 30 },
        now: () => 0,
        sleep: async (milliseconds) => void slept.push(milliseconds),
        onWait: (...wait) => messages.push(wait),
      }),
    );
    await send(call);
    await send(call);
    expect(slept).toEqual([10_000]);
    expect(messages).toEqual([[10_000, 'budget']]);
  });
});

describe('retrying', () => {
  /**
   * Returns a `send` with retries over these outcomes, in order; the last outcome is repeated. Records the waits and the reported retries.
   */
  function over(
    outcomes: readonly (Answer | Error)[],
    made: Partial<Call> = {},
    options: Partial<RetryOptions> = {},
  ) {
    const slept: number[] = [];
    const messages: Retry[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    let sent = 0;
    const send = withRetries(
      async () => {
        const outcome = outcomes[Math.min(sent++, outcomes.length - 1)];
        if (outcome === undefined || outcome instanceof Error) throw outcome;
        return outcome;
      },
      {
        jitter: () => 0,
        sleep: async (milliseconds, signal) => {
          slept.push(milliseconds);
          signals.push(signal);
        },
        onRetry: (retry) => messages.push(retry),
        ...options,
      },
    );
    return { send: () => send({ ...call, ...made }), slept, told: messages, signals, sent: () => sent };
  }

  // The specification lists 429, 5xx and broken connections. 501 and 505 are permanent (RFC 9110).
  it.each([
    [408, 2],
    [429, 2],
    [500, 2],
    [502, 2],
    [503, 2],
    [504, 2],
    [200, 1],
    [400, 1],
    [401, 1],
    [404, 1],
    [409, 1],
    [428, 1],
    [501, 1],
    [505, 1],
  ])('sends a request with HTTP %i %i times if the second attempt succeeds', async (status, times) => {
    const { send, sent } = over([answer(status), answer(200)]);
    expect((await send()).status).toBe(times === 2 ? 200 : status);
    expect(sent()).toBe(times);
  });

  it('waits 0.5, 1 and 2 seconds, plus up to 25 % jitter, and then returns the last answer', async () => {
    const { send, slept, told: messages } = over([answer(503)]);
    expect((await send()).status).toBe(503);
    expect(slept).toEqual([500, 1000, 2000]);
    expect(messages).toEqual(
      [500, 1000, 2000].map((waitMilliseconds, index) => ({
        call,
        attempt: index + 2,
        waitMilliseconds,
        reason: 'HTTP 503',
      })),
    );
    const other = over([answer(503)], {}, { jitter: () => 0.8, attempts: 3 });
    await other.send();
    expect(other.slept).toEqual([600, 1200]);
    const once = over([answer(503)], {}, { attempts: 1 });
    await once.send();
    expect([once.sent(), once.slept]).toEqual([1, []]);
  });

  it.each([
    ['0', [0], 'HTTP 429 with Retry-After'],
    ['300', [300_000], 'HTTP 429 with Retry-After'],
    ['soon', [500], 'HTTP 429'],
  ])('after Retry-After %s, waits %j', async (seconds, waits, reason) => {
    const { send, slept, told: messages } = over([answer(429, { 'retry-after': seconds }), answer(200)]);
    expect((await send()).status).toBe(200);
    expect([slept, messages[0]?.reason]).toEqual([waits, reason]);
  });

  it('returns an answer that requires a wait of more than five minutes, regardless of its status', async () => {
    for (const status of [429, 503]) {
      const { send, slept } = over([answer(status, { 'retry-after': '301' }), answer(200)]);
      expect((await send()).status).toBe(status);
      expect(slept).toEqual([]);
    }
  });

  it('does not repeat a non-repeatable call, or a failure unrelated to the connection', async () => {
    const cut = new Problem('unreachable', 'cut');
    const twice = over([cut, answer(200)]);
    expect((await twice.send()).status).toBe(200);
    expect(twice.told[0]?.reason).toBe('cut');
    for (const { send, sent } of [
      over([cut, answer(200)], { repeatable: false }),
      over([new Problem('refused', 'no'), answer(200)]),
      over([new Error('a fault of ours'), answer(200)]),
      over([cut, answer(200)], { signal: AbortSignal.abort() }),
      over([cut, answer(200)], {}, { closed: AbortSignal.abort() }),
    ]) {
      await expect(send()).rejects.toThrow();
      expect(sent()).toBe(1);
    }
    const refused = over([answer(503), answer(200)], { repeatable: false });
    expect((await refused.send()).status).toBe(503);
  });

  it('stops waiting when the call or the session ends', async () => {
    for (const [withCall, withWay] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ])
      for (const ends of ['call', 'way'] as const) {
        const [ofCall, ofWay] = [new AbortController(), new AbortController()];
        const { send, signals } = over(
          [answer(503), answer(200)],
          withCall ? { signal: ofCall.signal } : {},
          withWay ? { closed: ofWay.signal } : {},
        );
        await send();
        const [signal] = signals;
        expect([signal !== undefined, signal?.aborted === true]).toEqual([withCall || withWay, false]);
        (ends === 'call' ? ofCall : ofWay).abort();
        expect(signal?.aborted === true).toBe(ends === 'call' ? withCall : withWay);
      }
  });

  it('repeats a request after an empty answer if an envelope is expected, and accepts the answer otherwise', async () => {
    const full: Answer = { ...answer(200), body: Buffer.from('{}') };
    for (const [made, status, times] of [
      [{ envelope: true }, 200, 2],
      [{ envelope: true }, 204, 2],
      [{ envelope: true }, 304, 1],
      [{ envelope: true }, 404, 1],
      [{}, 200, 1],
    ] as const) {
      const { send, sent, told: messages } = over([answer(status), full], made);
      await send();
      expect(sent()).toBe(times);
      if (times === 2) expect(messages[0]?.reason).toBe(`An empty response (HTTP ${status})`);
    }
  });

  const stream = (...pieces: (string | Error)[]) => {
    const seen = { closed: false };
    async function* body() {
      try {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece;
          yield Buffer.from(piece);
        }
      } finally {
        seen.closed = true;
      }
    }
    return Object.assign(seen, { answer: { ...answer(200), body: body() } as Answer });
  };
  const cut = () => new Problem('unreachable', 'cut');

  it('repeats a request whose stream is cut before its first byte, and returns a stream that is cut later', async () => {
    const before = over([stream(cut()).answer, stream('a', 'b').answer]);
    expect(Buffer.from(await readBody((await before.send()).body)).toString()).toBe('ab');
    const behind = over([stream('a', cut()).answer, stream('a', 'b').answer]);
    const { body } = await behind.send();
    await expect(readBody(body)).rejects.toThrow('cut');
    expect(behind.sent()).toBe(1);
    const whole = over([stream('a', cut()).answer, stream('a', 'b').answer], { wholeAnswer: 10 });
    expect(Buffer.from(await readBody((await whole.send()).body)).toString()).toBe('ab');
    expect(whole.sent()).toBe(2);
    const none = over([stream().answer, stream('late').answer]);
    expect(await readBody((await none.send()).body)).toHaveLength(0);
    expect(none.sent()).toBe(1);
  });

  it('closes a stream that is not read further, even before its start', async () => {
    for (const reads of [0, 1]) {
      const first = stream('a', 'b');
      const { body } = await over([first.answer]).send();
      const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      for (let count = 0; count < reads; count += 1)
        expect(Buffer.from((await chunks.next()).value).toString()).toBe('a');
      expect(first.closed).toBe(false);
      expect(await chunks.return?.()).toEqual({ done: true, value: undefined });
      expect(first.closed).toBe(true);
    }
    // The body of a refusal is not read before the next attempt.
    const refused = stream('a');
    const begun = { ...refused.answer, status: 503 };
    await over([begun, answer(200)]).send();
    expect((await (begun.body as AsyncGenerator<Uint8Array>).next()).done).toBe(true);
  });
});

describe('a Retry-After', () => {
  // RFC 9110, 10.2.3 and 5.6.7: the value is a number of seconds, or a date in one of three formats, all in GMT.
  const now = Date.UTC(1994, 10, 6, 8, 49, 30);
  it.each([
    ['120', '120'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', '7'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '7'],
    ['Sun Nov  6 08:49:37 1994', '7'],
    ['sun, 06 Nov 1994 08:49:30 GMT', '0'],
    ['Sun, 06 Nov 1994 08:00:00 GMT', '0'],
    ['Sunday at noon', 'Sunday at noon'],
    ['1994-11-06T08:49:37Z', '1994-11-06T08:49:37Z'],
    ['', ''],
  ])('parses %j as %j seconds', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds);
  });

  it('rounds up to a second', () => {
    expect(retryAfterSeconds('Sun, 06 Nov 1994 08:49:37 GMT', now + 1)).toBe('7');
    expect(retryAfterSeconds('Sun, 06 Nov 1994 08:49:37 GMT', now + 999)).toBe('7');
    expect(retryAfterSeconds('Sun, 06 Nov 1994 08:49:37 GMT', now + 1000)).toBe('6');
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['31536000', 31_536_000_000],
    ['31536001', 31_536_000_000],
    ['9'.repeat(400), 31_536_000_000],
    ['7.5', undefined],
    ['-7', undefined],
    ['7 s', undefined],
    ['', undefined],
  ])('requires for %s a wait of %s ms', (value, wait) => {
    expect(readRetryAfter(answer(429, { 'retry-after': value }))).toBe(wait);
    expect(readRetryAfter(answer(429))).toBeUndefined();
  });

  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [1000, '1 second'],
    [1001, '2 seconds'],
    [119_000, '119 seconds'],
    [120_000, '2 minutes'],
    [121_000, '3 minutes'],
    [7_199_000, '120 minutes'],
    [7_200_000, '2 hours'],
    [7_201_000, '3 hours'],
    [3_600_000_000, '1,000 hours'],
    [3_600_000_001, 'more than 1,000 hours'],
  ])('formats a wait of %i ms as %s', (milliseconds, words) => {
    expect(formatWait(milliseconds)).toBe(words);
  });
});

describe('the messages of a pace', () => {
  function pacing(answers: Answer[], closedUntil = 0) {
    const store = memoryPace();
    store.change((state) => ({ ...state, closedUntil }));
    const slept: [number, AbortSignal | undefined][] = [];
    const messages: unknown[] = [];
    const clock = { now: 1000 };
    const send = withPace(
      async () => answers.shift() ?? answer(200),
      openRequestPacer({
        budget: undefined,
        store,
        now: () => clock.now,
        sleep: async (milliseconds, signal) => void slept.push([milliseconds, signal]),
        onWait: (...wait) => messages.push(wait),
      }),
    );
    return { send, slept, told: messages, store, clock };
  }

  it.each([
    [1999, []],
    [2000, [[2000, 'retry-after']]],
  ])('report a wait of %i ms: %j', async (wait, expected) => {
    const { send, told: messages, slept } = pacing([], 1000 + wait);
    const { signal } = new AbortController();
    await send({ ...call, signal });
    expect([messages, slept]).toEqual([expected, [[wait, signal]]]);
  });

  it('report nothing after the wait, and a shorter wait does not end a longer wait', async () => {
    const first = answer(429, { 'retry-after': '20' });
    const { send, slept, store, clock } = pacing([first, answer(429, { 'retry-after': '1' })]);
    await send(call);
    expect([store.known.closedUntil, slept]).toEqual([21_000, []]);
    await send(call);
    expect(store.known.closedUntil).toBe(21_000);
    clock.now = 21_000;
    slept.splice(0);
    await send(call);
    expect(slept).toEqual([]);
  });

  it.each([
    ['another status', 503, '20', {}, 1000],
    ['five minutes', 429, '300', {}, 301_000],
    ['more than five minutes', 429, '301', {}, 1000],
    ['a list of hostnames', 429, '20', { path: '/zones/z/custom_hostnames' }, 21_000],
    ['another POST', 429, '20', { method: 'POST', path: '/zones/z/custom_hostnames/x' }, 21_000],
    ['a new hostname', 429, '20', { method: 'POST', path: '/zones/z/custom_hostnames' }, 1000],
  ] as const)(
    'are delayed after %s (HTTP %i, %s s) until the required time',
    async (_, status, seconds, made, until) => {
      const { send, store } = pacing([answer(status, { 'retry-after': seconds })], 1000);
      await send({ ...call, ...made });
      expect(store.known.closedUntil).toBe(until);
    },
  );
});
