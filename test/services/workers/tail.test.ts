import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TraceEvent } from '../../../src/model/workers/trace.ts';
import type { Tails } from '../../../src/sandbox/workers/tails/tails.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { tailWorker } from '../../../src/services/workers/tail.ts';
import { listenTo } from '../../../src/services/workers/tail-socket.ts';
import { traceLines } from '../../../src/services/workers/trace-lines.ts';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { newPerson, type Ran, runCommand } from '../../support/run-command.ts';
import { testWorld } from '../../support/world.ts';

let place: TestSandbox;
let tails: Tails;
beforeAll(async () => {
  place = await openTestSandbox('over a socket', { now: () => Date.now() });
  const { platform } = place.sandbox;
  if (platform.tails === undefined) throw new Error('no tails');
  tails = platform.tails;
  platform.registry().workers.create('shop');
  // No runtime is needed, because the tests publish the runs.
  const nothing = () => undefined;
  const idle = { workersChanged: nothing, refreshWorkers: async () => undefined };
  platform.edge = { url: 'http://localhost:1', ...idle, alone: (work) => work() };
});
afterAll(() => place.close());

const run = (path: string, more: Partial<TraceEvent> = {}): TraceEvent => ({
  outcome: 'ok',
  scriptName: 'shop',
  eventTimestamp: Date.UTC(2026, 10, 22, 14, 3, 22, 120),
  event: {
    request: { method: 'GET', url: `http://shop.localhost${path}`, headers: {} },
    response: { status: 200 },
  },
  logs: [],
  exceptions: [],
  ...more,
});

interface Tailing {
  readonly ended: Promise<Ran>;
  /** Resolves when the tail is listening; `times` is the number of connections so far. */
  listening(times?: number): Promise<void>;
  stop(): void;
}

/** Starts `edgectl worker tail` with these flags. `listening` resolves when the tail has connected. */
function tail(...flags: string[]): Tailing {
  const { accountId, apiToken } = place.sandbox.access();
  const person = newPerson({
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
  });
  let count = 0;
  let wake: () => void = () => undefined;
  place.sandbox.platform.tails = {
    ...tails,
    listen(id, socket) {
      tails.listen(id, socket);
      count += 1;
      wake();
    },
  };
  const stopping = new AbortController();
  return {
    ended: runCommand(person, ['worker', 'tail', 'shop', ...flags], { interrupted: stopping.signal }),
    stop: () => stopping.abort(),
    async listening(times = 1) {
      while (count < times) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** Publishes a run, and then ends the tail as the platform does. */
function tellAndEnd(...runs: TraceEvent[]): void {
  tails.publish('shop', runs);
  for (const { id } of tails.forWorker('shop')) tails.remove('shop', id);
}

describe('worker tail', () => {
  test('prints the time, request, outcome and logs of each run for people, escaped', async () => {
    const tailing = tail();
    await tailing.listening();
    const logs = [
      { level: 'log', message: ['at', { x: 1 }, 7, 'two\nlines'] },
      { level: 'error', message: ['\u001b[31mred'] },
    ];
    const exceptions = [{ name: 'TypeError', message: 'it broke', stack: '    at fetch (index.js:3:9)' }];
    const broken = run('/b', { outcome: 'exception', logs, exceptions });
    tellAndEnd(run('/a'), broken, run('', { event: { cron: '* * * * *', scheduledTime: 1 } }));
    const { code, out, err } = await tailing.ended;
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '14:03:22.120  GET http://shop.localhost/a  200 ok',
      '14:03:22.120  GET http://shop.localhost/b  200 exception',
      '  (log) at {"x":1} 7 two',
      '    lines',
      '  (error) \\e[31mred',
      '  TypeError: it broke',
      '    at fetch (index.js:3:9)',
      '14:03:22.120  cron * * * * *  ok',
      '',
    ]);
    expect(err).toContain('Listening to worker "shop" on ');
    expect(err).toContain('The platform ended the tail of worker "shop"');
  });

  test('prints a line of JSON with all fields for programs, and sends its filters', async () => {
    const filters = [
      '--status',
      'error',
      '--method',
      'get',
      '--search',
      'x',
      '--header',
      'a: b',
      '--ip',
      'self',
    ];
    const tailing = tail('--json', ...filters, '--sampling-rate', '1');
    await tailing.listening();
    expect(tails.forWorker('shop')[0]?.filters).toEqual([
      { outcome: ['exception', 'exceededCpu', 'exceededMemory', 'unknown'] },
      { method: ['GET'] },
      { header: { key: 'a', query: 'b' } },
      { client_ip: ['127.0.0.1'] },
      { query: 'x' },
    ]);
    const headers = { a: 'b', 'cf-connecting-ip': '127.0.0.1' };
    const event = { request: { method: 'GET', url: 'http://x/', headers }, response: { status: 500 } };
    const broken = run('/', { outcome: 'exception', event, logs: [{ level: 'log', message: ['xyz'] }] });
    tellAndEnd(broken, run('/fine'));
    const { code, out, err } = await tailing.ended;
    expect([
      code,
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ]).toEqual([0, [broken]]);
    expect(JSON.parse(err.split('\n')[0] ?? '')).toMatchObject({ type: 'note', state: 'connected' });
  });

  test('reconnects when the connection is cut, and reports this; Ctrl-C ends it with 0 and deletes the tail', async () => {
    const tailing = tail();
    await tailing.listening();
    const before = tails.forWorker('shop')[0];
    tails.close();
    await tailing.listening(2);
    const [now] = tails.forWorker('shop');
    expect(now?.id).not.toBe(before?.id);
    tailing.stop();
    const { code, err, slept } = await tailing.ended;
    expect([code, slept]).toEqual([0, expect.arrayContaining([1000])]);
    expect(err).toContain('Lost the connection to the logs of worker "shop"');
    expect(err).toContain('The sandbox is stopping. Retrying in 1 second.');
    expect(tails.forWorker('shop')).toEqual([]);
  });

  test('continues for a worker without visits, even if the connection ends often', async () => {
    const { accountId, apiToken } = place.sandbox.access();
    const env = {
      EDGECTL_API_BASE_URL: place.apiBaseUrl,
      EDGECTL_API_TOKEN: apiToken,
      EDGECTL_ACCOUNT_ID: accountId,
    };
    let time = Date.now();
    const session = await openSession(testWorld({ env, now: () => time }), plainChoice, {
      note: () => undefined,
    });
    let connections = 0;
    for await (const { kind } of tailWorker(session, 'shop', [], new AbortController().signal)) {
      if (kind !== 'connected') continue;
      connections += 1;
      if (connections === 8) break;
      time += 3_600_000;
      tails.close();
    }
    expect(connections).toBe(8);
    await session.close();
  });

  test('buffers unread runs only up to a limit, and reports how many it has dropped', async () => {
    const tail = await tails.add('shop', []);
    const closed = Promise.withResolvers<void>();
    place.sandbox.platform.tails = {
      ...tails,
      listen(id, socket) {
        socket.onClosed(closed.resolve);
        tails.listen(id, socket);
      },
    };
    const limits = { texts: 100, characters: 2000 };
    const address = `${tails.baseUrl}/tails/${tail?.id}`;
    const socket = listenTo(address, new AbortController().signal, {}, limits);
    expect((await socket.next()).value).toEqual({ kind: 'open' });
    tellAndEnd(...[1, 2, 3, 4, 5].map((one) => run(`/${one}${'x'.repeat(1000)}`)));
    // The client has read everything before it answers the close frame.
    await closed.promise;
    const news = [(await socket.next()).value, (await socket.next()).value, (await socket.next()).value];
    expect(news).toMatchObject([{ kind: 'text' }, { kind: 'text' }, { kind: 'dropped', count: 3 }]);
    expect(await socket.next()).toMatchObject({ done: true, value: { code: 1000 } });
  });

  test('shows an unknown outcome unchanged', () => {
    expect(traceLines(run('/', { outcome: 'constructor' }))[0]?.text).toMatch(/200 constructor$/);
  });

  test('rejects invalid values before any request, and an unknown worker', async () => {
    for (const [flags, words] of [
      [['--sampling-rate', '2'], '--sampling-rate must be above 0 and at most 1, not "2"'],
      [['--status', 'fine'], '--status must be one of ok, error, canceled, not "fine"'],
      [['--format', 'xml'], '--format must be pretty or json'],
      [['--header', ':x'], '--header must be NAME or NAME:TEXT, not ":x"'],
    ] as const) {
      const { code, err } = await tail(...flags).ended;
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    }
    const { workers } = place.sandbox.platform.registry();
    workers.remove('shop');
    const { code, err } = await tail().ended;
    workers.create('shop');
    expect([code, err]).toEqual([3, expect.stringContaining('Worker "shop" not found')]);
  });
});
