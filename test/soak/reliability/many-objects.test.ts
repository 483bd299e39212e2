import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { ownAccessKey } from '../../../src/sandbox/s3/credentials.ts';
import { startSandbox, userEnvironment } from '../../support/program.ts';
import { mustRun, personAt, readFiles, writeFiles } from '../../support/reliability/processes.ts';
import { etagsIn, s3ClientAt } from '../../support/reliability/s3-client.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import type { Chance } from '../../support/worlds/chance.ts';

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** Parts of names that file systems and XML accept, but that URLs, globs and shells interpret differently. */
const pieces = [
  ' ',
  'ä',
  'a\u0308',
  '%',
  '%2f',
  '+',
  '&',
  '#',
  '?',
  ';',
  "'",
  '"',
  '$(id)',
  '*',
  '\\',
  '日本',
  '😀',
  '\u202e',
  '..',
  '-',
  '=',
  '~',
  '<',
  '@',
  ':',
];

function makeFiles(chance: Chance, count: number): Map<string, Buffer> {
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const name = `${chance.pick(pieces)}${at}${chance.pick(pieces)}${chance.pick(pieces)}.bin`;
      const block = createHash('sha512').update(`${at} ${chance.next()}`).digest();
      return [`folder ${at % 50}${pieces[at % 20]}/${name}`, Buffer.alloc(chance.below(20_000), block)];
    }),
  );
}

function compare(
  run: Run,
  way: string,
  seen: ReadonlyMap<string, Buffer>,
  files: ReadonlyMap<string, Buffer>,
) {
  const wrong = [...files].filter(([name, bytes]) => seen.get(name)?.equals(bytes) !== true);
  for (const [name] of wrong.slice(0, 5)) run.found(`${way}: ${JSON.stringify(name)} is missing or differs`);
  if (wrong.length > 0 || seen.size !== files.size)
    run.found(`${way}: ${wrong.length} of ${files.size} are wrong`);
  run.attempted(files.size);
}

trial('many objects', async (run) => {
  const sandbox = await startSandbox();
  const person = personAt(sandbox);
  const client = s3ClientAt(sandbox);
  try {
    const files = makeFiles(run.chance, run.size);
    writeFiles(join(person.cwd, 'up'), files);
    await mustRun(person, ['objstore', 'bucket', 'create', 'data']);
    await mustRun(person, ['objstore', 'object', 'sync', 'up', 'data', '--quiet']);
    const etags = await etagsIn(client, 'data');
    const wrong = [...files].filter(([name, bytes]) => etags.get(name) !== md5(bytes));
    if (wrong.length > 0 || etags.size !== files.size) run.found(`sync up: ${wrong.length} etags are wrong`);
    run.attempted(files.size);
    await mustRun(person, ['objstore', 'object', 'sync', 'down', 'data', '--download', '--quiet']);
    compare(run, 'sync down', readFiles(join(person.cwd, 'down')), files);

    await client.send(new CreateBucketCommand({ Bucket: 'sdk' }));
    await eachOf(
      files,
      async ([Key, Body]) => void (await client.send(new PutObjectCommand({ Bucket: 'sdk', Key, Body }))),
    );
    const read = new Map<string, Buffer>();
    await eachOf(files, async ([Key]) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'data', Key }));
      read.set(Key, Buffer.from((await Body?.transformToByteArray()) ?? []));
    });
    compare(run, 'AWS SDK reads what sync wrote', read, files);
    const say = await mustRun(person, ['objstore', 'object', 'sync', 'up', 'sdk', '--dry-run', '--json']);
    expect(JSON.parse(say)).toMatchObject({ same: files.size, steps: [] });
    run.attempted(files.size);

    await withAwsCli(run, sandbox.ready, person, files);
    run.remark(
      `${files.size.toLocaleString('en')} files through sync up and down, the AWS SDK for JavaScript`,
    );
  } finally {
    client.destroy();
    await sandbox.stop();
  }
});

/** Runs a function for each item, 16 in parallel. */
async function eachOf<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/**
 * Uses the AWS CLI to read the objects that edgectl wrote, and edgectl to read the objects that the AWS CLI wrote. Prints a remark if the
 * AWS CLI is not installed.
 */
async function withAwsCli(
  run: Run,
  ready: { readonly apiToken: string; readonly s3Endpoint: string },
  person: ReturnType<typeof personAt>,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { stdout, status } = spawnSync('aws', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return run.remark('skipped: the AWS CLI is not installed');
  const { id, secret } = ownAccessKey(ready.apiToken);
  const { AWS_CA_BUNDLE: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...userEnvironment(person.home),
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_ENDPOINT_URL: ready.s3Endpoint,
    AWS_REGION: 'auto',
    // Python's pyenv wrapper searches for versions below the real home folder.
    PYENV_ROOT: inherited['PYENV_ROOT'] ?? '',
  };
  const aws = (...words: string[]) =>
    promisify(execFile)('aws', ['s3', ...words, '--only-show-errors'], { env, cwd: person.cwd });
  await aws('sync', 's3://data', 'aws-down');
  compare(run, 'AWS CLI reads what sync wrote', readFiles(join(person.cwd, 'aws-down')), files);
  await aws('mb', 's3://aws').catch(() => mustRun(person, ['objstore', 'bucket', 'create', 'aws']));
  await aws('sync', 'up', 's3://aws');
  await mustRun(person, ['objstore', 'object', 'sync', 'from-aws', 'aws', '--download', '--quiet']);
  compare(run, 'sync reads what the AWS CLI wrote', readFiles(join(person.cwd, 'from-aws')), files);
  run.remark(stdout.split(' ')[0] ?? 'AWS CLI');
}
