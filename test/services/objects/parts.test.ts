import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ObjectAddress, ObjectEntry } from '../../../src/model/objects/object.ts';
import type { FaultRequest } from '../../../src/model/sandbox/fault.ts';
import { type ServedS3, serveS3 } from '../../../src/sandbox/s3/serve.ts';
import { readObject, readObjectEntry, type StoredObject } from '../../../src/services/objects/objects.ts';
import { callS3 } from '../../../src/services/objects/parts/calls.ts';
import { copyInParts } from '../../../src/services/objects/parts/copy.ts';
import { writeInParts } from '../../../src/services/objects/parts/upload.ts';
import { presignObject } from '../../../src/services/objects/presign.ts';
import { openObjectSource } from '../../../src/services/objects/source.ts';
import { openSync } from '../../../src/services/objects/sync.ts';
import { Transfer } from '../../../src/services/objects/transfer.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { type Choice, plainChoice, type Session } from '../../../src/services/session/session.ts';
import { type Call, readBody, type Send } from '../../../src/v4/send.ts';
import { isS3Endpoint } from '../../../src/v4/wire.ts';
import { bucketCalls } from '../../sandbox/objects/test-sandbox.ts';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const mebibyte = 1024 * 1024;
const least = 5 * mebibyte;
const bytes = randomBytes(least * 2 + 1000);
const quiet = { progress: () => undefined, warn: () => undefined };
const md5 = (data: Uint8Array) => createHash('md5').update(data).digest('hex');

let place: TestSandbox;
let served: ServedS3;
let home: string;
let cwd: string;
let to: ObjectAddress;
let buckets = 0;
const notes: string[] = [];
beforeAll(async () => {
  place = await openTestSandbox('over a socket', { now: () => Date.now() });
  served = await serveS3(place.sandbox, { port: 0 });
});
// A test leaves no state for the next test: each test can be run alone, and repeatedly.
beforeEach(async () => {
  home = scratchFolder('home');
  cwd = scratchFolder('cwd');
  writeFileSync(join(cwd, 'file'), bytes);
  notes.splice(0);
  buckets += 1;
  to = { bucket: `large-${buckets}`, key: 'a b/ä+1.bin' };
  place.sandbox.platform.served = { s3Endpoint: served.endpoint };
  place.sandbox.platform.traffic?.faults.clear();
  await bucketCalls(place)('POST', '', { json: { name: to.bucket } });
});
afterAll(async () => {
  await served.close();
  await place.close();
});

async function sessionAt(
  choice: Partial<Choice> = {},
  env: Record<string, string> = {},
  interrupted?: AbortSignal,
): Promise<Session> {
  const { accountId, apiToken } = place.sandbox.access();
  const own = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const world = testWorld({
    cwd,
    env: { ...own, ...env },
    folders: foldersIn(home),
    ...(interrupted && { interrupted }),
  });
  return openSession(world, { ...plainChoice, ...choice }, { note: (note) => notes.push(note) });
}

/** Uploads the file through `wrap`, and returns the stored object and the parts that were sent. */
async function upload(
  session: Session,
  wrap: (send: Send) => Send = (send) => send,
  { contentType = 'x/y', least: smallest = least } = {},
) {
  const parts: string[] = [];
  const watched: Send = (call) => {
    const part = call.method === 'PUT' ? /partNumber=(\d+)/.exec(call.path)?.[1] : undefined;
    if (part !== undefined) parts.push(part);
    return session.send(call);
  };
  const source = await openObjectSource(session.world, 'file');
  const transfer = new Transfer(session, quiet, 'uploading', 0);
  const metadata = { httpMetadata: { contentType }, customMetadata: { Owner: 'ä' } };
  const stored = writeInParts({ ...session, send: wrap(watched) }, to, source, metadata, transfer, smallest);
  const ended = await stored.catch((error: Error): StoredObject | Error => error);
  return { parts, stored: ended, done: transfer.done };
}

const cutAt = (number: number) => (send: Send) => async (call: Call) => {
  if (call.path.includes(`partNumber=${number}`)) throw new Error('cut');
  return send(call);
};

const noted = () => readdirSync(join(home, 'state', 'uploads'));

async function readBytes(session: Session, key = to.key): Promise<Uint8Array> {
  const opened = await readObject(session, { ...to, key });
  return readBody(opened?.body ?? new Uint8Array(0));
}

test('refuses the second of two concurrent uploads of a file to one object, and completes the first', async () => {
  const sessions = [await sessionAt(), await sessionAt()] as const;
  const [one, other] = await Promise.all(sessions.map((session) => upload(session)));
  const ended = [one?.stored, other?.stored];
  expect(ended.filter((stored) => stored instanceof Error)).toMatchObject([
    { code: 'refused', message: 'Another edgectl process is uploading the same file to "a b/ä+1.bin".' },
  ]);
  expect(Buffer.compare(await readBytes(sessions[0]), bytes)).toBe(0);
  expect(noted()).toEqual([]);
});

test('resumes an interrupted upload without resending parts with the same bytes', async () => {
  const session = await sessionAt();
  expect((await upload(session, cutAt(3))).stored).toMatchObject({ message: 'cut' });
  expect(noted()).toHaveLength(1);
  expect(notes.at(-1)).toContain(`2 parts of "${to.key}" in bucket "${to.bucket}"`);
  expect(await readObjectEntry(session, to)).toBeUndefined();
  // One byte of an uploaded part is changed, so that part is sent again.
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(join(cwd, 'file'), bytes);
  const { parts, stored } = await upload(session);
  expect(parts.sort()).toEqual(['1', '3']);
  expect(notes.join()).toContain('2 of 3 parts done');
  expect(stored).toMatchObject({ size: bytes.length, etag: expect.stringMatching(/-3$/) });
  expect(md5(await readBytes(session))).toBe(md5(bytes));
  expect(await readObjectEntry(session, to)).toMatchObject({
    httpMetadata: { contentType: 'x/y' },
    customMetadata: { owner: 'ä' },
  });
  expect(noted()).toEqual([]);
  await session.close();
});

const underWay = () => place.sandbox.platform.objects().uploads(to.bucket, (uploads) => uploads.list(''));

test('does not resume an upload with different metadata', async () => {
  const session = await sessionAt();
  expect((await upload(session, cutAt(3), { contentType: 'old/type' })).stored).toMatchObject({
    message: 'cut',
  });
  expect(underWay()).toHaveLength(1);
  expect((await upload(session)).stored).toMatchObject({ size: bytes.length });
  expect(await readObjectEntry(session, to)).toMatchObject({ httpMetadata: { contentType: 'x/y' } });
  expect(underWay()).toEqual([]);
  await session.close();
});

test('leaves no parts after an interrupted copy', async () => {
  const control = new AbortController();
  const session = await sessionAt({}, {}, control.signal);
  const entry = await stored(session);
  const transfer = new Transfer(session, quiet, 'copying', 0);
  const send: Send = async (call) => {
    if (call.path.includes('partNumber=1')) control.abort();
    return session.send(call);
  };
  const copied = copyInParts({ ...session, send }, to, { ...to, key: 'copy' }, entry, transfer);
  await expect(copied).rejects.toThrow();
  expect(underWay()).toEqual([]);
  await session.close();
});

test('copies an object in parts within the platform, and creates links with which anyone can read and store it', async () => {
  const session = await sessionAt();
  const entry = await stored(session);
  const transfer = new Transfer(session, quiet, 'copying', 0);
  await copyInParts(session, to, { ...to, key: 'copy' }, entry, transfer, least);
  expect(md5(await readBytes(session, 'copy'))).toBe(md5(bytes));
  const changed = copyInParts(session, to, { ...to, key: 'x' }, { ...entry, etag: 'other' }, transfer);
  await expect(changed).rejects.toThrow('changed while it was being copied');
  const read = await presignObject(session, to, { method: 'get', seconds: 60 });
  const answer = await fetch(read.url);
  expect(md5(Buffer.from(await answer.arrayBuffer()))).toBe(md5(bytes));
  expect((await fetch(read.url, { method: 'PUT', body: 'x' })).status).toBe(403);
  const store = await presignObject(session, { ...to, key: 'new' }, { method: 'put', seconds: 60 });
  expect((await fetch(store.url, { method: 'PUT', body: 'hello' })).status).toBe(200);
  expect(Buffer.from(await readBytes(session, 'new')).toString()).toBe('hello');
  await session.close();
});

test('explains why a link cannot be created', async () => {
  const link = async (choice: Partial<Choice>, seconds = 60, method: 'get' | 'put' = 'get') => {
    const session = await sessionAt(choice);
    const made = presignObject(session, to, { method, seconds });
    await made.catch(() => session.close());
    return made;
  };
  await expect(link({}, 604_801)).rejects.toThrow('1 week');
  await expect(link({ readOnly: true }, 60, 'put')).rejects.toThrow('Read-only');
  await expect(link({ local: true })).rejects.toMatchObject({ hint: expect.stringContaining('local data') });
  await expect(link({ profile: 'sandbox' })).rejects.toMatchObject({
    message: 'A link requires a server, and no server is running here.',
    remedy: { kind: 'start-sandbox' },
  });
  const stranger = await sessionAt({}, { R2_ACCESS_KEY_ID: 'x', R2_SECRET_ACCESS_KEY: 'y' });
  expect((await fetch((await presignObject(stranger, to, { method: 'get', seconds: 9 })).url)).status).toBe(
    403,
  );
  expect((await upload(stranger)).stored).toMatchObject({ code: 'not-signed-in' });
  await stranger.close();
});

test('uses access keys from AWS_* for this platform if their endpoint matches', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'theirs', AWS_SECRET_ACCESS_KEY: 'x' };
  const other = await sessionAt({}, { ...keys, AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' });
  const found = await other.s3Access();
  expect([found.endpoint, found.key.id]).toEqual([served.endpoint, expect.not.stringContaining('theirs')]);
  const own = await sessionAt({}, { ...keys, AWS_ENDPOINT_URL_S3: `${served.endpoint}/` });
  expect(await own.s3Access()).toEqual({ endpoint: served.endpoint, key: { id: 'theirs', secret: 'x' } });
  for (const session of [other, own]) await session.close();
  const account = 'https://0a1b.r2.cloudflarestorage.com';
  expect(isS3Endpoint('https://0a1b.eu.r2.cloudflarestorage.com', account)).toBe(true);
  expect(isS3Endpoint('https://ffff.r2.cloudflarestorage.com', account)).toBe(false);
});

test('looks up the S3 endpoint again after a failure', async () => {
  const { platform } = place.sandbox;
  const session = await sessionAt();
  const before = platform.served;
  platform.served = undefined;
  await expect(session.s3Access()).rejects.toThrow('The S3 endpoint of');
  platform.served = before;
  expect(await session.s3Access()).toMatchObject({ endpoint: served.endpoint });
  await session.close();
});

test('reports a refusal with an unknown error code as a refusal', async () => {
  const session = await sessionAt();
  const body = Buffer.from('<Error><Code>constructor</Code><Message>x</Message></Error>');
  const asked = callS3(
    { ...session, send: async () => ({ status: 400, headers: {}, body }) },
    { method: 'GET', address: to },
  );
  await expect(asked).rejects.toMatchObject({ code: 'refused', message: 'x (constructor).' });
  await session.close();
});

/** Returns the messages about existing parts. */
const ofParts = () => notes.filter((note) => !note.startsWith('Names of custom metadata'));

/** The file has two parts; the second part has ten bytes. */
const short = bytes.subarray(0, least + 10);

/** Opens local data in this process, with a file of two parts. */
async function openLocal(): Promise<Session> {
  writeFileSync(join(cwd, 'file'), short);
  const session = await sessionAt({ local: true, persistTo: 'data' });
  onTestFinished(() => session.close());
  return session;
}

test('stores objects in local data in parts, without a server, and counts existing parts as done', async () => {
  const session = await openLocal();
  expect((await upload(session, cutAt(1))).stored).toMatchObject({ message: 'cut' });
  expect(ofParts()).toEqual([
    `Kept 1 part of "${to.key}" in bucket "${to.bucket}": the next upload of this file to this key resumes with these parts.`,
  ]);
  // An upload continues with the part size that it started with.
  const { stored, parts, done } = await upload(session, undefined, { least: 2 * least });
  expect({ stored, parts, done }).toEqual({
    stored: { key: to.key, size: short.length, etag: expect.stringMatching(/-2$/) },
    parts: ['1'],
    done: short.length,
  });
  expect(md5(await readBytes(session))).toBe(md5(short));
  expect(ofParts().slice(1)).toEqual([`Resuming the interrupted upload of "${to.key}": 1 of 2 parts done.`]);
});

test('restarts an upload that the platform has ended', async () => {
  const session = await openLocal();
  await upload(session, cutAt(1));
  const ended = (send: Send): Send => {
    let isEnded = false;
    return async (call) => {
      if (!isEnded && call.method === 'GET') await send({ ...call, method: 'DELETE' });
      isEnded = true;
      return send(call);
    };
  };
  const { stored, parts } = await upload(session, ended);
  expect({ stored, parts: parts.sort() }).toEqual({
    stored: { key: to.key, size: short.length, etag: expect.stringMatching(/-2$/) },
    parts: ['1', '2'],
  });
  expect(md5(await readBytes(session))).toBe(md5(short));
  expect(ofParts()).toHaveLength(1);
});

test('resends a part if the platform has other bytes for that part', async () => {
  const session = await openLocal();
  await upload(session, cutAt(2));
  const replacing = (send: Send): Send => {
    let isReplaced = false;
    return async (call) => {
      if (!isReplaced && call.method === 'GET') {
        const part = call.path.replace('part-number-marker=0', 'partNumber=1');
        await session.send({ ...call, method: 'PUT', path: part, body: Buffer.from('theirs') });
      }
      isReplaced = true;
      return send(call);
    };
  };
  expect((await upload(session, replacing)).parts.sort()).toEqual(['1', '2']);
  expect(md5(await readBytes(session))).toBe(md5(short));
});

test('refuses a part whose bytes changed in transit, and continues with the other parts', async () => {
  const session = await openLocal();
  const flipping =
    (send: Send): Send =>
    async (call) => {
      if (!call.path.includes('partNumber=2')) return send(call);
      return send({ ...call, body: Buffer.alloc(10) });
    };
  expect((await upload(session, flipping)).stored).toMatchObject({
    message: expect.stringContaining('BadDigest'),
  });
  expect((await upload(session)).parts).toEqual(['2']);
  expect(md5(await readBytes(session))).toBe(md5(short));
});

test('ends an upload for a part without an etag, a file that became shorter, and Ctrl-C', async () => {
  const control = new AbortController();
  const session = await openLocal();
  const nameless =
    (send: Send): Send =>
    async (call) => {
      const answer = await send(call);
      return call.method === 'PUT' ? { ...answer, headers: {} } : answer;
    };
  expect((await upload(session, nameless)).stored).toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/^The platform returned no etag for part \d of "/),
  });
  expect(ofParts()).toEqual([]);
  const shortening =
    (send: Send): Send =>
    async (call) => {
      truncateSync(join(cwd, 'file'), least + 9);
      return send(call);
    };
  expect((await upload(session, shortening)).stored).toMatchObject({
    code: 'refused',
    message: 'file became shorter while it was being uploaded.',
    hint: 'Upload the file again.',
  });
  const world = { ...session.world, interrupted: control.signal };
  const stopping =
    (send: Send): Send =>
    async (call) => {
      control.abort();
      return send(call);
    };
  const stopped = await upload({ ...session, world }, stopping);
  expect({ ...stopped, stored: stopped.stored }).toMatchObject({ parts: [], stored: { name: 'AbortError' } });
});

test('completes an upload despite refusals and interruptions of the S3 API', async () => {
  const { traffic } = place.sandbox.platform;
  const session = await sessionAt();
  const fault = (request: FaultRequest) => traffic?.faults.add(request);
  fault({ match: 'POST s3:/large-*/**', cut: 'before', times: 1 });
  fault({ match: 'PUT s3:/large-*/**', status: 503, times: 2 });
  fault({ match: 'PUT s3:/large-*/**', cut: 'after', times: 3 });
  let begun = false;
  const { stored } = await upload(session, (send) => (call) => {
    if (call.method === 'PUT' && !begun) fault({ match: 'POST s3:/large-*/**', cut: 'after', times: 1 });
    begun ||= call.method === 'PUT';
    return send(call);
  });
  expect(stored).toMatchObject({ size: bytes.length, etag: expect.stringMatching(/-3$/) });
  expect(traffic?.faults.list().map(({ met: hits }) => hits)).toEqual([1, 2, 3, 1]);
  expect(md5(await readBytes(session))).toBe(md5(bytes));
  traffic?.faults.clear();
  await session.close();
});

// An object created by a multipart upload has no MD5 to compare. `aws s3 sync` documents the rule: a file is uploaded if it is newer than
// the object, and an object is downloaded if it is newer than the file.
test.each([
  ['upload', 'newer than', 'file'],
  ['upload', 'older than', undefined],
  ['upload', 'as old as', undefined],
  ['download', 'newer than', undefined],
  ['download', 'older than', 'file'],
  ['download', 'as old as', undefined],
] as const)('an $0 sync with a file $1 an object in parts transfers $2', async (direction, age, moved) => {
  const session = await sessionAt();
  const key = 'synced/file';
  writeFileSync(join(cwd, 'file'), 'short');
  const { uploaded } = await stored(session, key);
  const folder = join(cwd, 'synced');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), 'short');
  const seconds = (uploaded + { 'newer than': 2000, 'older than': -2000, 'as old as': 0 }[age]) / 1000;
  utimesSync(join(folder, 'file'), seconds, seconds);
  const sides = { folder, folderName: 'synced', bucket: to.bucket, prefix: 'synced/' };
  const sync = await openSync(session, sides, direction, () => ({}), quiet);
  expect(sync.steps.map(({ action, name }) => ({ action, name }))).toEqual(
    moved === undefined ? [] : [{ action: direction, name: moved }],
  );
  await session.close();
});

/** Stores the file as an object, with a multipart upload. */
async function stored(session: Session, key = to.key): Promise<ObjectEntry> {
  const source = await openObjectSource(session.world, 'file');
  const transfer = new Transfer(session, quiet, 'uploading', 0);
  await writeInParts(session, { ...to, key }, source, {}, transfer);
  const entry = await readObjectEntry(session, { ...to, key });
  if (entry === undefined) throw new Error('It is not there.');
  return entry;
}
