import { EventEmitter, on } from 'node:events';
import { expect, test } from 'vitest';
import { type Log, LogTail } from '../../../components/workers/log-tail.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { TraceEvent } from '../../../src/model/workers/trace.ts';
import type { WorkerService } from '../../../src/services/console/workers.ts';
import type { TailNews } from '../../../src/services/workers/tail.ts';
import { type ConsoleOptions, openConsole } from '../open-console.tsx';

const run = (path: string, more: Partial<TraceEvent> = {}): TailNews => ({
  kind: 'run',
  run: {
    outcome: 'ok',
    eventTimestamp: Date.UTC(2026, 10, 22, 14, 3, 22, 120),
    event: {
      request: { method: 'GET', url: `http://site.localhost/${path}`, headers: {} },
      response: { status: 200 },
    },
    logs: [],
    exceptions: [],
    ...more,
  },
});

/** Returns a tail that delivers the runs specified by the test. */
function spokenTail() {
  const mouth = new EventEmitter();
  const signals: AbortSignal[] = [];
  async function* tail(signal: AbortSignal): AsyncGenerator<TailNews> {
    signals.push(signal);
    try {
      for await (const [news] of on(mouth, 'news', { signal })) {
        if (news instanceof Error) throw news;
        yield news as TailNews;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return {
    tail,
    signals,
    say: (...all: (TailNews | Error)[]) => void all.map((news) => mouth.emit('news', news)),
  };
}

async function openLogs(options: ConsoleOptions = {}) {
  const { tail, signals, say } = spokenTail();
  const workers = {
    tail: (_: string, signal: AbortSignal) => tail(signal),
    list: async () => [{ name: 'site' }],
    read: async () => ({
      deployments: [],
      secrets: [],
      bindings: [],
      compatibilityFlags: [],
      namespaceTitles: new Map(),
    }),
  } as Partial<WorkerService> as WorkerService;
  const app = openConsole({ columns: 100, ...options, services: { workers } });
  await app.screen.waitFor('4');
  await app.go(['4'], (screen) => screen.selected()?.includes('site') ?? false);
  await app.go(['C'], 'No requests yet');
  return { ...app, signals, say };
}

test('shows each run as it arrives, escaped, with its logs, and stops when the user goes back', async () => {
  const app = await openLogs({ redact: (text) => text.replaceAll('hunter2', '***') });
  await app.screen.waitFor('connecting…, 0 runs');
  app.say({ kind: 'connected' });
  await app.screen.waitFor('live, 0 runs');
  const logs = [{ level: 'log', message: ['with hunter2', { x: '\u001b]0;owned\u0007' }] }];
  app.say(
    run('a'),
    run('b', { outcome: 'exception', logs, exceptions: [{ name: 'TypeError', message: 'broke' }] }),
  );
  await app.screen.waitFor('live, 2 runs');
  const text = app.screen.text();
  expect(text).toContain('14:03:22.120  GET http://site.localhost/a  200 ok');
  expect(text).toContain('  (log) with *** {"x":"\\u001b]0;owned\\u0007"}');
  expect(text).toContain('  TypeError: broke');
  expect(app.screen.titles).toEqual([]);
  app.say({ kind: 'lost', reason: 'the connection was cut', wait: 2000 });
  await app.screen.waitFor('-- connection lost: the connection was cut; retrying in 2 seconds');
  await app.screen.waitFor('connection lost, retrying, 2 runs');
  expect(app.signals.map(({ aborted }) => aborted)).toEqual([false]);
  await app.go(['esc'], '1 worker');
  expect(app.signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('redacts our credentials once in each line, even if the line is drawn often', async () => {
  const asked: string[] = [];
  const redact = (text: string) => {
    if (text.includes('/visit-')) asked.push(text);
    return text;
  };
  const app = await openLogs({ redact });
  for (const visit of ['visit-0', 'visit-1', 'visit-2']) {
    app.say(run(visit));
    await app.screen.waitFor(`/${visit}  200`);
  }
  await app.go(['W'], 'visit-0');
  expect(asked).toHaveLength(3);
});

test('follows the end of the log until the user scrolls away, does not scroll while paused, and can search the log', async () => {
  const app = await openLogs();
  const visits = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => run(`visit-${from + at}.`));
  app.say({ kind: 'connected' }, ...visits(0, 50));
  await app.go([], (screen) => screen.text().includes('visit-49.'));
  await app.go(['g'], (screen) => screen.selected()?.includes('visit-0.') ?? false);
  app.say(...visits(50, 60));
  await app.screen.waitFor('live, 60 runs');
  expect(app.screen.selected()).toContain('visit-0.');
  await app.go(['F'], 'live, paused, 0 more, 60 runs');
  app.say(...visits(60, 63));
  await app.screen.waitFor('paused, 3 more, 60 runs');
  await app.go(['G'], (screen) => screen.selected()?.includes('visit-59.') ?? false);
  await app.go(['F'], (screen) => screen.selected()?.includes('visit-62.') ?? false);
  await app.go(['/', ...'visit-7.', 'enter'], (screen) => screen.selected()?.includes('visit-7.') ?? false);
});

test('explains why the connection failed, and reconnects on request', async () => {
  const app = await openLogs();
  app.say(new Problem('not-found', 'Worker "site" not found.'));
  await app.screen.waitFor('Worker "site" not found. Press r to reconnect.');
  await app.screen.waitFor('ended, 0 runs');
  expect(app.screen.text()).toContain('Not connected. Press r to reconnect.');
  await app.go(['r'], 'connecting…, 0 runs');
  expect(app.screen.text()).not.toContain('There is no worker');
  expect(app.signals).toHaveLength(2);
});

test('keeps only the newest lines, and counts the dropped lines, even while paused', async () => {
  const { tail, say } = spokenTail();
  const logTail = new LogTail({ tail, redact: (text) => text, failed: () => undefined, maxLines: 3 });
  const messages: Log[] = [];
  let wake: () => void = () => undefined;
  const stop = logTail.start((log) => {
    messages.push(log);
    wake();
  });
  const until = async (wanted: (log: Log) => boolean) => {
    while (!wanted(logTail.log)) await new Promise<void>((resolve) => (wake = resolve));
    return logTail.log;
  };
  say({ kind: 'connected' }, ...['a', 'b', 'c', 'd', 'e'].map((path) => run(path)));
  const full = await until(({ runs }) => runs === 5);
  expect([full.dropped, full.lines.map(({ text }) => text.slice(-9))]).toEqual([
    2,
    ['/c  200 ok', '/d  200 ok', '/e  200 ok'].map((text) => text.slice(-9)),
  ]);
  logTail.setPaused(true);
  say(...['f', 'g', 'h', 'i'].map((path) => run(path)));
  expect(await until(({ waiting }) => waiting === 4)).toMatchObject({
    runs: 5,
    dropped: 3,
    lines: full.lines,
  });
  logTail.setPaused(false);
  expect(logTail.log).toMatchObject({ runs: 9, dropped: 6, waiting: undefined });
  stop();
});

test('shows a failure only in the view of the log, and shows it again when the user returns to that view', async () => {
  const app = await openLogs();
  const remedy = { kind: 'start-sandbox', folder: '/demo' } as const;
  app.say(new Problem('not-found', 'nothing runs workers here.', { remedy }));
  await app.screen.waitFor((screen) =>
    /nothing runs workers here\. Start a server for \S+ in a shell .* Press r to reconnect\./.test(
      screen.text().replaceAll(/\s+/g, ' '),
    ),
  );
  await app.go(['1'], 'Namespaces');
  expect(app.screen.text()).not.toContain('workers here');
  await app.go(['4'], 'nothing runs workers here.');
  await app.go(['?'], 'Here: Live log');
  expect(app.screen.text()).not.toContain('workers here');
  await app.go(['esc'], 'nothing runs workers here.');
  await app.go(['esc'], (screen) => !screen.text().includes('workers here'));
});
