import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareKeys } from '../../src/model/kv/key-order.ts';
import { exitOf, killAfter } from '../support/kills.ts';
import { program, userEnvironment } from '../support/program.ts';
import type { Passing } from '../support/proxy.ts';
import { runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

/** Processes that are killed in the midst of each kind of work. */
const kills = 15;

let served: Served;
let namespace: string;
beforeEach(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterEach(() => served.close());

function start(...argv: string[]): ChildProcess {
  const { person } = served;
  const env = { ...userEnvironment(person.home), ...person.env };
  return spawn(process.execPath, [program, ...argv], { cwd: person.cwd, env, stdio: 'ignore' });
}

/** Runs to its end in the home of the processes, whose checkpoints it sees; gives its JSON. */
async function finish(...argv: string[]): Promise<Record<string, unknown>> {
  const { person } = served;
  const env = { ...userEnvironment(person.home), ...person.env };
  const child = spawn(process.execPath, [program, ...argv, '--json'], { cwd: person.cwd, env });
  const said: Buffer[] = [];
  const told: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => told.push(chunk));
  const code = await exitOf(child);
  expect({ code, told: code === 0 ? '' : Buffer.concat(told).toString() }).toEqual({ code: 0, told: '' });
  return JSON.parse(Buffer.concat(said).toString());
}

async function exported(id: string): Promise<string> {
  const { code, out } = await runCommand(served.person, ['kv', 'export', '--namespace-id', id, '--quiet']);
  expect(code).toBe(0);
  return out;
}

async function fill(count: number, length: number, ...place: string[]): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ key: `key:${index}`, value: `${index} `.padEnd(length, 'x') }),
  );
  writeFileSync(join(served.person.cwd, 'entries.ndjson'), entries.join('\n'));
  const where = place.length === 0 ? ['--namespace-id', namespace] : place;
  const put = await runCommand(served.person, ['kv', 'bulk', 'put', 'entries.ndjson', ...where]);
  expect(put).toMatchObject({ code: 0 });
}

/** Starts and kills, each time when a random number of requests has passed. */
async function killOften(requests: number, argv: readonly string[], afterKill: () => unknown): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const before = served.proxy.passed.length;
    const wanted = 1 + Math.floor(Math.random() * requests);
    const isTime = () => served.proxy.passed.length - before >= wanted;
    await killAfter(start(...argv), isTime, Math.random() * 20);
    await afterKill();
  }
}

interface Noted {
  readonly through?: string;
  readonly confirmed: readonly [number, number][];
}

function checkpoints(): Noted[] {
  const folder = join(served.person.home, '.local', 'state', 'edgectl', 'checkpoints');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

test('a copy that is killed often and resumed copies all, and nothing again that was noted as copied', async () => {
  await fill(20_000, 2000);
  const to = await served.createNamespace();
  const argv = ['kv', 'copy', '--namespace-id', namespace, '--to-namespace-id', to, '--resume'];
  let noted: string | undefined;
  let again = 0;
  const watch = ({ method, path, body }: Passing): undefined => {
    if (method !== 'PUT' || !path.endsWith('/bulk') || noted === undefined) return;
    const entries: { key: string }[] = JSON.parse(body.toString());
    for (const { key } of entries) if (compareKeys(key, noted) <= 0) again++;
  };
  served.proxy.use(watch);
  await killOften(60, argv, () => {
    noted = checkpoints()[0]?.through ?? noted;
  });
  const [last] = checkpoints();
  const report = await finish(...argv);
  expect(again).toBe(0);
  const earlier = (last?.confirmed ?? []).reduce((sum, [from, behind]) => sum + behind - from, 0);
  expect(report).toMatchObject({ copied: 20_000 - earlier, earlier, failed: 0, finished: true });
  expect(checkpoints()).toEqual([]);
  expect((await exported(to)) === (await exported(namespace))).toBe(true);
});

test('a clearing that is killed often and begun again removes all, and counts what it removes itself', async () => {
  await fill(60_000, 10);
  const argv = ['kv', 'namespace', 'clear', '--namespace-id', namespace, '--yes'];
  const left: number[] = [];
  await killOften(62, argv, async () => {
    left.push((await exported(namespace)).split('\n').length - 1);
  });
  expect(left).toEqual(left.toSorted((one, other) => other - one));
  expect(await finish(...argv)).toMatchObject({ deleted: left.at(-1), finished: true });
  expect(await exported(namespace)).toBe('');
});

test('an export that is killed often leaves the file that was there, and then replaces it as a whole', async () => {
  await fill(20_000, 2000);
  const path = join(served.person.cwd, 'out.ndjson');
  writeFileSync(path, 'what was there');
  const argv = ['kv', 'export', '--namespace-id', namespace, '--output', 'out.ndjson', '--force'];
  await killOften(100, argv, () => expect(readFileSync(path, 'utf8')).toBe('what was there'));
  expect(await finish(...argv)).toMatchObject({ exported: 20_000 });
  expect(readFileSync(path, 'utf8') === (await exported(namespace))).toBe(true);
});

test('two processes that put the same file with --resume, one of them killed now and then, lose nothing', async () => {
  await fill(10_000, 200, '--local', '--persist-to', 'data', '--namespace-id', 'whole');
  for (let round = 0; round < kills; round++) {
    const place = ['--local', '--persist-to', 'data', '--namespace-id', `both-${round}`];
    const argv = ['kv', 'bulk', 'put', 'entries.ndjson', '--batch-size', '500', '--resume', ...place];
    const one = start(...argv);
    const other = start(...argv);
    if (round % 2 === 0) await killAfter(one, () => checkpoints().length > 0, Math.random() * 50);
    else expect(await exitOf(one)).toBe(0);
    expect(await exitOf(other)).toBe(0);
    await finish(...argv);
    expect(checkpoints()).toEqual([]);
    const whole = [
      'kv',
      'diff',
      ...place,
      '--to-local',
      '--to-persist-to',
      'data',
      '--to-namespace-id',
      'whole',
    ];
    expect(await runCommand(served.person, whole)).toMatchObject({ code: 0, out: '' });
  }
});
