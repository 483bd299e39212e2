import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/run.ts';
import { openDownload } from '../../../src/services/objects/download.ts';
import { walkFolder } from '../../../src/services/objects/folder.ts';
import { type OpenObject, readObjectEntry, writeObject } from '../../../src/services/objects/objects.ts';
import { removeKeys } from '../../../src/services/objects/remove.ts';
import { checkedBytes } from '../../../src/services/objects/save.ts';
import { uploadFiles } from '../../../src/services/objects/upload.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { openObjectStore } from '../../../src/store/objects/disk.ts';
import { refused } from '../../../src/v4/envelope.ts';
import type { Call, Send } from '../../../src/v4/send.ts';
import { bucketCalls } from '../../sandbox/objects/test-sandbox.ts';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { chunks } from '../../store/objects-scratch.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';
import { commandAt } from '../command-at.ts';

const md5 = (text: string | Uint8Array) => createHash('md5').update(text).digest('hex');

function opened(text: string, size = text.length, etag: string | undefined = md5(text)): OpenObject {
  return { body: chunks(text), size, etag, contentType: undefined };
}

describe('a download', () => {
  const world = testWorld();

  const save = async (folder: string, object: OpenObject) => {
    const file = await openDownload(world, { name: join(folder, 'file'), ifThere: 'replace' });
    await file.write(checkedBytes(world, 'k', object));
  };

  it('replaces a file only after all bytes have arrived', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), 'old', { mode: 0o640 });
    await save(folder, opened('new'));
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it.each([
    ['is cut', () => opened('half', 8), 'unreachable'],
    ['is longer than announced', () => opened('twice', 3), 'unreachable'],
    ['has other bytes than its etag', () => opened('other', 5, md5('right')), 'refused'],
  ])('leaves the file unchanged and creates no other file if it %s', async (_, object, code) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), 'old');
    await expect(save(folder, object())).rejects.toMatchObject({ code });
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is not compared with an etag that is not an MD5, or is missing', async () => {
    const folder = scratchFolder();
    await save(folder, opened('parts', 5, `${md5('x')}-3`));
    await save(folder, opened('unknown', 7, undefined));
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('unknown');
  });

  it('writes through a link to its file', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'real'), 'old');
    symlinkSync('real', join(folder, 'file'));
    await save(folder, opened('new'));
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('new');
  });

  it('names the file that cannot be written', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'no-folder'), '');
    const name = join(folder, 'no-folder', 'file');
    await expect(openDownload(world, { name, ifThere: 'replace', makesFolders: true })).rejects.toThrow(
      `Cannot write ${name}: ${join(folder, 'no-folder')} is a file, not a folder.`,
    );
  });

  it('stops on an interruption, and leaves nothing', async () => {
    const folder = scratchFolder();
    const interruption = new AbortController();
    const interrupted = testWorld({ interrupted: interruption.signal });
    async function* endless() {
      for (;;) {
        yield Buffer.alloc(1000);
        interruption.abort();
      }
    }
    const file = await openDownload(interrupted, { name: join(folder, 'file'), ifThere: 'replace' });
    const bytes = checkedBytes(interrupted, 'k', { ...opened('x'), body: endless() });
    await expect(file.write(bytes)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function localSession(wrap: (send: Send) => Send): Promise<Session> {
  const choice = { ...plainChoice, local: true, persistTo: 'data' };
  const session = await openSession(testWorld(), choice, { note: () => undefined });
  return { ...session, send: wrap(session.send) };
}

test('refuses an upload if the platform has stored bytes that differ from the sent bytes', async () => {
  const session = await localSession((send) => async (call) => {
    const answer = await send(call);
    return call.method === 'PUT'
      ? {
          ...answer,
          body: Buffer.from(
            Buffer.from(answer.body as Uint8Array)
              .toString()
              .replace(md5('x'), md5('y')),
          ),
        }
      : answer;
  });
  const object = { size: 1, open: () => chunks('x') };
  await expect(writeObject(session, { bucket: 'b', key: 'k' }, object)).rejects.toThrow(
    'stored different bytes',
  );
  await session.close();
});

test('deletes many keys one by one if the platform has no route for several keys', async () => {
  const calls: Call[] = [];
  const session = await localSession((send) => async (call) => {
    calls.push(call);
    return call.method === 'DELETE' && call.path.endsWith('/objects')
      ? refused(405, 10405, 'method not allowed')
      : send(call);
  });
  const keys = ['a', 'b/c', 'd'];
  for (const key of keys)
    await writeObject(session, { bucket: 'b', key }, { size: 1, open: () => chunks('x') });
  await removeKeys(session, 'b', keys);
  const removed = calls.filter(({ method, path }) => method === 'DELETE' && !path.endsWith('/objects'));
  expect(removed.map(({ path }) => path.split('/objects/')[1]).sort()).toEqual(['a', 'b%2Fc', 'd']);
  await session.close();
});

test('deletes the other keys before it reports a key that cannot be in a path', async () => {
  const session = await localSession((send) => async (call) => {
    return call.method === 'DELETE' && call.path.endsWith('/objects')
      ? refused(400, 10020, 'The specified object name is not valid.')
      : send(call);
  });
  await writeObject(session, { bucket: 'bin', key: 'a' }, { size: 1, open: () => chunks('x') });
  await expect(removeKeys(session, 'bin', ['', 'a'])).rejects.toMatchObject({ code: 'partly-done' });
  await expect(readObjectEntry(session, { bucket: 'bin', key: 'a' })).resolves.toBe(undefined);
  await session.close();
});

test('deletes an object with an empty key from local data', async () => {
  const cwd = scratchFolder();
  const store = openObjectStore(join(cwd, 'data'), testWorld());
  await store.write('bin', { key: '', body: chunks('x'), httpMetadata: {}, customMetadata: {} }, 1);
  store.close();
  const flags = ['--recursive', '--yes', '--local', '--persist-to', 'data'];
  const world = testWorld({ argv: ['objstore', 'object', 'delete', 'bin', ...flags], cwd });
  expect(await runCommandLine(world, async () => 1)).toBe(0);
  expect(openObjectStore(join(cwd, 'data'), testWorld()).usage('bin').objects).toBe(0);
});

test('reads and empties a local bucket whose name no platform would accept', async () => {
  const cwd = scratchFolder();
  const store = openObjectStore(join(cwd, 'data'), testWorld());
  const object = { key: 'k', body: chunks('x'), httpMetadata: {}, customMetadata: {} };
  await store.write('MY_BUCKET', object, 1);
  store.close();
  for (const [argv, code] of [
    [['get', 'MY_BUCKET/k'], 0],
    [['delete', 'MY_BUCKET/k'], 0],
    [['get', 'MY_BUCKET/k'], 3],
  ] as const) {
    const place = ['--local', '--persist-to', 'data'];
    const world = testWorld({ argv: ['objstore', 'object', ...argv, ...place], cwd });
    expect(await runCommandLine(world, async () => 1)).toBe(code);
  }
});

test('keeps every name in custom metadata, including names of built-in object members', async () => {
  const cwd = scratchFolder();
  const store = openObjectStore(join(cwd, 'data'), testWorld());
  const object = {
    key: 'k',
    body: chunks('x'),
    httpMetadata: {},
    customMetadata: { constructor: 'y', plan: 'z' },
  };
  await store.write('bin', object, 1);
  store.close();
  const world = testWorld({
    argv: ['objstore', 'object', 'list', 'bin', '--metadata', '--json', '--local', '--persist-to', 'data'],
    cwd,
  });
  expect(await runCommandLine(world, async () => 1)).toBe(0);
  expect(JSON.stringify(JSON.parse(world.outText()))).toContain('{"constructor":"y","plan":"z"}');
});

describe('objects over a socket', () => {
  let place: TestSandbox;
  beforeAll(async () => {
    place = await openTestSandbox('over a socket');
    await bucketCalls(place)('POST', '', { json: { name: 'assets' } });
  });
  afterAll(() => place.close());

  test.each([
    ['object', 'delete', 'keyless', '--recursive', '--yes'],
    ['bucket', 'delete', 'keyless', '--empty-first', '--yes'],
  ])('are deleted by objstore %s %s, including an object with an empty key', async (...argv) => {
    await bucketCalls(place)('POST', '', { json: { name: 'keyless' } });
    for (const key of ['', '..', 'a', 'b']) {
      const object = { key, body: chunks('x'), httpMetadata: {}, customMetadata: {} };
      await place.sandbox.platform.objects().write('keyless', object, 1);
    }
    expect(await commandAt(place, scratchFolder(), ['objstore', ...argv])).toMatchObject({ code: 0 });
    expect(place.sandbox.platform.objects().usage('keyless').objects).toBe(0);
  });

  test('are returned unchanged if their bytes are stored as gzip', async () => {
    const cwd = scratchFolder();
    const bytes = randomBytes(1000);
    writeFileSync(join(cwd, 'in.gz'), bytes);
    const put = ['objstore', 'object', 'put', 'assets/gz', '--path', 'in.gz', '--content-encoding', 'gzip'];
    expect(await commandAt(place, cwd, put)).toMatchObject({ code: 0 });
    const get = ['objstore', 'object', 'get', 'assets/gz', '--file', 'out.gz'];
    expect(await commandAt(place, cwd, get)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'out.gz')).equals(bytes)).toBe(true);
  });

  test('uploads and downloads a folder with unusual names unchanged, except names that cannot be files', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up/sub folder'), { recursive: true });
    const files = ['a#?%2F.txt', 'sub folder/😀.bin', 'empty', '...', 'back\\slash'];
    for (const name of files)
      writeFileSync(join(cwd, 'up', name), name === 'empty' ? '' : randomBytes(70_000));
    symlinkSync('/etc/passwd', join(cwd, 'up/link'));
    const up = ['objstore', 'object', 'put', 'assets/dir', '--path', 'up', '--recursive'];
    const ran = await commandAt(place, cwd, up);
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('Skipped entries in up') });
    expect(ran.err).not.toContain('slash');
    for (const key of ['/etc/x', 'dir//x', 'dir/../y']) {
      await bucketCalls(place)('PUT', `/assets/objects/${encodeURIComponent(key)}`, 'x');
    }
    const down = ['objstore', 'object', 'get', 'assets/dir', '--recursive', '--file', 'down'];
    const left = join(cwd, 'down/sub folder/.edgectl-0123456789abcdef.tmp');
    mkdirSync(dirname(left), { recursive: true });
    writeFileSync(left, 'of a process that was killed the day before yesterday');
    utimesSync(left, 0, 0);
    expect(await commandAt(place, cwd, down)).toMatchObject({ code: 6 });
    const tree = readdirSync(join(cwd, 'down'), { recursive: true }).map(String).sort();
    expect(tree).toEqual(['sub folder', ...files].sort());
    for (const name of files) {
      expect(readFileSync(join(cwd, 'down', name)).equals(readFileSync(join(cwd, 'up', name)))).toBe(true);
    }
    expect(readdirSync(cwd).sort()).toEqual(['down', 'up']);
  });

  test('uploads a folder except non-UTF-8 names and special files, each named with the reason', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up'));
    const bytes = (name: number[]) => Buffer.concat([Buffer.from(`${cwd}/up/`), Buffer.from(name)]);
    writeFileSync(bytes([0x66, 0xff]), 'x');
    mkdirSync(bytes([0x64, 0xfe]));
    writeFileSync(join(cwd, 'up/line\nbreak'), 'x');
    writeFileSync(join(cwd, 'up/mov'), 'x');
    symlinkSync('mov', join(cwd, 'up/link'));
    const up = ['objstore', 'object', 'put', 'assets/odd', '--path', 'up', '--recursive'];
    const { code, err } = await commandAt(place, cwd, up);
    expect(code).toBe(0);
    expect(err).toContain('Skipped entries in up: 3.');
    expect(err).toContain('"d\ufffd": its name is not UTF-8.');
    expect(err).toContain('"f\ufffd": its name is not UTF-8.');
    expect(err).toContain('"link": it is a link.');
    expect(err).toMatch(/break" cannot be downloaded with --recursive \(it contains a control character\)\./);
    const json = JSON.parse((await commandAt(place, cwd, [...up, '--json'])).out);
    expect(json.leftOut).toContainEqual({ name: 'link', why: 'it is a link' });
    const get = ['objstore', 'object', 'get', 'assets/odd/mov', '--metadata'];
    expect(JSON.parse((await commandAt(place, cwd, get)).out).httpMetadata.contentType).toBe(
      'application/octet-stream',
    );
  });

  test('reports a file by its name in the folder if the file disappears during the upload', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up'));
    for (const name of ['gone', 'here']) writeFileSync(join(cwd, 'up', name), 'x');
    const session = await localSession((send) => send);
    const { files } = await walkFolder(join(cwd, 'up'), 'up');
    rmSync(join(cwd, 'up/gone'));
    const uploads = files.map((file) => ({ file, key: file.name }));
    const { done, failures } = await uploadFiles(session, 'bin', uploads, () => ({}), {
      progress() {},
      warn() {},
    });
    expect([done, failures.map(({ problem }) => problem.message)]).toEqual([1, ['File not found: gone.']]);
    await session.close();
  });

  test('a sync to a bucket names the links that it skips', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up'));
    writeFileSync(join(cwd, 'up/file'), 'x');
    symlinkSync('file', join(cwd, 'up/link'));
    const sync = ['objstore', 'object', 'sync', 'up', 'assets/synced'];
    expect((await commandAt(place, cwd, sync)).err).toContain('"link": it is a link.');
    const json = JSON.parse((await commandAt(place, cwd, [...sync, '--dry-run', '--json'])).out);
    expect(json).toMatchObject({ same: 1, leftOut: [{ name: 'link', why: 'it is a link' }] });
  });

  test('a sync to a folder fails for an object with the name of a link, and names folder markers', async () => {
    const cwd = scratchFolder();
    for (const key of ['taken/a', 'taken/b', 'taken/sub/']) {
      await bucketCalls(place)('PUT', `/assets/objects/${encodeURIComponent(key)}`, 'x');
    }
    mkdirSync(join(cwd, 'down'));
    symlinkSync('elsewhere', join(cwd, 'down/a'));
    const sync = ['objstore', 'object', 'sync', 'down', 'assets/taken', '--download'];
    const { code, out, err } = await commandAt(place, cwd, [...sync, '--json']);
    expect(code).toBe(6);
    const { failed, leftOut } = JSON.parse(out);
    expect(failed).toEqual([
      {
        key: 'taken/a',
        error: expect.objectContaining({ message: expect.stringContaining('a is a link or a device') }),
      },
    ]);
    expect(leftOut).toEqual([{ name: 'sub/', why: 'it is a folder marker' }]);
    expect(err).toContain('partly-done');
    expect(readdirSync(join(cwd, 'down')).sort()).toEqual(['a', 'b']);
    // All other objects already exist.
    expect(await commandAt(place, cwd, sync)).toMatchObject({ code: 6 });
  });

  test('reports a missing folder before any request', async () => {
    const sync = ['objstore', 'object', 'sync', 'nodir', 'assets/p'];
    const { code, err } = await commandAt(place, scratchFolder(), sync);
    expect([code, err]).toEqual([2, 'error: Cannot read the folder nodir: no such file or directory.\n']);
  });

  test('reports a missing file as one sentence', async () => {
    const put = ['objstore', 'object', 'put', 'assets/p', '--path', 'nosuch'];
    const { code, err } = await commandAt(place, scratchFolder(), put);
    expect([code, err]).toEqual([2, 'error: File not found: nosuch.\n']);
  });

  test('never follows a link out of the folder during a download', async () => {
    const cwd = scratchFolder();
    const outside = scratchFolder();
    mkdirSync(join(cwd, 'down'));
    symlinkSync(outside, join(cwd, 'down/sub'));
    await bucketCalls(place)('PUT', '/assets/objects/links%2Fsub%2Fx', 'x');
    const down = ['objstore', 'object', 'get', 'assets/links', '--recursive', '--file', 'down'];
    const ran = await commandAt(place, cwd, down);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('points outside the folder') });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('refuses a file larger than any object before any request', async () => {
    const cwd = scratchFolder();
    const large = join(cwd, 'large');
    writeFileSync(large, '');
    truncateSync(large, 5 * 1024 ** 4 + 1);
    const ran = await commandAt(place, cwd, ['objstore', 'object', 'put', 'assets/large', '--path', 'large']);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('5,497,558,138,880') });
  });
});

test('leaves the file unchanged if the platform interrupts a download', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-length': '1000', etag: `"${md5('x')}"` });
    response.write('half of it');
    setImmediate(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'file'), 'old');
  const { port } = server.address() as AddressInfo;
  const env = {
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
    EDGECTL_API_TOKEN: 'token',
  };
  const world = testWorld({
    argv: ['objstore', 'object', 'get', 'bin/k', '--file', 'file', '--force'],
    cwd,
    env,
  });
  expect(await runCommandLine(world, async () => 1)).toBe(1);
  expect(world.errText()).toMatch(/was interrupted|1000 bytes/);
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('old');
  expect(readdirSync(cwd)).toEqual(['file']);
  server.close();
});

test('repeats a complete upload after a 503', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    // edgectl first checks whether an object with this name exists.
    const isList = request.method === 'GET';
    if (!isList) bodies.push(Buffer.concat(parts).toString());
    const isFirst = !isList && bodies.length === 1;
    response.writeHead(isFirst ? 503 : 200, { 'content-type': 'application/json' });
    const result = isList ? [] : { key: 'k', etag: md5('content') };
    response.end(JSON.stringify({ success: !isFirst, result, errors: [], messages: [] }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cwd = scratchFolder();
  const { port } = server.address() as AddressInfo;
  const env = {
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
    EDGECTL_API_TOKEN: 'token',
  };
  const argv = ['objstore', 'object', 'put', 'bin/k', '--path', '-'];
  const world = testWorld({ argv, cwd, env, stdin: 'content' });
  expect(await runCommandLine(world, async () => 1)).toBe(0);
  expect(bodies).toEqual(['content', 'content']);
  // Only the audit log is left, without a copy of the content.
  expect(readdirSync(world.folders.state)).toEqual(['audit']);
  server.close();
});
