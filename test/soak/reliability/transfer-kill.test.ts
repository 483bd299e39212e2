import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { compareKeys } from '../../../src/model/kv/key-order.ts';
import { killAfter, waitForExit } from '../../support/kills.ts';
import type { Passing } from '../../support/proxy.ts';
import { mustRun, startProcess } from '../../support/reliability/processes.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import type { TrialName } from '../../support/reliability/trials.ts';
import { type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

interface Place {
  readonly served: Served;
  readonly person: Person;
  readonly namespace: string;
}

/** Declares a trial for a sandbox with one namespace. */
function trialAt(name: TrialName, body: (run: Run, place: Place) => Promise<void>): void {
  trial(name, async (run) => {
    const served = await openServed();
    try {
      await body(run, { served, person: served.person, namespace: await served.createNamespace() });
    } finally {
      await served.close();
    }
  });
}

async function finish(person: Person, argv: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await mustRun(person, [...argv, '--json']));
}

async function exported(person: Person, id: string): Promise<string> {
  const { code, out } = await runCommand(person, ['kv', 'export', '--namespace-id', id, '--quiet']);
  expect(code).toBe(0);
  return out;
}

async function fill(
  { person, namespace }: Place,
  count: number,
  length: number,
  where = ['--namespace-id', namespace],
): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ key: `key:${index}`, value: `${index} `.padEnd(length, 'x') }),
  );
  writeFileSync(join(person.cwd, 'entries.ndjson'), entries.join('\n'));
  const put = await runCommand(person, ['kv', 'bulk', 'put', 'entries.ndjson', ...where]);
  expect(put).toMatchObject({ code: 0 });
}

/** Starts and kills the command repeatedly, each time after a random number of requests. */
async function killOften(
  { chance, size, attempted }: Run,
  { served, person }: Place,
  requests: number,
  argv: readonly string[],
  afterKill: () => unknown,
): Promise<void> {
  for (let kill = 0; kill < size; kill++) {
    const before = served.proxy.passed.length;
    const wanted = 1 + chance.below(requests);
    const isTime = () => served.proxy.passed.length - before >= wanted;
    await killAfter(startProcess(person, argv), isTime, chance.next() * 20);
    attempted();
    await afterKill();
  }
}

interface Checkpoint {
  readonly through?: string;
  readonly confirmed: readonly [number, number][];
}

function checkpoints({ home }: Person): Checkpoint[] {
  const folder = join(home, '.local', 'state', 'edgectl', 'checkpoints');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

function confirmedIndices(person: Person): Set<number> {
  const indices = new Set<number>();
  for (const { confirmed } of checkpoints(person))
    for (const [from, to] of confirmed) for (let index = from; index < to; index++) indices.add(index);
  return indices;
}

trialAt('bulk delete', async (run, place) => {
  const { served, person, namespace } = place;
  const count = run.size * 1000;
  await fill(place, count, 10);
  const lines = (await exported(person, namespace)).split('\n').filter((line) => line !== '');
  const isOdd = (line: string) => Number(JSON.parse(line).key.slice('key:'.length)) % 2 === 1;
  const odd = Array.from({ length: count / 2 }, (_, at) => `key:${at * 2 + 1}`);
  writeFileSync(join(person.cwd, 'odd.json'), JSON.stringify(odd));
  const place_ = ['--namespace-id', namespace, '--yes', '--resume', '--batch-size', '100'];
  const argv = ['kv', 'bulk', 'delete', 'odd.json', ...place_];
  let confirmed = new Set<number>();
  served.proxy.use(({ method, path, body }) => {
    if (method !== 'POST' || !path.endsWith('/bulk/delete')) return;
    const keys: string[] = JSON.parse(body.toString());
    const again = keys.filter((key) => confirmed.has(odd.indexOf(key)));
    if (again.length > 0) run.found(`${again.length} keys were deleted again`);
  });
  await killOften(run, place, Math.ceil(count / 200 / run.size), argv, async () => {
    confirmed = confirmedIndices(person);
    const left = new Set((await exported(person, namespace)).split('\n'));
    if (lines.some((line) => !isOdd(line) && !left.has(line)))
      run.found('a key that no file names was deleted');
    const keysLeft = new Set([...left].filter((line) => line !== '').map((line) => JSON.parse(line).key));
    const back = [...confirmed].filter((at) => keysLeft.has(odd[at]));
    if (back.length > 0) run.found(`${back.length} keys still exist that were confirmed as deleted`);
  });
  await mustRun(person, argv);
  expect((await exported(person, namespace)).split('\n').filter((line) => line !== '')).toEqual(
    lines.filter((line) => !isOdd(line)),
  );
  expect(checkpoints(person)).toEqual([]);
  run.remark(
    `${(count / 2).toLocaleString('en')} of ${count.toLocaleString('en')} keys deleted; the others compared after each kill`,
  );
});

trialAt('copy', async (run, place) => {
  const { served, person, namespace } = place;
  await fill(place, 20_000, 2000);
  const to = await served.createNamespace();
  const argv = ['kv', 'copy', '--namespace-id', namespace, '--to-namespace-id', to, '--resume'];
  let copied: string | undefined;
  let again = 0;
  served.proxy.use(({ method, path, body }: Passing): undefined => {
    if (method !== 'PUT' || !path.endsWith('/bulk') || copied === undefined) return;
    const entries: { key: string }[] = JSON.parse(body.toString());
    for (const { key } of entries) if (compareKeys(key, copied) <= 0) again++;
  });
  await killOften(run, place, 60, argv, () => {
    copied = checkpoints(person)[0]?.through ?? copied;
  });
  const [last] = checkpoints(person);
  const report = await finish(person, argv);
  expect(again).toBe(0);
  const earlier = (last?.confirmed ?? []).reduce((sum, [from, behind]) => sum + behind - from, 0);
  expect(report).toMatchObject({ copied: 20_000 - earlier, earlier, failed: 0, finished: true });
  expect(checkpoints(person)).toEqual([]);
  expect((await exported(person, to)) === (await exported(person, namespace))).toBe(true);
  run.remark('20,000 keys copied and compared; no copied key was sent again');
});

trialAt('clear', async (run, place) => {
  const { person, namespace } = place;
  await fill(place, 60_000, 10);
  const argv = ['kv', 'namespace', 'clear', '--namespace-id', namespace, '--yes'];
  const left: number[] = [];
  await killOften(run, place, 62, argv, async () => {
    left.push((await exported(person, namespace)).split('\n').length - 1);
  });
  expect(left).toEqual(left.toSorted((one, other) => other - one));
  expect(await finish(person, argv)).toMatchObject({ deleted: left.at(-1), finished: true });
  expect(await exported(person, namespace)).toBe('');
  run.remark('60,000 keys; the last run reported exactly the keys that it deleted itself');
});

trialAt('export', async (run, place) => {
  const { person, namespace } = place;
  await fill(place, 20_000, 2000);
  const path = join(person.cwd, 'out.ndjson');
  writeFileSync(path, 'the earlier file');
  const argv = ['kv', 'export', '--namespace-id', namespace, '--output', 'out.ndjson', '--force'];
  await killOften(run, place, 100, argv, () => expect(readFileSync(path, 'utf8')).toBe('the earlier file'));
  expect(await finish(person, argv)).toMatchObject({ exported: 20_000 });
  expect(readFileSync(path, 'utf8') === (await exported(person, namespace))).toBe(true);
  run.remark('the earlier file was untouched after each kill; 20,000 keys exported at the end');
});

trialAt('two puts', async ({ chance, size, attempted, remark }, place) => {
  const { person } = place;
  await fill(place, 10_000, 200, ['--local', '--persist-to', 'data', '--namespace-id', 'whole']);
  for (let round = 0; round < size; round++) {
    const at = ['--local', '--persist-to', 'data', '--namespace-id', `both-${round}`];
    const argv = ['kv', 'bulk', 'put', 'entries.ndjson', '--batch-size', '500', '--resume', ...at];
    const one = startProcess(person, argv);
    const other = startProcess(person, argv);
    if (round % 2 === 0) await killAfter(one, () => checkpoints(person).length > 0, chance.next() * 50);
    else expect(await waitForExit(one)).toBe(0);
    expect(await waitForExit(other)).toBe(0);
    await finish(person, argv);
    attempted();
    expect(checkpoints(person)).toEqual([]);
    const to = ['--to-local', '--to-persist-to', 'data', '--to-namespace-id', 'whole'];
    expect(await runCommand(person, ['kv', 'diff', ...at, ...to])).toMatchObject({ code: 0, out: '' });
  }
  remark(
    '10,000 entries written to local data each time; one of the two processes was killed in every other round',
  );
});
