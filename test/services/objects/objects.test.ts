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

  it('takes the place of a file when all has arrived', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), 'old', { mode: 0o640 });
    await save(folder, opened('new'));
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it.each([
    ['is cut', () => opened('half', 8), 'unreachable'],
    ['is longer than told', () => opened('twice', 3), 'unreachable'],
    ['has other bytes than its etag', () => opened('other', 5, md5('right')), 'refused'],
  ])('that %s leaves the file as it was, and no other one', async (_, object, code) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), 'old');
    await expect(save(folder, object())).rejects.toMatchObject({ code });
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is not held against an etag that is no MD5, or none', async () => {
    const folder = scratchFolder();
    await save(folder, opened('parts', 5, `${md5('x')}-3`));
    await save(folder, opened('unknown', 7, undefined));
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('unknown');
  });

  it('goes through a link to the file behind it', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'real'), 'old');
    symlinkSync('real', join(folder, 'file'));
    await save(folder, opened('new'));
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('new');
  });

  it('that cannot be written names the file', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'no-folder'), '');
    const name = join(folder, 'no-folder', 'file');
    await expect(openDownload(world, { name, ifThere: 'replace', makesFolders: true })).rejects.toThrow(
      `Cannot write ${name}: ${join(folder, 'no-folder')} is a file, not a folder.`,
    );
  });

  it('stops when the program is interrupted, and leaves nothing', async () => {
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

test('an upload is refused when the platform stored different bytes than were sent', async () => {
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

test('many keys are removed one by one where the platform has no route for many', async () => {
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

test('a key that no path can name is told, after the rest is removed, where the platform does not take it', async () => {
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

test('local data let go of an object under an empty key', async () => {
  const cwd = scratchFolder();
  const store = openObjectStore(join(cwd, 'data'), testWorld());
  await store.write('bin', { key: '', body: chunks('x'), httpMetadata: {}, customMetadata: {} }, 1);
  store.close();
  const flags = ['--recursive', '--yes', '--local', '--persist-to', 'data'];
  const world = testWorld({ argv: ['objstore', 'object', 'delete', 'bin', ...flags], cwd });
  expect(await runCommandLine(world, async () => 1)).toBe(0);
  expect(openObjectStore(join(cwd, 'data'), testWorld()).usage('bin').objects).toBe(0);
});

test('a local bucket whose name no platform takes can be read and emptied', async () => {
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

test('custom metadata keep every name, also those that objects have already', async () => {
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

describe('over a socket', () => {
  let place: TestSandbox;
  beforeAll(async () => {
    place = await openTestSandbox('over a socket');
    await bucketCalls(place)('POST', '', { json: { name: 'assets' } });
  });
  afterAll(() => place.close());

  test.each([
    ['object', 'delete', 'keyless', '--recursive', '--yes'],
    ['bucket', 'delete', 'keyless', '--empty-first', '--yes'],
  ])('objstore %s %s removes an object under an empty key with the others', async (...argv) => {
    await bucketCalls(place)('POST', '', { json: { name: 'keyless' } });
    for (const key of ['', '..', 'a', 'b']) {
      const object = { key, body: chunks('x'), httpMetadata: {}, customMetadata: {} };
      await place.sandbox.platform.objects().write('keyless', object, 1);
    }
    expect(await commandAt(place, scratchFolder(), ['objstore', ...argv])).toMatchObject({ code: 0 });
    expect(place.sandbox.platform.objects().usage('keyless').objects).toBe(0);
  });

  test('bytes stored as gzip are handed out as they are stored', async () => {
    const cwd = scratchFolder();
    const bytes = randomBytes(1000);
    writeFileSync(join(cwd, 'in.gz'), bytes);
    const put = ['objstore', 'object', 'put', 'assets/gz', '--path', 'in.gz', '--content-encoding', 'gzip'];
    expect(await commandAt(place, cwd, put)).toMatchObject({ code: 0 });
    const get = ['objstore', 'object', 'get', 'assets/gz', '--file', 'out.gz'];
    expect(await commandAt(place, cwd, get)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'out.gz')).equals(bytes)).toBe(true);
  });

  test('a folder goes up and comes down as it was, with odd names, past what cannot be a file', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up/sub folder'), { recursive: true });
    const files = ['a#?%2F.txt', 'sub folder/😀.bin', 'empty', '...', 'back\\slash'];
    for (const name of files)
      writeFileSync(join(cwd, 'up', name), name === 'empty' ? '' : randomBytes(70_000));
    symlinkSync('/etc/passwd', join(cwd, 'up/link'));
    const up = ['objstore', 'object', 'put', 'assets/dir', '--path', 'up', '--recursive'];
    const ran = await commandAt(place, cwd, up);
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('Skipped in up') });
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

  test('a folder goes up but for what has no name in UTF-8 and is no file, each named with the reason', async () => {
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
    expect(err).toContain('Skipped in up: 3.');
    expect(err).toContain('"d\ufffd": its name is not UTF-8.');
    expect(err).toContain('"f\ufffd": its name is not UTF-8.');
    expect(err).toContain('"link": it is a link.');
    expect(err).toMatch(/break" cannot be downloaded recursively, .*: it contains a control character\./);
    const json = JSON.parse((await commandAt(place, cwd, [...up, '--json'])).out);
    expect(json.leftOut).toContainEqual({ name: 'link', why: 'it is a link' });
    const get = ['objstore', 'object', 'get', 'assets/odd/mov', '--metadata'];
    expect(JSON.parse((await commandAt(place, cwd, get)).out).httpMetadata.contentType).toBe(
      'application/octet-stream',
    );
  });

  test('a file that vanishes while a folder goes up is told by its name in the folder', async () => {
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
    expect([done, failures.map(({ problem }) => problem.message)]).toEqual([1, ['There is no file gone.']]);
    await session.close();
  });

  test('a sync up names the links that it leaves out', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'up'));
    writeFileSync(join(cwd, 'up/file'), 'x');
    symlinkSync('file', join(cwd, 'up/link'));
    const sync = ['objstore', 'object', 'sync', 'up', 'assets/synced'];
    expect((await commandAt(place, cwd, sync)).err).toContain('"link": it is a link.');
    const json = JSON.parse((await commandAt(place, cwd, [...sync, '--dry-run', '--json'])).out);
    expect(json).toMatchObject({ same: 1, leftOut: [{ name: 'link', why: 'it is a link' }] });
  });

  test('a sync down fails an object whose place a link has, and names markers of folders', async () => {
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
    // Everything else is there already now.
    expect(await commandAt(place, cwd, sync)).toMatchObject({ code: 6 });
  });

  test('a folder that is missing is told before the platform is asked', async () => {
    const sync = ['objstore', 'object', 'sync', 'nodir', 'assets/p'];
    const { code, err } = await commandAt(place, scratchFolder(), sync);
    expect([code, err]).toEqual([2, 'error: Cannot read the folder nodir: no such file or directory.\n']);
  });

  test('a file that is missing is told in plain words', async () => {
    const put = ['objstore', 'object', 'put', 'assets/p', '--path', 'nosuch'];
    const { code, err } = await commandAt(place, scratchFolder(), put);
    expect([code, err]).toEqual([2, 'error: There is no file nosuch.\n']);
  });

  test('no download goes through a link that leaves the folder', async () => {
    const cwd = scratchFolder();
    const outside = scratchFolder();
    mkdirSync(join(cwd, 'down'));
    symlinkSync(outside, join(cwd, 'down/sub'));
    await bucketCalls(place)('PUT', '/assets/objects/links%2Fsub%2Fx', 'x');
    const down = ['objstore', 'object', 'get', 'assets/links', '--recursive', '--file', 'down'];
    const ran = await commandAt(place, cwd, down);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('points elsewhere') });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a file larger than any object is refused before anything is sent', async () => {
    const cwd = scratchFolder();
    const large = join(cwd, 'large');
    writeFileSync(large, '');
    truncateSync(large, 5 * 1024 ** 4 + 1);
    const ran = await commandAt(place, cwd, ['objstore', 'object', 'put', 'assets/large', '--path', 'large']);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('5,497,558,138,880') });
  });
});

test('a download that the platform cuts leaves the file as it was', async () => {
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
  expect(world.errText()).toMatch(/was cut|1000 bytes/);
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('old');
  expect(readdirSync(cwd)).toEqual(['file']);
  server.close();
});

test('an upload that is answered with 503 is sent again, whole', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    // Whether there is such an object is asked first.
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
  expect(readdirSync(world.folders.state)).toEqual([]);
  server.close();
});
