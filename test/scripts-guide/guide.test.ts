import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VisitRequest, visitEdge } from '../sandbox/workers/test-sandbox.ts';
import { type ServedSandbox, startSandbox, userEnvironment } from '../support/program.ts';
import { runHere, runProcess } from '../support/script-programs.ts';
import { scratchFolder } from '../support/world.ts';

const home = scratchFolder('home');
const folder = join(scratchFolder('guide'), 'pictures');
const data = scratchFolder('sandbox-data');
const secret = randomBytes(24).toString('base64url');
const picture = randomBytes(5000);

let sandbox: ServedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox(['--dir', data]);
});
afterAll(() => sandbox.stop());

interface Typed {
  readonly cwd?: string;
  readonly stdin?: string;
}

/** Runs a command in the guide's folder, as a user of the sandbox. Throws if the command fails. */
async function edgectl(args: readonly string[], typed: Typed = {}, run = runHere): Promise<string> {
  const { apiBaseUrl, accountId, apiToken } = sandbox.ready;
  const env = {
    ...userEnvironment(home),
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const { code, stdout, stderr } = await run({ folder: typed.cwd ?? folder, env }, args, typed.stdin);
  if (code !== 0) throw new Error(`edgectl ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}

/** Runs the same command with the built program. */
function built(args: readonly string[], typed: Typed = {}): Promise<string> {
  return edgectl(args, typed, runProcess);
}

function call(method: string, path: string, request: VisitRequest = {}, worker = 'pictures') {
  const port = Number(new URL(sandbox.ready.edgeUrl).port);
  return visitEdge(port, `${worker}.localhost`, path, { method, ...request });
}

const authorized = { 'X-Custom-Auth-Key': secret };
const textType = 'text/plain;charset=UTF-8';

function plain(status: number, text: string, headers: Record<string, string> = {}) {
  const length = String(Buffer.byteLength(text));
  return { status, text, headers: { 'content-type': textType, 'content-length': length, ...headers } };
}

const forbidden = plain(403, 'Forbidden');
const etagOf = (content: string | Uint8Array) => `"${createHash('md5').update(content).digest('hex')}"`;

describe('the guide, in an empty folder, with nothing but edgectl', { timeout: 120_000 }, () => {
  test('creates the project and the bucket, deploys, and sets the secret', async () => {
    await built(['init', 'pictures', '--template', 'bucket-worker'], { cwd: join(folder, '..') });
    await edgectl(['objstore', 'bucket', 'create', 'my-bucket']);
    expect(await edgectl(['objstore', 'bucket', 'list'])).toContain('my-bucket');
    const { url, versionId, name } = JSON.parse(await built(['deploy', '--json']));
    expect(name).toBe('pictures');
    expect(url).toBe(sandbox.ready.edgeUrl.replace('://', '://pictures.'));
    expect(versionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('lets nobody write to the worker before the secret is set', async () => {
    for (const headers of [{}, authorized, { 'X-Custom-Auth-Key': '' }]) {
      expect(await call('PUT', '/cat-pic.jpg', { headers, body: 'x' })).toEqual(forbidden);
    }
    await built(['secret', 'put', 'AUTH_KEY_SECRET'], { stdin: `${secret}\n` });
    expect(JSON.parse(await edgectl(['secret', 'list']))).toEqual([
      { name: 'AUTH_KEY_SECRET', type: 'secret_text' },
    ]);
  });

  test('stores an object on PUT with the header, and forbids PUT with a missing or wrong header', async () => {
    const body = 'meow';
    for (const headers of [{}, { 'X-Custom-Auth-Key': 'wrong' }]) {
      expect(await call('PUT', '/cat-pic.jpg', { headers, body })).toEqual(forbidden);
    }
    expect(await call('GET', '/cat-pic.jpg')).toEqual(plain(404, 'Object Not Found'));
    expect(await call('PUT', '/cat-pic.jpg', { headers: authorized, body })).toEqual(
      plain(200, 'Put cat-pic.jpg successfully!'),
    );
    expect(await edgectl(['objstore', 'object', 'get', 'my-bucket/cat-pic.jpg'])).toBe(body);
  });

  test('returns only allowed keys on GET, to any client', async () => {
    const stored = { status: 200, text: 'meow', headers: { etag: etagOf('meow'), 'content-length': '4' } };
    expect(await call('GET', '/cat-pic.jpg')).toEqual(stored);
    expect(await call('GET', '/cat-pic.jpg', { headers: authorized })).toEqual(stored);
    await call('PUT', '/dog.jpg', { headers: authorized, body: 'woof' });
    expect(await call('GET', '/dog.jpg')).toEqual(forbidden);
    expect(await call('GET', '/dog.jpg', { headers: authorized })).toEqual(forbidden);
    expect(await call('GET', '/')).toEqual(forbidden);
  });

  test('returns the HTTP metadata that edgectl stored, and every byte, on GET', async () => {
    writeFileSync(join(folder, 'cat.jpg'), picture);
    const flags = ['--path', 'cat.jpg', '--cache-control', 'max-age=60'];
    await edgectl(['objstore', 'object', 'put', 'my-bucket/cat-pic.jpg', ...flags]);
    const answer = await call('GET', '/cat-pic.jpg');
    expect(answer).toMatchObject({ status: 200, text: picture.toString('utf8') });
    expect(answer.headers).toEqual({
      'content-type': 'image/jpeg',
      'cache-control': 'max-age=60',
      etag: etagOf(picture),
      'content-length': String(picture.length),
    });
  });

  test('forbids any other method, even with the header', async () => {
    for (const method of ['POST', 'PATCH', 'OPTIONS']) {
      expect(await call(method, '/cat-pic.jpg')).toEqual(forbidden);
      expect(await call(method, '/cat-pic.jpg', { headers: authorized })).toEqual(forbidden);
    }
    expect(await call('HEAD', '/cat-pic.jpg')).toEqual({ ...forbidden, text: '' });
  });

  test('keeps worker, secret and objects when the sandbox restarts', async () => {
    await sandbox.stop();
    sandbox = await startSandbox(['--dir', data]);
    expect((await call('GET', '/cat-pic.jpg')).headers).toMatchObject({ etag: etagOf(picture) });
    expect(await call('PUT', '/cat-pic.jpg', { headers: authorized, body: 'again' })).toMatchObject({
      status: 200,
    });
  });

  test('deletes an object on DELETE with the header, and forbids DELETE with a missing or wrong header', async () => {
    for (const headers of [{}, { 'X-Custom-Auth-Key': 'wrong' }]) {
      expect(await call('DELETE', '/cat-pic.jpg', { headers })).toEqual(forbidden);
    }
    expect((await call('GET', '/cat-pic.jpg')).status).toBe(200);
    expect(await call('DELETE', '/cat-pic.jpg', { headers: authorized })).toEqual(plain(200, 'Deleted!'));
    expect(await call('GET', '/cat-pic.jpg')).toEqual(plain(404, 'Object Not Found'));
  });

  test('serves every client in the unguarded form, and answers other methods with 405', async () => {
    await edgectl(['deploy', 'src/objects.ts', '--name', 'pictures-open']);
    const open = (method: string, path: string, request?: VisitRequest) =>
      call(method, path, request, 'pictures-open');
    expect(await open('PUT', '/a%20b', { body: 'one' })).toEqual(plain(200, 'Put a%20b successfully!'));
    expect(await open('GET', '/a%20b')).toEqual({
      status: 200,
      text: 'one',
      headers: { etag: etagOf('one'), 'content-length': '3' },
    });
    expect(await open('DELETE', '/a%20b')).toEqual(plain(200, 'Deleted!'));
    expect(await open('GET', '/a%20b')).toEqual(plain(404, 'Object Not Found'));
    for (const method of ['POST', 'PATCH', 'OPTIONS']) {
      expect(await open(method, '/a')).toEqual(
        plain(405, 'Method Not Allowed', { allow: 'PUT, GET, DELETE' }),
      );
    }
  });

  test('makes the worker reject writes after the secret is deleted', async () => {
    await edgectl(['secret', 'delete', 'AUTH_KEY_SECRET', '--yes']);
    expect(await call('PUT', '/cat-pic.jpg', { headers: authorized, body: 'x' })).toEqual(forbidden);
  });

  test('leaves no runtime running after the sandbox stops', async () => {
    const runtime = readWorkerd(sandbox.ready.pid);
    expect(await runtime).not.toEqual([]);
    const pids = await runtime;
    await sandbox.stop();
    expect(sandbox.child.exitCode).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

/** Returns the process ids of the runtimes that a process has started. */
async function readWorkerd(parent: number): Promise<number[]> {
  const child = spawn('pgrep', ['-x', 'workerd', '-P', String(parent)]);
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  await new Promise((resolve) => child.once('close', resolve));
  return Buffer.concat(out).toString().split('\n').filter(Boolean).map(Number);
}
