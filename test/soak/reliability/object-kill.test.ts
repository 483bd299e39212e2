import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { waitForExit } from '../../support/kills.ts';
import { type ServedSandbox, startAgain, startSandbox } from '../../support/program.ts';
import {
  killIn,
  measureDuration,
  mustRun,
  personAt,
  readFiles,
  startProcess,
  writeFiles,
} from '../../support/reliability/processes.ts';
import { etagsIn, s3ClientAt } from '../../support/reliability/s3-client.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import type { Person } from '../../support/run-command.ts';
import type { Chance } from '../../support/worlds/chance.ts';

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** Returns a random block of 64 bytes, repeated up to this length, so that no two objects are equal. */
function bytesFrom(chance: Chance, length: number): Buffer {
  const block = createHash('sha512').update(String(chance.next())).digest();
  return Buffer.alloc(length, block);
}

interface Place {
  sandbox: ServedSandbox;
  readonly person: Person;
}

async function withSandbox(work: (place: Place) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox();
  const place: Place = { sandbox, person: personAt(sandbox) };
  try {
    await mustRun(place.person, ['objstore', 'bucket', 'create', 'data']);
    await work(place);
  } finally {
    await place.sandbox.stop();
    for (const folder of [sandbox.folder, place.person.cwd]) rmSync(folder, { recursive: true, force: true });
  }
}

const names = Array.from({ length: 400 }, (_, at) => `folder ${at % 20}/ä ${at}.bin`);

/** Creates new contents for a random selection of names; the other files are deleted or unchanged. */
function changeSome(chance: Chance, files: Map<string, Buffer>): Map<string, Buffer> {
  const changed = new Map(files);
  for (const name of names) {
    if (chance.isLikely(0.5)) changed.set(name, bytesFrom(chance, 1 + chance.below(30_000)));
    else if (chance.isLikely(0.1)) changed.delete(name);
  }
  return changed;
}

function replaceFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  rmSync(folder, { recursive: true, force: true });
  writeFiles(folder, files);
}

const digests = (files: ReadonlyMap<string, Buffer>) =>
  new Map([...files].map(([name, bytes]) => [name, md5(bytes)]));

/** Expects each item to be in its old or its new state. */
function expectOldOrNew(
  run: Run,
  seen: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void {
  for (const name of new Set([...seen.keys(), ...before.keys(), ...after.keys()])) {
    const now = seen.get(name);
    if (now !== before.get(name) && now !== after.get(name)) run.found(`${name} is neither old nor new`);
  }
}

const sync = (...flags: string[]) => [
  'objstore',
  'object',
  'sync',
  'up',
  'data',
  '--delete',
  '--limit',
  '400',
  '--yes',
  '--json',
  ...flags,
];

trial('sync up', async (run) =>
  withSandbox(async ({ sandbox, person }) => {
    const client = s3ClientAt(sandbox);
    let files = changeSome(run.chance, new Map());
    replaceFiles(join(person.cwd, 'up'), files);
    const takes = await measureDuration(() => mustRun(person, sync()));
    for (let kill = 0; kill < run.size; kill += 1) {
      files = changeSome(run.chance, files);
      replaceFiles(join(person.cwd, 'up'), files);
      const before = await etagsIn(client, 'data');
      await killIn(startProcess(person, sync()), run.chance.next() * takes);
      expectOldOrNew(run, await etagsIn(client, 'data'), before, digests(files));
      run.attempted();
    }
    await mustRun(person, sync());
    expect(await etagsIn(client, 'data')).toEqual(digests(files));
    expect(JSON.parse(await mustRun(person, sync()))).toMatchObject({
      done: 0,
      deleted: 0,
      same: files.size,
    });
    run.remark('about 200 of 400 files changed each time; every object had its old or its new content');
    client.destroy();
  }),
);

trial('sync down', async (run) =>
  withSandbox(async ({ person }) => {
    const down = sync('--download').map((word) => (word === 'up' ? 'down' : word));
    let files = changeSome(run.chance, new Map());
    const upload = async () => {
      replaceFiles(join(person.cwd, 'up'), files);
      await mustRun(person, sync());
    };
    await upload();
    const takes = await measureDuration(() => mustRun(person, down));
    const seen = () =>
      new Map(
        [...digests(readFiles(join(person.cwd, 'down')))].filter(([name]) => !name.includes('.edgectl-')),
      );
    for (let kill = 0; kill < run.size; kill += 1) {
      files = changeSome(run.chance, files);
      await upload();
      const before = seen();
      await killIn(startProcess(person, down), run.chance.next() * takes);
      expectOldOrNew(run, seen(), before, digests(files));
      run.attempted();
    }
    await mustRun(person, down);
    // No unfinished download is left behind.
    expect(digests(readFiles(join(person.cwd, 'down')))).toEqual(digests(files));
    run.remark('about 200 of 400 objects changed each time; every file had its old or its new content');
  }),
);

trial('put in parts', async (run) =>
  withSandbox(async ({ sandbox, person }) => {
    const client = s3ClientAt(sandbox);
    const bytes = Buffer.concat(Array.from({ length: 76 }, () => bytesFrom(run.chance, 4 * 1024 * 1024)));
    writeFileSync(join(person.cwd, 'large.bin'), bytes);
    const put = (key: string) => ['objstore', 'object', 'put', `data/${key}`, '--path', 'large.bin'];
    const takes = await measureDuration(() => mustRun(person, put('first')));
    let resumed = 0;
    for (let kill = 0; kill < run.size; kill += 1) {
      const key = `object ${kill}`;
      const wasRunning = await killIn(startProcess(person, put(key)), run.chance.next() * takes);
      const there = (await etagsIn(client, 'data')).has(key);
      if (there && wasRunning && (await md5Of(client, key)) !== md5(bytes)) run.found(`${key} is incomplete`);
      if (!there) resumed += 1;
      await mustRun(person, put(key));
      if ((await md5Of(client, key)) !== md5(bytes)) run.found(`${key} has other bytes than the file`);
      await mustRun(person, ['objstore', 'object', 'delete', `data/${key}`, '--no-undo']);
      run.attempted();
    }
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'data' }));
    expect(Uploads).toEqual([]);
    run.remark(`304 MiB in parts; ${resumed} uploads were resumed; no unfinished upload was left behind`);
    client.destroy();
  }),
);

async function md5Of(client: S3Client, key: string): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'data', Key: key }));
  const hash = createHash('md5');
  for await (const chunk of Body as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

trial('S3 parts', async (run) =>
  withSandbox(async (place) => {
    let client = s3ClientAt(place.sandbox);
    const where = { Bucket: 'data', Key: 'in parts' };
    let saved = 0;
    for (let kill = 0; kill < run.size; kill += 1) {
      const parts = Array.from({ length: 6 }, (_, at) =>
        bytesFrom(run.chance, at < 5 ? 5 * 1024 ** 2 : 1000),
      );
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(where));
      const etags = new Map<number, string>();
      const send = async () => {
        for (const [at, Body] of parts.entries()) {
          if (etags.has(at + 1)) continue;
          const sent = await client.send(
            new UploadPartCommand({ ...where, UploadId, PartNumber: at + 1, Body }),
          );
          etags.set(at + 1, sent.ETag ?? '');
        }
        const Parts = [...etags].map(([PartNumber, ETag]) => ({ PartNumber, ETag }));
        await client.send(
          new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload: { Parts } }),
        );
      };
      const sending = send().then(
        () => true,
        () => false,
      );
      await Promise.race([pause(run.chance.next() * 500), sending]);
      place.sandbox.child.kill('SIGKILL');
      await waitForExit(place.sandbox.child);
      const isConfirmed = await sending;
      place.sandbox = await startAgain(place.sandbox);
      client.destroy();
      client = s3ClientAt(place.sandbox);
      const whole = md5(Buffer.concat(parts));
      const isThere = (await etagsIn(client, 'data')).has(where.Key);
      if (isThere && (await md5Of(client, where.Key)) !== whole && isConfirmed)
        run.found('a completed upload has other bytes');
      if (isConfirmed && !isThere) run.found('a completed upload is missing');
      if (!isConfirmed) saved += await resumeUpload(run, client, { ...where, UploadId }, etags, send);
      if ((await md5Of(client, where.Key)) !== whole) run.found('a resumed upload has other bytes');
      run.attempted();
    }
    run.remark(`the sandbox was killed; ${saved} confirmed parts were all listed after its restart`);
    client.destroy();
  }),
);

/** Completes an upload whose server was killed. Returns the number of confirmed parts that the server still had. */
async function resumeUpload(
  run: Run,
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  etags: ReadonlyMap<number, string>,
  send: () => Promise<void>,
): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: upload.Bucket }));
  // The upload was completed, although the completion was not confirmed.
  if (!Uploads.some(({ UploadId }) => UploadId === upload.UploadId)) return 0;
  const { Parts = [] } = await client.send(new ListPartsCommand(upload));
  const listed = new Map(Parts.map(({ PartNumber = 0, ETag }) => [PartNumber, ETag]));
  for (const [number, etag] of etags)
    if (listed.get(number) !== etag) run.found(`the confirmed part ${number} is missing`);
  const confirmed = etags.size;
  await send();
  return confirmed;
}
