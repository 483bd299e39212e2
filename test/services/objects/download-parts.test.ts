import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isRegularFile, type RegularFile } from '../../../src/files/output-file.ts';
import { Problem } from '../../../src/model/problem.ts';
import { type ServedS3, serveS3 } from '../../../src/sandbox/s3/serve.ts';
import { openDownload } from '../../../src/services/objects/download.ts';
import { fetchObject } from '../../../src/services/objects/fetch.ts';
import { readObjectEntry } from '../../../src/services/objects/objects.ts';
import { comesInParts, readInParts } from '../../../src/services/objects/parts/download.ts';
import { Transfer } from '../../../src/services/objects/transfer.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { type Call, readBody, type Send } from '../../../src/v4/send.ts';
import { bucketCalls } from '../../sandbox/objects/test-sandbox.ts';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const mebibyte = 1024 * 1024;
const bytes = randomBytes(mebibyte * 2 + 1000);
const address = { bucket: 'large', key: 'a b/ä+1.bin' };
const quiet = { progress: () => undefined, warn: () => undefined };

let place: TestSandbox;
let served: ServedS3;
let session: Session;
let cwd: string;
let home: string;
const notes: string[] = [];
beforeAll(async () => {
  place = await openTestSandbox('over a socket', { now: () => Date.now() });
  served = await serveS3(place.sandbox, { port: 0 });
  place.sandbox.platform.served = { s3Endpoint: served.endpoint };
  await bucketCalls(place)('POST', '', { json: { name: address.bucket } });
});
afterAll(async () => {
  await served.close();
  await place.close();
});
beforeEach(async () => {
  cwd = scratchFolder('cwd');
  home = scratchFolder('home');
  notes.splice(0);
  place.sandbox.platform.traffic?.faults.clear();
  const { accountId, apiToken } = place.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const world = testWorld({ cwd, env, folders: foldersIn(home) });
  session = await openSession(world, plainChoice, { note: (note) => notes.push(note) });
  await put(bytes);
  return () => session.close();
});

const put = (content: Buffer) =>
  bucketCalls(place)('PUT', `/${address.bucket}/objects/${encodeURIComponent(address.key)}`, content);

async function file(): Promise<RegularFile> {
  const opened = await openDownload(session.world, { name: 'out.bin', ifThere: 'replace' });
  if (!isRegularFile(opened)) throw new Error('It is not a file.');
  return opened;
}

/** Downloads the object through `wrap`, and returns the requested ranges and the failure. */
async function download(wrap: (send: Send) => Send = (send) => send, into?: RegularFile) {
  const entry = await readObjectEntry(session, address);
  const object = { address, size: bytes.length, etag: entry?.etag ?? '' };
  const ranges: (string | undefined)[] = [];
  const watched: Send = (call) => {
    if (call.headers['range'] !== undefined) ranges.push(call.headers['range']);
    return session.send(call);
  };
  const transfer = new Transfer(session, quiet, 'downloading', object.size);
  const done = readInParts(
    { ...session, send: wrap(watched) },
    object,
    into ?? (await file()),
    transfer,
    mebibyte,
  );
  const problem = await done.then(() => undefined).catch((error: Error) => error);
  return { ranges: ranges.sort(), failure: problem?.message, problem, done: transfer.done };
}

const md5 = (data: Uint8Array) => createHash('md5').update(data).digest('hex');
const out = () => readFileSync(join(cwd, 'out.bin'));
const left = () => readdirSync(cwd).filter((name) => name.endsWith('.part'));
const noted = () => readdirSync(join(home, 'state', 'downloads'));
const noteFile = () => join(home, 'state', 'downloads', noted().find((name) => name.endsWith('.json')) ?? '');
const cutAt =
  (start: number, error = new Error('cut')) =>
  (send: Send) =>
  async (call: Call) => {
    if (call.headers['range']?.startsWith(`bytes=${start}-`)) throw error;
    return send(call);
  };

test('resumes an interrupted download without requesting complete parts again', async () => {
  expect(await download(cutAt(2 * mebibyte))).toMatchObject({ failure: 'cut' });
  expect([left().length, noted().length, existsSync(join(cwd, 'out.bin'))]).toEqual([1, 1, false]);
  expect(notes.at(-1)).toContain('Kept 2 parts of "a b/ä+1.bin" next to the file');
  // One byte of a received part is changed, so that part is requested again.
  await using part = await open(join(cwd, left()[0] ?? ''), 'r+');
  await part.write(Buffer.from([(bytes[0] ?? 0) ^ 1]), 0, 1, 0);
  const { ranges, failure, done } = await download();
  expect(failure).toBeUndefined();
  expect(ranges).toEqual([`bytes=0-${mebibyte - 1}`, `bytes=${2 * mebibyte}-${bytes.length - 1}`]);
  expect(notes.join()).toContain('2 of 3 parts done');
  expect(md5(out())).toBe(md5(bytes));
  expect([left(), noted(), done]).toEqual([[], [], bytes.length]);
});

test('resumes a download that was interrupted days ago', async () => {
  await download(cutAt(2 * mebibyte));
  const before = new Date(session.world.now() - 2 * 24 * 60 * 60 * 1000);
  utimesSync(join(cwd, left()[0] ?? ''), before, before);
  const { ranges, failure } = await download();
  expect([failure, ranges.length, md5(out())]).toEqual([undefined, 1, md5(bytes)]);
});

test('deletes all parts of other downloads that have not changed for more than a week, in any folder', async () => {
  await download(cutAt(2 * mebibyte));
  const forgotten = noteFile();
  const [old = ''] = left();
  // A note must not be able to name files that are not parts.
  const forged = join(home, 'state', 'downloads', 'forged.json');
  const head = { file: 'mine', folder: cwd, partSize: 1, etag: '' };
  writeFileSync(forged, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  writeFileSync(join(cwd, 'mine'), '');
  const cwdBefore = cwd;
  cwd = scratchFolder('elsewhere');
  session = { ...session, world: { ...session.world, cwd } };
  const after = async (days: number) => {
    const then = new Date(session.world.now() - days * 24 * 60 * 60 * 1000);
    for (const note of [forgotten, forged]) utimesSync(note, then, then);
    expect(await download()).toMatchObject({ failure: undefined });
    return [...readdirSync(cwdBefore).sort(), existsSync(forgotten)];
  };
  expect(await after(7)).toEqual([old, 'mine', true]);
  expect(await after(9)).toEqual(['mine', false]);
});

test('keeps the bytes of all attempts of a download that is interrupted repeatedly', async () => {
  const both = (send: Send) => cutAt(mebibyte)(cutAt(2 * mebibyte)(send));
  expect(await download(both)).toMatchObject({ failure: 'cut' });
  expect(notes).toEqual([
    'Kept 1 part of "a b/ä+1.bin" next to the file: the next download to this file resumes with these parts.',
  ]);
  expect(await download(cutAt(2 * mebibyte))).toMatchObject({ failure: 'cut' });
  expect(notes.at(-1)).toMatch(/^Kept 2 parts /);
  // An attempt that receives no new data keeps the earlier parts.
  expect(await download(cutAt(2 * mebibyte))).toMatchObject({ failure: 'cut', ranges: [] });
  expect(notes.at(-1)).toMatch(/^Kept 2 parts /);
  // Bytes appended to the parts do not belong to the object.
  appendFileSync(join(cwd, left()[0] ?? ''), Buffer.alloc(mebibyte));
  const last = `bytes=${2 * mebibyte}-${bytes.length - 1}`;
  expect(await download()).toMatchObject({ failure: undefined, ranges: [last], done: bytes.length });
  expect(md5(out())).toBe(md5(bytes));
});

test.each([
  ['not-found', 0],
  ['invalid-input', 0],
  ['unavailable', 2],
  ['interrupted', 2],
] as const)('after a failure with the code %s, keeps %i parts', async (code, count) => {
  const { failure } = await download(cutAt(2 * mebibyte, new Problem(code, 'No.')));
  expect([failure, left().length, noted().length]).toEqual(['No.', ...(count ? [1, 1] : [0, 0])]);
  expect(notes).toHaveLength(count ? 1 : 0);
});

/** Creates a file on a disk that reads and writes a few bytes at a time, and counts the bytes read. */
function onSlowDisk(opened: RegularFile) {
  const disk = { read: 0 };
  const slow = (handle: FileHandle): FileHandle =>
    Object.create(handle, {
      write: {
        value: (chunk: Uint8Array, offset: number, length: number, at: number) =>
          handle.write(chunk, offset, Math.min(length, 20_000), at),
      },
      read: {
        value: async (buffer: Uint8Array, offset: number, length: number, at: number) => {
          // The last part has 1,000 bytes, so its last read returns a single byte.
          const maximum = at < 2 * mebibyte ? 100_000 : 111;
          const found = await handle.read(buffer, offset, Math.min(length, maximum), at);
          disk.read += found.bytesRead;
          return found;
        },
      },
      truncate: { value: (length: number) => handle.truncate(length) },
    });
  const file: RegularFile = {
    ...opened,
    assemble: (leaving, fill) =>
      opened.assemble(leaving, (assembled) => fill({ ...assembled, file: slow(assembled.file) })),
  };
  return { file, disk };
}

test('writes and compares all bytes on a disk that handles a few bytes at a time', async () => {
  const first = onSlowDisk(await file());
  expect((await download(cutAt(0), first.file)).failure).toBe('cut');
  expect(first.disk.read).toBe(0);
  appendFileSync(join(cwd, left()[0] ?? ''), 'more');
  const { file: opened, disk } = onSlowDisk(await file());
  const { failure, ranges } = await download(undefined, opened);
  expect([failure, ranges, md5(out())]).toEqual([undefined, [`bytes=0-${mebibyte - 1}`], md5(bytes)]);
  // The download reads the two parts that had arrived, and then the whole object.
  expect(disk.read).toBe(mebibyte + 1000 + bytes.length);
});

test('leaves nothing if the file cannot be created', async () => {
  const opened = await file();
  rmSync(cwd, { recursive: true });
  expect((await download(undefined, opened)).failure).toMatch(/^Cannot write out.bin: /);
  expect([notes, noted()]).toEqual([[], []]);
});

test('removes a saved note of a download that is incomplete, old, or writable by others, and keeps the files that the note names', async () => {
  await download(cutAt(2 * mebibyte));
  const [part = ''] = left();
  const old = new Date(session.world.now() - 9 * 24 * 60 * 60 * 1000);
  const doubted = noteFile();
  chmodSync(doubted, 0o666);
  const half = join(home, 'state', 'downloads', 'half.json');
  writeFileSync(half, '{"file"', { mode: 0o600 });
  for (const note of [doubted, half]) utimesSync(note, old, old);
  const cwdBefore = cwd;
  cwd = scratchFolder('elsewhere');
  session = { ...session, world: { ...session.world, cwd } };
  expect(await download()).toMatchObject({ failure: undefined });
  expect([noted(), readdirSync(cwdBefore)]).toEqual([[], [part]]);
});

test('refuses bytes of a range or object that was not requested', async () => {
  const answering = (headers: Record<string, string>) => (send: Send) => async (call: Call) => {
    const answer = await send(call);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  };
  const { failure } = await download(answering({ 'content-range': `bytes 0-9/${bytes.length}` }));
  expect(failure).toMatch(
    /^The response for "a b\/ä\+1.bin" does not contain the requested bytes \d+-\d+\.$/,
  );
  const { failure: other } = await download(answering({ etag: '"0123"' }));
  expect(other).toBe('"a b/ä+1.bin" was replaced while it was being downloaded.');
  expect([left(), noted(), existsSync(join(cwd, 'out.bin'))]).toEqual([[], [], false]);
});

/** Changes the first answer whose range begins at `start`. */
const changing = (start: number, change: (part: Uint8Array) => Uint8Array) => (send: Send) => {
  let isChanged = false;
  return async (call: Call) => {
    const answer = await send(call);
    if (isChanged || !call.headers['range']?.startsWith(`bytes=${start}-`)) return answer;
    isChanged = true;
    return { ...answer, body: change(await readBody(answer.body, bytes.length)) };
  };
};

test.each([
  ['fewer', (part: Uint8Array) => part.subarray(1)],
  ['more', (part: Uint8Array) => Buffer.concat([part, part.subarray(0, 1)])],
])('repeats the request if a part has %s bytes than requested', async (_, change) => {
  const { ranges, failure } = await download(changing(0, change));
  expect([failure, ranges.length, md5(out())]).toEqual([undefined, 4, md5(bytes)]);
});

test('gives up on a part that is too short on every attempt', async () => {
  const shortening = (send: Send) => async (call: Call) => {
    const answer = await send(call);
    return { ...answer, body: (await readBody(answer.body, bytes.length)).subarray(1) };
  };
  expect((await download(shortening)).problem).toMatchObject({
    code: 'unreachable',
    message: 'The download of "a b/ä+1.bin" was interrupted: fewer bytes were received than requested.',
    hint: 'Try again.',
  });
});

test('stops a download, and its comparison of existing parts, on Ctrl-C', async () => {
  const control = new AbortController();
  const stopping = (send: Send) => async (call: Call) => {
    const answer = await send(call);
    control.abort();
    return { ...answer, body: await readBody(answer.body, bytes.length) };
  };
  const open = session;
  session = { ...open, world: { ...open.world, interrupted: control.signal } };
  expect((await download(stopping)).problem).toMatchObject({ name: 'AbortError' });
  session = open;
  await download(cutAt(2 * mebibyte));
  session = { ...open, world: { ...open.world, interrupted: control.signal } };
  const { failure, done } = await download();
  expect([failure, done < mebibyte]).toEqual([expect.stringContaining('aborted'), true]);
  session = open;
  // The end of a remaining file may be missing.
  truncateSync(join(cwd, left()[0] ?? ''), mebibyte + 10);
  expect(await download()).toMatchObject({ failure: undefined, ranges: { length: 2 } });
  expect(md5(out())).toBe(md5(bytes));
});

test('refuses the complete bytes of a download if they do not match the etag', async () => {
  const flipped = (part: Uint8Array) => Buffer.concat([Buffer.from([(part[0] ?? 0) ^ 1]), part.subarray(1)]);
  const { failure } = await download(changing(mebibyte, flipped));
  expect(failure).toContain('do not match its etag');
  expect([left(), noted(), existsSync(join(cwd, 'out.bin'))]).toEqual([[], [], false]);
});

test('leaves nothing after a disk error, because the disk may be full', async () => {
  const full = Object.assign(new Error('no space left'), { syscall: 'write' });
  const failing = (send: Send) => async (call: Call) => {
    if (!call.headers['range']?.startsWith(`bytes=${2 * mebibyte}-`)) return send(call);
    while (noted().length === 0 || !readFileSync(noteFile(), 'utf8').includes('\n[')) await tick();
    throw full;
  };
  expect(await download(failing)).toMatchObject({ failure: 'Cannot write out.bin: no space left.' });
  expect(notes).toEqual([]);
  expect([left(), noted()]).toEqual([[], []]);
});

test('does not write to parts under another name', async () => {
  await download(cutAt(2 * mebibyte));
  linkSync(join(cwd, left()[0] ?? ''), join(cwd, 'other'));
  const before = readFileSync(join(cwd, 'other'));
  const { ranges, failure } = await download();
  expect([failure, ranges.length, md5(out())]).toEqual([undefined, 3, md5(bytes)]);
  expect(readFileSync(join(cwd, 'other')).equals(before)).toBe(true);
});

test('leaves the existing file, and nothing else, if the object is replaced during the download', async () => {
  writeFileSync(join(cwd, 'out.bin'), 'before');
  const replacing = (send: Send) => async (call: Call) => {
    if (call.headers['range']?.startsWith(`bytes=${2 * mebibyte}-`)) await put(Buffer.from('other'));
    return send(call);
  };
  const { failure } = await download(replacing);
  expect(failure).toBe('"a b/ä+1.bin" was replaced while it was being downloaded.');
  expect([out().toString(), left(), noted()]).toEqual(['before', [], []]);
});

test('leaves nothing of a download that has received no bytes', async () => {
  const failing = (send: Send) => async (call: Call) => {
    if (call.headers['range'] !== undefined) throw new Error('cut');
    return send(call);
  };
  expect(await download(failing)).toMatchObject({ failure: 'cut' });
  expect([left(), noted()]).toEqual([[], []]);
});

test('does not resume with the parts of another object', async () => {
  await download(cutAt(0));
  expect(left()).toHaveLength(1);
  const other = Buffer.from(bytes).reverse();
  await put(other);
  const { ranges, failure } = await download();
  expect([failure, ranges.length, md5(out())]).toEqual([undefined, 3, md5(other)]);
  expect(left()).toEqual([]);
});

test('retries parts that are refused or interrupted', async () => {
  const { traffic } = place.sandbox.platform;
  traffic?.faults.add({ match: 'GET s3:/large/**', status: 503, times: 1 });
  traffic?.faults.add({ match: 'GET s3:/large/**', cut: 'in', times: 3 });
  expect((await download()).failure).toBeUndefined();
  expect(traffic?.faults.list().map(({ met: hits }) => hits)).toEqual([1, 3]);
  expect(md5(out())).toBe(md5(bytes));
});

test('does not check after Ctrl-C whether parts can be used', async () => {
  const world = { ...session.world, interrupted: AbortSignal.abort() };
  const send: Send = async () => {
    throw new Error('aborted');
  };
  const object = { address, size: bytes.length, etag: 'e' };
  await expect(comesInParts({ ...session, world, send }, object, 'out')).rejects.toThrow(/was aborted/);
  expect(await comesInParts({ ...session, send }, object, 'out')).toBe(false);
});

test('refuses the second of two downloads to one file', async () => {
  let second: ReturnType<typeof download> | undefined;
  const first = await download((send) => async (call) => {
    second ??= download();
    await second;
    return send(call);
  });
  expect(first.failure).toBeUndefined();
  expect((await second)?.problem).toMatchObject({
    message: 'Another edgectl process is downloading "a b/ä+1.bin" to the same file.',
    hint: expect.stringContaining('Wait'),
  });
});

test('downloads a large object with the S3 API, or with the v4 API if the S3 API refuses', async () => {
  const apis: string[] = [];
  const fetch = async (isRefused: boolean) => {
    const send: Send = (call) => {
      apis.push(`${call.api ?? 'v4'} ${call.headers['range'] ?? ''}`);
      const headers = isRefused && call.api === 's3' ? { ...call.headers, 'if-match': '"x"' } : call.headers;
      return session.send({ ...call, headers });
    };
    const transfer = new Transfer(session, quiet, 'downloading', undefined);
    await fetchObject({ ...session, send }, address, await file(), () => transfer, mebibyte);
    expect([md5(out()), transfer.done]).toEqual([md5(bytes), bytes.length]);
  };
  await fetch(false);
  await fetch(true);
  expect(apis).toEqual(['v4 ', 's3 bytes=0-0', `s3 bytes=0-${bytes.length - 1}`, 'v4 ', 's3 bytes=0-0']);
  // If the parts cannot be recorded, the object is downloaded in one piece as well.
  const notes = join(home, 'state', 'downloads');
  rmSync(notes, { recursive: true });
  writeFileSync(notes, '');
  await fetch(false);
  rmSync(notes);
  expect(apis.slice(5)).toEqual(['v4 ']);
});
