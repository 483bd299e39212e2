import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { killAfter } from './kills.ts';
import { program, userEnvironment } from './program.ts';
import { runCommand } from './run-command.ts';
import type { Served } from './served.ts';
import { foldersIn } from './world.ts';

export interface KilledFleet {
  /** The number of steps in the plan, or of reported changes. */
  readonly count: number;
  readonly kills: number;
  /** Returns a number in [0, 1). */
  random(): number;
}

const hostname = (at: number): string => `shop${at}.acme.com`;

/**
 * Executes a plan with a process that is killed (SIGKILL) at random moments and restarted after each kill. Expects that the zone matches
 * the file, and that no step was requested twice.
 */
export async function expectKilledReconcileToComplete(
  served: Served,
  { count, kills, random }: KilledFleet,
): Promise<void> {
  const { person, proxy } = served;
  shareState(served);
  const wanted = Array.from({ length: count }, (_, at) => hostname(at));
  await seed(
    served,
    wanted.slice(0, count / 2).map((name) => `old-${name}`),
  );
  writeFileSync(join(person.cwd, 'wanted.csv'), ['hostname', ...wanted].join('\n'));
  const words = ['hostname', 'reconcile', '--file', 'wanted.csv', '--prune'];
  const planned = await runCommand(person, [...words, '--plan', '--json']);
  const { hash } = JSON.parse(planned.out) as { hash: string };
  const apply = ['hostname', 'reconcile', '--apply', hash, '--yes', '--limit', String(count)];
  const changes = () => proxy.passed.filter(({ method }) => method !== 'GET');
  for (let kill = 0; kill < kills; kill += 1) {
    const before = changes().length;
    const maxRequests = Math.max(1, (1.5 * count - before) / (kills - kill));
    const enough = before + Math.floor(random() * (maxRequests - 1)) + 1;
    const child = started(served, [...apply, '--rate', '99999']);
    await killAfter(child, () => changes().length >= enough, random() * 5);
    expect(changes().length).toBeGreaterThan(before);
  }
  const last = await runCommand(person, [...apply, '--rate', '99999']);
  // Exit code 2: the last kill came after all steps were done, and the plan no longer exists.
  expect([0, 2]).toContain(last.code);
  const listed = await runCommand(person, ['hostname', 'list', '--json']);
  expect(namesIn(listed.out)).toEqual(wanted.toSorted());
  const asked = changes().map(({ method, path, body }) => `${method} ${path} ${body.toString()}`);
  expect(asked.toSorted()).toEqual([...new Set(asked)].sort());
  expect(asked).toHaveLength(1.5 * count);
}

/**
 * Watches a zone with a process that is killed (SIGKILL) at random moments and restarted after each kill. Expects each change to be
 * reported once; a report that a kill interrupted is repeated with the same id.
 */
export async function expectKilledWatchToTellAll(
  served: Served,
  { count, kills, random }: KilledFleet,
): Promise<void> {
  shareState(served);
  const events: { id: string; hostname: string; type: string }[] = [];
  const receiver = createServer(async (request, answer) => {
    events.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    answer.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const person = {
    ...served.person,
    env: { ...served.person.env, EDGECTL_WEBHOOK_SECRET: 'a long random text' },
  };
  const watch = ['hostname', 'watch', '--all', '--webhook', `http://127.0.0.1:${port}/`];
  await runCommand(person, [...watch, '--once']);
  const part = Math.ceil(count / kills);
  for (let from = 0; from < count; from += part) {
    const names = Array.from({ length: Math.min(part, count - from) }, (_, at) => hostname(from + at));
    await seed(served, names);
    const enough = events.length + Math.floor(random() * part) + 1;
    const child = started({ ...served, person }, [...watch, '--interval', '1s']);
    await killAfter(child, () => events.length >= enough, random() * 5);
  }
  expect((await runCommand(person, [...watch, '--once'])).code).toBe(0);
  receiver.close();
  const each = new Map(events.map((event) => [event.id, `${event.type} ${event.hostname}`]));
  const all = Array.from({ length: count }, (_, at) => `appeared ${hostname(at)}`);
  // Certificates change in the meantime, and these changes are also reported.
  const appeared = [...each.values()].filter((words) => words.startsWith('appeared'));
  expect(appeared.toSorted()).toEqual(all.toSorted());
  expect(events.length - each.size).toBeLessThanOrEqual(kills);
}

/** Makes processes use the same state folder as the commands in this process. */
function shareState({ person: { home } }: Served): void {
  const { state } = foldersIn(home);
  mkdirSync(state, { recursive: true });
  mkdirSync(join(home, '.local', 'state'), { recursive: true });
  symlinkSync(state, join(home, '.local', 'state', 'edgectl'));
}

function started({ person }: Served, argv: readonly string[]) {
  const env = { ...userEnvironment(person.home), ...person.env };
  return spawn(process.execPath, [program, ...argv], { cwd: person.cwd, env, stdio: 'ignore' });
}

async function seed({ sandbox }: Served, names: readonly string[]): Promise<void> {
  const answer = await sandbox.send({
    method: 'PUT',
    path: '/sandbox/seed',
    headers: { authorization: `Bearer ${sandbox.access().apiToken}` },
    body: Buffer.from(JSON.stringify({ hostnames: names.map((name) => ({ hostname: name })) })),
    repeatable: false,
  });
  expect(answer.status).toBe(200);
}

function namesIn(json: string): string[] {
  return (JSON.parse(json) as { hostname: string }[]).map((one) => one.hostname).sort();
}
