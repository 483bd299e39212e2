import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { FleetEvent } from '../../../src/model/hostnames/fleet/events.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const readOnce = ['hostname', 'watch', '--all', '--once'];

async function create(hostname: string): Promise<void> {
  await stage.dns([hostname, 'CNAME', 'customers.saas.sandbox']);
  await stage.zone('POST', '/custom_hostnames', { hostname, ssl: { method: 'http', type: 'dv' } });
}

function eventsIn(text: string): FleetEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function words(events: readonly FleetEvent[]): string[] {
  return events.map(
    ({ type, hostname, before, after }) =>
      `${type} ${hostname} ${before?.status ?? '-'} ${after?.status ?? '-'}`,
  );
}

/** Starts a webhook receiver on loopback that answers with the given statuses in order, and then with 204. */
async function receiver(...statuses: number[]) {
  const got: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    answer.writeHead(statuses.shift() ?? 204, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { got, url: `http://127.0.0.1:${port}/hook` };
}

const env = { EDGECTL_WEBHOOK_SECRET: 'a long random text' };

test('reports each change once, across restarts, compared with the first reading', async () => {
  await create('shop.acme.com');
  expect(await stage.edgectl(...readOnce)).toMatchObject({ code: 0, out: '' });
  await stage.advance(3600);
  await create('blog.acme.com');
  const changed = await stage.edgectl(...readOnce);
  expect(words(eventsIn(changed.out))).toEqual([
    'appeared blog.acme.com - pending',
    'changed shop.acme.com pending active',
  ]);
  expect(await stage.edgectl(...readOnce)).toMatchObject({ code: 0, out: '' });
  await stage.edgectl('hostname', 'delete', 'shop.acme.com', '--yes');
  expect(words(eventsIn((await stage.edgectl(...readOnce)).out))).toEqual(['gone shop.acme.com active -']);
});

test('with --status, reports only changes from or to that status', async () => {
  await create('shop.acme.com');
  const moved = [...readOnce, '--status', 'moved'];
  await stage.edgectl(...moved);
  await stage.advance(3600);
  expect((await stage.edgectl(...moved)).out).toBe('');
  await stage.dns(['shop.acme.com', 'CNAME', 'shop.elsewhere.com']);
  await stage.advance(24 * 3600);
  const [event] = eventsIn((await stage.edgectl(...moved)).out);
  expect(event).toMatchObject({
    type: 'changed',
    before: { status: 'active' },
    after: { status: 'moved', kind: 'moved', who: 'customer' },
  });
});

test('signs a webhook over time and body, retries with longer pauses, and delivers each event once', async () => {
  const { got, url } = await receiver(500, 302);
  await stage.edgectlWith({ env }, ...readOnce, '--webhook', url);
  await create('shop.acme.com');
  const begun = stage.clock.now;
  const ran = await stage.edgectlWith({ env }, ...readOnce, '--webhook', url);
  expect(ran.code).toBe(0);
  expect(ran.err).toContain('responded to the event with HTTP 500. Retrying in 1 s');
  expect(stage.clock.now - begun).toBe(3000);
  expect(got).toHaveLength(3);
  const [{ headers, body } = { headers: {}, body: '' }] = got.slice(-1);
  const signature = createHmac('sha256', env.EDGECTL_WEBHOOK_SECRET)
    .update(`${headers['edgectl-timestamp']}.${body}`)
    .digest('hex');
  expect(headers['edgectl-signature']).toBe(`sha256=${signature}`);
  const event = JSON.parse(body) as FleetEvent;
  expect(headers['edgectl-event']).toBe(event.id);
  expect(eventsIn(ran.out)).toEqual([event]);
  expect(new Set(got.map((one) => one.headers['edgectl-event']))).toEqual(new Set([event.id]));
  // The pauses have advanced the clock, so the hostname may have changed again; the command repeats no delivered event.
  await stage.edgectlWith({ env }, ...readOnce, '--webhook', url);
  expect(got.filter((one) => one.headers['edgectl-event'] === event.id)).toHaveLength(3);
});

test('queues undeliverable events in order until they can be delivered, and keeps them when the watch ends', async () => {
  const { got, url } = await receiver(...Array<number>(6).fill(503));
  const argv = [...readOnce, '--webhook', url];
  await stage.edgectlWith({ env }, ...argv);
  await create('a.acme.com');
  const failed = await stage.edgectlWith({ env }, ...argv);
  expect(failed).toMatchObject({
    code: 6,
    out: '',
    err: expect.stringMatching(/Retrying at the next read.*1 event is not delivered yet/s),
  });
  await create('b.acme.com');
  const later = await stage.edgectlWith({ env }, ...argv);
  expect(words(eventsIn(later.out))[0]).toBe('appeared a.acme.com - pending');
  expect(got.slice(6).map(({ body }) => (JSON.parse(body) as FleetEvent).id)).toEqual(
    eventsIn(later.out).map(({ id }) => id),
  );
});

test('passes the event to a program on standard input and in variables, without a shell and without our credentials', async () => {
  const script = join(stage.cwd, 'told.cjs');
  writeFileSync(
    script,
    `const { appendFileSync, readFileSync } = require('node:fs');
     const { EDGECTL_EVENT_HOSTNAME: name, EDGECTL_EVENT_TYPE: type, EDGECTL_WEBHOOK_SECRET: secret = 'none' } = process.env;
     const event = JSON.parse(readFileSync(0, 'utf8'));
     appendFileSync(process.argv[2], [type, name, event.hostname, secret, process.argv[3]].join(' ') + '\\n');`,
  );
  const argv = [...readOnce, '--exec', `'${process.execPath}' told.cjs told.txt '$(id)'`];
  await stage.edgectlWith({ env }, ...argv);
  await create('shop.acme.com');
  expect((await stage.edgectlWith({ env }, ...argv)).code).toBe(0);
  expect(readFileSync(join(stage.cwd, 'told.txt'), 'utf8')).toBe(
    'appeared shop.acme.com shop.acme.com none $(id)\n',
  );
});

test('counts a program as completed when it exits, even if a process that it started is still running', async () => {
  const pid = join(stage.cwd, 'left.pid');
  onTestFinished(() => void process.kill(Number(readFileSync(pid, 'utf8'))));
  const argv = [...readOnce, '--exec', 'sh -c "sleep 600 & echo $! > left.pid"'];
  await stage.edgectl(...argv);
  await create('shop.acme.com');
  const message = await stage.edgectl(...argv);
  expect(words(eventsIn(message.out))).toEqual(['appeared shop.acme.com - pending']);
});

test('ends on an interruption before the next program, not only after the last program', async () => {
  const message = join(stage.cwd, 'told.txt');
  const script = 'echo >> told.txt; while [ ! -e go ]; do sleep 0.02; done';
  const argv = ['hostname', 'watch', '--all', '--exec', `sh -c '${script}'`];
  await stage.edgectl(...argv, '--once');
  for (const name of ['a', 'b', 'c', 'd']) await create(`${name}.acme.com`);
  const stop = new AbortController();
  const watching = stage.edgectlWith({ interrupted: stop.signal }, ...argv);
  while (!existsSync(message)) await new Promise((settle) => setImmediate(settle));
  stop.abort();
  writeFileSync(join(stage.cwd, 'go'), '');
  expect((await watching).code).toBe(130);
  expect(readFileSync(message, 'utf8')).toBe('\n');
});

test('loses no event if the saved event counter is lost', async () => {
  const { url } = await receiver(...Array<number>(3).fill(204), ...Array<number>(6).fill(503));
  const argv = [...readOnce, '--webhook', url];
  await stage.edgectlWith({ env }, ...argv);
  for (const name of ['a', 'b', 'c']) await create(`${name}.acme.com`);
  expect((await stage.edgectlWith({ env }, ...argv)).code).toBe(0);
  const folder = join(stage.home, 'state', 'watches');
  for (const name of readdirSync(folder)) if (name.endsWith('.json')) rmSync(join(folder, name));
  await stage.edgectlWith({ env }, ...argv);
  await create('d.acme.com');
  expect((await stage.edgectlWith({ env }, ...argv)).code).toBe(6);
  const messages = words(eventsIn((await stage.edgectlWith({ env }, ...argv)).out));
  expect(messages[0]).toBe('appeared d.acme.com - pending');
});

test('loses no event on an interruption: the next watch reports the remaining events', async () => {
  const stop = new AbortController();
  const { got, url } = await receiver();
  const argv = ['hostname', 'watch', '--all', '--webhook', url];
  await stage.edgectlWith({ env }, ...argv, '--once');
  for (const name of ['a', 'b', 'c', 'd']) await create(`${name}.acme.com`);
  const watching = stage.edgectlWith({ env, interrupted: stop.signal }, ...argv, '--interval', '1h');
  while (got.length < 2) await new Promise((settle) => setImmediate(settle));
  stop.abort();
  expect((await watching).code).toBe(130);
  await stage.edgectlWith({ env }, ...argv, '--once');
  const message = new Set(got.map(({ body }) => (JSON.parse(body) as FleetEvent).hostname));
  expect([...message].sort()).toEqual(['a.acme.com', 'b.acme.com', 'c.acme.com', 'd.acme.com']);
});

test('checks hundreds of missing hostnames a few at a time, reports this, and reports each deleted hostname once', async () => {
  const rows = Array.from({ length: 130 }, (_, at) => ({ hostname: `shop${at}.acme.com` }));
  await stage.api('PUT', '/sandbox/seed', { hostnames: rows });
  await stage.edgectl(...readOnce);
  await stage.api('PUT', '/sandbox/seed?replace=true', {});
  const first = await stage.edgectl(...readOnce);
  expect(eventsIn(first.out)).toHaveLength(100);
  expect(first.err).toContain(
    '130 hostnames are no longer in the list. Rechecked 100 of them; later reads check the rest.',
  );
  const second = await stage.edgectl(...readOnce);
  const gone = [...eventsIn(first.out), ...eventsIn(second.out)];
  expect(words(gone).sort()).toEqual(rows.map(({ hostname }) => `gone ${hostname} pending -`).sort());
  expect(await stage.edgectl(...readOnce)).toMatchObject({ code: 0, out: '' });
});

test('forgets a hostname two months after it was deleted in Moved', async () => {
  const memory = (): string => {
    const folder = join(stage.home, 'state', 'hostnames');
    return readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  };
  const leave = async (hostname: string): Promise<string> => {
    await create(hostname);
    await stage.advance(3600);
    await stage.dns([hostname, 'CNAME', 'shop.elsewhere.com']);
    await stage.advance(24 * 3600);
    await stage.edgectl('hostname', 'list');
    return (await stage.record(hostname)).id;
  };
  const old = await leave('old.acme.com');
  expect(memory()).toContain(old);
  await stage.advance(59 * 24 * 3600);
  const newer = await leave('new.acme.com');
  expect(memory()).toContain(newer);
  expect(memory()).not.toContain(old);
});

test('serves statuses, kinds of fault and days left as metrics, to this machine only', async () => {
  await create('shop.acme.com');
  await stage.advance(3600);
  await stage.dns(['shop.acme.com', 'CNAME', 'shop.elsewhere.com']);
  await stage.advance(24 * 3600);
  const stop = new AbortController();
  const port = await freePort();
  const watching = stage.edgectlWith(
    { interrupted: stop.signal },
    ...['hostname', 'watch', '--all', '--metrics', String(port)],
  );
  const text = await eventually(port);
  stop.abort();
  expect((await watching).code).toBe(130);
  expect(text).toContain(`edgectl_hostnames{zone="${stage.zoneId}",status="moved",certificate="active"} 1`);
  expect(text).toContain('kind="moved",who="customer",basis="record"} 1');
  expect(text).toContain('hostname="shop.acme.com",of="moved"} 7');
  expect(text).toMatch(/^# TYPE edgectl_watch_readings_total counter$/m);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the metrics after the list has been read. */
async function eventually(port: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    const text = (await answer?.text()) ?? '';
    if (text.includes('edgectl_watch_last_reading_timestamp_seconds{')) return text;
    await new Promise((settle) => setImmediate(settle));
  }
}
