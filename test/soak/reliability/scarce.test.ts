import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../support/program.ts';
import {
  createNamespace,
  mustRun,
  type ProcessOptions,
  type ProcessResult,
  personAt,
  readFiles,
  runProcess,
  writeFiles,
} from '../../support/reliability/processes.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import { newPerson, type Person } from '../../support/run-command.ts';
import { scratchFolder } from '../../support/world.ts';

const MiB = 1024 * 1024;

/** Records a command that neither succeeded nor failed in the documented way: a crash, a stack trace, or a failure without a message. */
function judge(run: Run, argv: readonly string[], { code, err }: ProcessResult): boolean {
  run.attempted();
  if (code === 0) return true;
  const words = err.slice(0, 400);
  const isOwn = code !== null && [1, 2, 6].includes(code) && /^error: |"type":"error"/m.test(err);
  if (!isOwn || /^\s+at .+:\d+:\d+\)?$/m.test(err)) run.found(`${argv.join(' ')}: exit ${code}: ${words}`);
  return false;
}

/** Mounts a file system of this size; returns undefined if the user or the container is not allowed to mount one. */
function smallDisk(size: number): string | undefined {
  const folder = scratchFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}

/** Returns the keys and values of local data, exported to a file on another disk. */
async function localValues(person: Person, at: readonly string[]): Promise<Map<string, string>> {
  await mustRun(person, ['kv', 'export', '--output', join(person.home, 'all.ndjson'), '--force', ...at]);
  const lines = readFileSync(join(person.home, 'all.ndjson'), 'utf8').split('\n');
  const entries = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return new Map(entries.map(({ key, value }: { key: string; value: string }) => [key, value]));
}

trial('full disk', async (run) => {
  const { chance } = run;
  const disk = smallDisk(16 * MiB);
  const person = newPerson();
  const data = join(disk ?? scratchFolder('limited'), 'data');
  // Without a small disk, the test limits file sizes, which SQLite handles like a full disk.
  const limited: ProcessOptions = disk === undefined ? { limits: 'ulimit -f 1024' } : {};
  const at = ['--local', '--persist-to', data, '--namespace-id', 'kv'];
  let refused = 0;
  await mustRun(person, ['kv', 'key', 'put', 'first', 'precious', ...at]);
  for (let round = 0; round < run.size; round += 1) {
    const stored = await localValues(person, at);
    const entries = Array.from({ length: 400 }, (_, index) => ({
      key: `${round}:${index}`,
      value: `${index} `.repeat(1 + chance.below(20_000)),
    }));
    writeFileSync(join(person.cwd, 'entries.json'), JSON.stringify(entries));
    const put = ['kv', 'bulk', 'put', 'entries.json', '--batch-size', '20', '--resume', ...at];
    if (!judge(run, put, await runProcess(person, put, limited))) refused += 1;
    const sent = new Map(entries.map(({ key, value }) => [key, value]));
    const now = await localValues(person, at);
    for (const [key, value] of now)
      if (stored.get(key) !== value && sent.get(key) !== value)
        run.found(`${key} has a value that was never written`);
    for (const key of stored.keys()) if (!now.has(key)) run.found(`${key} was lost`);
    // An export to the full disk leaves the earlier file unchanged.
    const file = join(data, '..', 'out.ndjson');
    writeFileSync(file, 'the earlier file');
    const output = ['kv', 'export', '--output', file, '--force', ...at];
    if (!judge(run, output, await runProcess(person, output, limited))) {
      refused += 1;
      if (readFileSync(file, 'utf8') !== 'the earlier file')
        run.found('a failed export changed the earlier file');
    }
    rmSync(file);
    const object = join(person.cwd, 'object');
    writeFileSync(object, Buffer.alloc(MiB + chance.below(8 * MiB), String(round)));
    await objectOnFullDisk(run, person, ['--local', '--persist-to', data], limited);
    await mustRun(person, ['kv', 'namespace', 'clear', '--yes', ...at]);
    if ((await localValues(person, at)).size !== 0) run.found('a full disk was not emptied');
    await mustRun(person, ['kv', 'key', 'put', 'first', 'precious', ...at]);
  }
  run.remark(
    disk === undefined
      ? `no file system could be mounted: a limit on file sizes instead; ${refused} refusals`
      : `a file system of 16 MiB, ${Math.round((statfsSync(disk).bavail * 4096) / MiB)} MiB free at the end; ${refused} refusals`,
  );
});

/** Stores an object, which must then be complete or missing. */
async function objectOnFullDisk(run: Run, person: Person, at: readonly string[], limited: ProcessOptions) {
  await runProcess(person, ['objstore', 'bucket', 'create', 'data', '--if-not-exists', ...at], limited);
  const put = ['objstore', 'object', 'put', 'data/large', '--path', 'object', ...at];
  const isStored = judge(run, put, await runProcess(person, put, limited));
  const file = join(person.home, 'got');
  const got = await runProcess(person, [
    'objstore',
    'object',
    'get',
    'data/large',
    '--file',
    file,
    '--force',
    ...at,
  ]);
  const isWhole = got.code === 0 && readFileSync(file).equals(readFileSync(join(person.cwd, 'object')));
  if (isStored !== isWhole)
    run.found(`put reported an object as stored: ${isStored}; it is complete: ${isWhole}`);
  if (isStored) await mustRun(person, ['objstore', 'object', 'delete', 'data/large', '--no-undo', ...at]);
}

interface Place {
  readonly person: Person;
  readonly at: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Commands that open many files or connections, or use a lot of memory. Later commands use the results of earlier commands, so the last
 * results show whether all commands were correct.
 */
const steps = ({ at }: Place): readonly (readonly string[])[] => [
  ['kv', 'bulk', 'put', 'entries.ndjson', '--resume', ...at],
  ['kv', 'key', 'list', ...at],
  ['kv', 'export', '--output', 'out.ndjson', '--force', ...at],
  ['objstore', 'object', 'sync', 'up', 'data', '--delete', '--limit', '9999', '--yes'],
  ['objstore', 'object', 'sync', 'down', 'data', '--download', '--delete', '--limit', '9999', '--yes'],
  ['objstore', 'object', 'list', 'data'],
];

async function openPlace(keys: number, count: number): Promise<Place> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  const person = personAt(sandbox);
  const id = await createNamespace(person, 'SCARCE');
  await mustRun(person, ['objstore', 'bucket', 'create', 'data']);
  const lines = Array.from({ length: keys }, (_, at) =>
    JSON.stringify({ key: `k${at}`, value: `${at} `.repeat(20) }),
  );
  writeFileSync(join(person.cwd, 'entries.ndjson'), lines.join('\n'));
  const files = new Map(
    Array.from({ length: count }, (_, at) => [`f ${at % 9}/${at}`, Buffer.alloc(at * 20, String(at))]),
  );
  writeFiles(join(person.cwd, 'up'), files);
  return { person, at: ['--namespace-id', id], files };
}

/** Checks the combined result of all steps. */
function expectAllThere(run: Run, { person, files }: Place): void {
  const read = (name: string) =>
    readFileSync(join(person.cwd, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  const [sent, got] = [read('entries.ndjson'), read('out.ndjson')].map((lines) => lines.join('\n'));
  if (sent !== got) run.found('the export differs from what was put');
  const down = readFiles(join(person.cwd, 'down'));
  const wrong = [...files].filter(([name, bytes]) => down.get(name)?.equals(bytes) !== true);
  if (wrong.length > 0 || down.size !== files.size)
    run.found(`${wrong.length} files of ${files.size} came back otherwise`);
}

trial('few handles', async (run) => {
  const place = await openPlace(5000, 300);
  let refused = 0;
  for (let round = 0; round < run.size; round += 1) {
    const limits = `ulimit -n ${17 + run.chance.below(24)}`;
    for (const argv of steps(place)) {
      const ran = await runProcess(place.person, argv, { limits });
      // Node itself ends with a fatal error if it cannot get a file handle at startup.
      if (ran.code === null || /node::|uv_/.test(ran.err)) refused += 1;
      else if (!judge(run, argv, ran)) refused += 1;
    }
    for (const argv of steps(place)) await mustRun(place.person, argv, { limits: 'ulimit -n 128' });
    expectAllThere(run, place);
  }
  run.remark(`17 to 40 handles: ${refused} refusals; with 128 handles, all of these commands completed`);
});

trial('small heap', async (run) => {
  const place = await openPlace(100_000, 1000);
  for (let round = 0; round < run.size; round += 1) {
    const nodeFlags = [`--max-old-space-size=${56 + 8 * run.chance.below(3)}`];
    for (const argv of steps(place)) judge(run, argv, await runProcess(place.person, argv, { nodeFlags }));
    expectAllThere(run, place);
  }
  run.remark('100,000 keys and 1,000 files with a heap of 56 to 72 MB');
});
