import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { peakMemory, type Ran, type Running, startMeasured } from '../support/measured-program.ts';
import { type ServedSandbox, startAgain, startSandbox, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

const mostMegabytes = 200;

let server: ServedSandbox;
let cwd: string;
let serverPeak: number;
beforeEach(async () => {
  cwd = scratchFolder('soak');
  server = await startSandbox();
  serverPeak = 0;
  expect((await start('objstore', 'bucket', 'create', 'big').ended).code).toBe(0);
});
afterEach(async () => {
  await server.stop();
  for (const folder of [cwd, server.folder]) rmSync(folder, { recursive: true, force: true });
});

function start(...argv: string[]): Running {
  const env = {
    ...userEnvironment(cwd),
    EDGECTL_API_BASE_URL: server.ready.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: server.ready.accountId,
    EDGECTL_API_TOKEN: server.ready.apiToken,
  };
  return startMeasured(cwd, env, argv);
}

/** Waits until the process ends, and checks that the process and the server used little memory. */
async function expectSmall(what: string, { ended }: Running): Promise<Ran> {
  const ran = await ended;
  serverPeak = Math.max(serverPeak, peakMemory(server.child.pid));
  const [client, served] = [ran.peak, serverPeak].map(Math.round);
  console.log(`${what}: ${ran.seconds.toFixed(1)} s, client ${client} MB, server ${served} MB`);
  expect(client).toBeGreaterThan(20);
  expect(Math.max(client ?? 0, served ?? 0), what).toBeLessThanOrEqual(mostMegabytes);
  return ran;
}

async function expectDone(what: string, running: Running): Promise<string> {
  const { code, said } = await expectSmall(what, running);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  return said;
}

/** Kills the client when `isTime` is true. */
async function killClient(what: string, running: Running, isTime: () => unknown): Promise<void> {
  await when(running, isTime);
  running.child.kill('SIGKILL');
  expect((await expectSmall(what, running)).code).toBeNull();
}

/** Kills the server when `isTime` is true, waits for the client to give up, and restarts the server. */
async function killServer(what: string, running: Running, isTime: () => unknown): Promise<void> {
  await when(running, isTime);
  serverPeak = Math.max(serverPeak, peakMemory(server.child.pid));
  server.child.kill('SIGKILL');
  expect((await expectSmall(what, running)).code).not.toBe(0);
  server = await startAgain(server);
}

async function when({ child }: Running, isTime: () => unknown): Promise<void> {
  while (!(await isTime())) {
    expect([child.exitCode, child.signalCode], 'It ended too early.').toEqual([null, null]);
    await pause(20);
  }
}

/** Returns the number of recorded parts of the only running transfer. */
function noted(kind: 'uploads' | 'downloads'): number {
  const folder = join(cwd, '.local', 'state', 'edgectl', kind);
  try {
    const name = readdirSync(folder).find((file) => file.endsWith('.json'));
    return name === undefined ? 0 : readFileSync(join(folder, name), 'utf8').split('\n').length - 2;
  } catch {
    return 0;
  }
}

interface Asked {
  readonly number: number;
  readonly route: string | null;
  readonly status: number | null;
}

/** Returns the requests since the server's start whose path contains this string. */
async function asked(path: string, limit = 10_000): Promise<Asked[]> {
  const url = `${server.ready.apiBaseUrl}/sandbox/requests?path=${encodeURIComponent(path)}&limit=${limit}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${server.ready.apiToken}` } });
  return JSON.parse(await answer.text()).result;
}

/** Returns the number of requests since the server's start. */
async function count(): Promise<number> {
  return (await asked('/', 1))[0]?.number ?? 0;
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** Creates a file of 5 GiB that uses little disk space: zeros, with some random bytes in each 64 MiB. */
async function makeLarge(path: string): Promise<void> {
  writeFileSync(path, '');
  await truncate(path, 5 * 1024 ** 3);
  await using file = await open(path, 'r+');
  for (let at = 0; at < 5 * 1024 ** 3; at += 64 * 1024 ** 2)
    await file.write(randomBytes(65_536), 0, 65_536, at + 1000);
}

const parts = 320;

test('transfers 5 GiB in parts within 200 MB of memory on both sides, despite kills of either side', async () => {
  const { bavail, bsize } = await import('node:fs').then(({ statfsSync }) => statfsSync(cwd));
  expect(bavail * bsize, 'It needs 25 GB of disk.').toBeGreaterThan(25e9);
  await makeLarge(join(cwd, 'big.bin'));
  const put = () => start('objstore', 'object', 'put', 'big/large', '--path', 'big.bin');
  await killClient('put, killed', put(), () => noted('uploads') > parts / 3);
  const first = noted('uploads');
  await killServer('put, server killed', put(), () => noted('uploads') > (parts * 2) / 3);
  const second = noted('uploads');
  expect(second).toBeGreaterThan(first);
  const said = await expectDone('put, to its end', put());
  const [, there] = /(\d+) of 320 parts done/.exec(said) ?? [];
  expect(Number(there)).toBeGreaterThanOrEqual(first);
  const sent = (await asked('s3:/big/large')).filter(({ route }) => route === 'UploadPart');
  expect(sent).toHaveLength(parts - Number(there));

  const get = () => start('objstore', 'object', 'get', 'big/large', '--file', 'out.bin');
  await killClient('get, killed', get(), () => noted('downloads') > parts / 3);
  await killServer('get, server killed', get(), () => noted('downloads') > (parts * 2) / 3);
  const had = noted('downloads');
  expect(readdirSync(cwd)).not.toContain('out.bin');
  expect(await expectDone('get, to its end', get())).toContain(`${had} of 320 parts done`);
  const read = (await asked('s3:/big/large')).filter(({ route }) => route === 'GetObject');
  // Reading one byte is enough to show that the S3 API returns the same object.
  expect(read).toHaveLength(parts - had + 1);
  expect(await md5Of(join(cwd, 'out.bin'))).toBe(await md5Of(join(cwd, 'big.bin')));
  expect(readdirSync(cwd).filter((name) => name.startsWith('.edgectl-'))).toEqual([]);
  console.log(`resumed at ${first}, ${second} (put) and ${had} (get) of ${parts} parts`);
});

const files = 5000;
const nameOf = (at: number) => `folder ${at % 50}/ä ${at}.bin`;

test('transfers 5,000 files within 200 MB of memory on both sides, despite kills of either side', async () => {
  for (let at = 0; at < files; at += 1) {
    const path = join(cwd, 'up', nameOf(at));
    if (at < 50) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, randomBytes(1 + ((at * 7919) % 30_000)));
  }
  const syncUp = () => start('objstore', 'object', 'sync', 'up', 'big/x', '--json', '--quiet');
  await killClient('sync up, killed', syncUp(), async () => (await count()) > files / 3);
  const before = await count();
  await killServer('sync up, server killed', syncUp(), async () => (await count()) > before + files / 3);
  const up = reportIn(await expectDone('sync up, to its end', syncUp()));
  expect(up.done + up.same).toBe(files);
  expect(up.done).toBeLessThan(files / 2);

  const syncDown = () =>
    start('objstore', 'object', 'sync', 'down', 'big/x', '--download', '--json', '--quiet');
  const down = () =>
    readdirSync(cwd, { recursive: true }).filter((name) => /^down.*bin$/.test(String(name))).length;
  await killClient('sync down, killed', syncDown(), () => down() > files / 3);
  await killServer('sync down, server killed', syncDown(), () => down() > (files * 2) / 3);
  const last = reportIn(await expectDone('sync down, to its end', syncDown()));
  expect(last.done + last.same).toBe(files);
  expect(last.done).toBeLessThan(files / 2);
  for (let at = 0; at < files; at += 1) {
    const [sent, got] = ['up', 'down'].map((side) => readFileSync(join(cwd, side, nameOf(at))));
    expect(got?.equals(sent ?? Buffer.alloc(0)), nameOf(at)).toBe(true);
  }
  console.log(`the last runs moved ${up.done} (up) and ${last.done} (down) of ${files} files`);
});

function reportIn(said: string): { readonly done: number; readonly same: number } {
  const [done, equal] = ['done', 'same'].map((name) =>
    Number(new RegExp(`"${name}": ?(\\d+)`).exec(said)?.[1]),
  );
  return { done: done ?? 0, same: equal ?? 0 };
}
