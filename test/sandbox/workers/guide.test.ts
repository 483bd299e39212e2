import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { traces } from '../../../src/model/traces.ts';
import type { RunnableWorker, WorkerBinding } from '../../../src/model/workers/worker.ts';
import { openRuntime, type Runtime } from '../../../src/sandbox/workers/runtime.ts';
import { bundleWorker } from '../../../src/services/workers/bundle.ts';
import { scratchFolder } from '../../support/world.ts';
import { type VisitRequest, visitEdge } from './test-sandbox.ts';

const example = join(import.meta.dirname, '../../../examples/bucket-worker');
const secret = 'a pre-shared secret';
const bucket: WorkerBinding = { type: 'r2_bucket', name: 'MY_BUCKET', bucket_name: 'pictures' };

/** A worker through which the test stores objects with metadata, deletes all objects, and lists the bucket. */
const back = `export default { async fetch(request, env) {
  const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
  if (request.method === 'PUT') {
    await env.MY_BUCKET.put(key, await request.arrayBuffer(), { httpMetadata: request.headers });
  } else if (request.method === 'DELETE') {
    await env.MY_BUCKET.delete((await env.MY_BUCKET.list()).objects.map((object) => object.key));
  }
  return Response.json((await env.MY_BUCKET.list()).objects.map((object) => object.key));
} }`;

let runtime: Runtime;
/** The system's folder for temporary files. */
let temporary: string;

beforeAll(async () => {
  temporary = scratchFolder('temporary');
  const persistRoot = scratchFolder('guide');
  vi.stubEnv('TMPDIR', temporary);
  const guarded = (name: string, bindings: readonly WorkerBinding[]) =>
    exampleWorker(name, 'index.ts', [bucket, ...bindings]);
  runtime = openRuntime({ persistRoot });
  await runtime.run([
    await guarded('guarded', [{ type: 'secret_text', name: 'AUTH_KEY_SECRET', text: secret }]),
    await guarded('unset', []),
    await guarded('empty', [{ type: 'secret_text', name: 'AUTH_KEY_SECRET', text: '' }]),
    await exampleWorker('open', 'objects.ts', [bucket]),
    {
      name: 'back',
      code: {
        format: 'modules',
        entry: 'back.js',
        modules: [{ name: 'back.js', kind: 'esm', content: Buffer.from(back) }],
      },
      compatibilityDate: '2026-11-01',
      compatibilityFlags: [],
      bindings: [bucket],
    },
  ]);
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await runtime.close();
  expect(readdirSync(temporary)).toEqual([]);
});
beforeEach(async () => {
  await visit('back', '/', { method: 'DELETE' });
});

async function exampleWorker(
  name: string,
  file: string,
  bindings: readonly WorkerBinding[],
): Promise<RunnableWorker> {
  const { code } = await bundleWorker(join(example, 'src', file), example);
  return { name, code, compatibilityDate: '2026-11-01', compatibilityFlags: [], bindings };
}

function visit(worker: string, path: string, request: VisitRequest = {}) {
  return visitEdge(runtime.findPort(worker) ?? 0, 'example.com', path, request);
}

const key = (text: string) => ({ 'X-Custom-Auth-Key': text });
const textType = 'text/plain;charset=UTF-8';
const inBucket = async () => JSON.parse((await visit('back', '/')).text);
const put = (path: string, body: string, headers: Record<string, string> = {}) =>
  visit('back', path, { method: 'PUT', body, headers });

test('stores the temporary files of Miniflare in a private folder that docs/traces.md lists', () => {
  const [name = '', ...others] = readdirSync(temporary);
  expect(others).toEqual([]);
  expect(name).toMatch(/^edgectl-workers-/);
  expect(traces.find((trace) => trace.name === 'workers')?.paths).toEqual(['edgectl-workers-*/**']);
  expect(statSync(join(temporary, name)).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(temporary, name))).toEqual([expect.stringMatching(/^miniflare-/)]);
});

/** Returns a response of type text/plain, with exactly these headers and the length of the body. */
function plain(status: number, text: string, headers: Record<string, string> = {}) {
  const length = String(Buffer.byteLength(text));
  return { status, text, headers: { 'content-type': textType, 'content-length': length, ...headers } };
}

const forbidden = plain(403, 'Forbidden');

test('the example is valid TypeScript under its own settings', () => {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const check = () => execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', example]);
  expect(check).not.toThrow();
});

describe('the guarded worker', () => {
  test('stores the body of a PUT with the secret under the path', async () => {
    const request = { method: 'PUT', body: 'meow', headers: key(secret) };
    expect(await visit('guarded', '/cat-pic.jpg', request)).toEqual(
      plain(200, 'Put cat-pic.jpg successfully!'),
    );
    expect(await inBucket()).toEqual(['cat-pic.jpg']);
  });

  test.each([
    ['without the header', {}],
    ['with another value', key('another')],
    ['with characters after the secret', key(`${secret}x`)],
    ['with a part of the secret', key(secret.slice(0, -1))],
    ['with the secret in other case', key(secret.toUpperCase())],
    ['with an empty header', key('')],
  ])('the guarded worker refuses PUT and DELETE %s, and changes nothing', async (_, headers) => {
    await put('/cat-pic.jpg', 'meow');
    expect(await visit('guarded', '/dog.jpg', { method: 'PUT', body: 'woof', headers })).toEqual(forbidden);
    expect(await visit('guarded', '/cat-pic.jpg', { method: 'DELETE', headers })).toEqual(forbidden);
    expect(await inBucket()).toEqual(['cat-pic.jpg']);
  });

  test.each(['unset', 'empty'])(
    'the guarded worker forbids writes and deletes while the secret is %s',
    async (worker) => {
      await put('/cat-pic.jpg', 'meow');
      for (const headers of [{}, key(''), key('undefined'), key(secret)]) {
        expect(await visit(worker, '/x', { method: 'PUT', body: 'x', headers })).toEqual(forbidden);
        expect(await visit(worker, '/cat-pic.jpg', { method: 'DELETE', headers })).toEqual(forbidden);
      }
      expect(await inBucket()).toEqual(['cat-pic.jpg']);
      expect((await visit(worker, '/cat-pic.jpg')).status).toBe(200);
    },
  );

  test('the guarded worker answers GET of an allowed key with the body, the stored metadata and the etag', async () => {
    const stored = {
      'content-type': 'image/jpeg',
      'content-language': 'en',
      'content-disposition': 'inline',
      'cache-control': 'max-age=60',
    };
    await put('/cat-pic.jpg', 'meow', stored);
    const etag = `"${createHash('md5').update('meow').digest('hex')}"`;
    expect(await visit('guarded', '/cat-pic.jpg')).toEqual({
      status: 200,
      headers: { ...stored, etag, 'content-length': '4' },
      text: 'meow',
    });
  });

  test('returns 404 for GET of an allowed key without an object', async () => {
    expect(await visit('guarded', '/cat-pic.jpg')).toEqual(plain(404, 'Object Not Found'));
  });

  test.each(['/', '/dog.jpg', '/cat-pic.jpg/', '/cat-pic%2Ejpg', '/CAT-PIC.JPG', '//cat-pic.jpg'])(
    'the guarded worker forbids GET %s, even with the secret',
    async (path) => {
      await put('/dog.jpg', 'woof');
      expect(await visit('guarded', path)).toEqual(forbidden);
      expect(await visit('guarded', path, { headers: key(secret) })).toEqual(forbidden);
    },
  );

  test('deletes the object on DELETE with the secret', async () => {
    await put('/cat-pic.jpg', 'meow');
    const request = { method: 'DELETE', headers: key(secret) };
    expect(await visit('guarded', '/cat-pic.jpg', request)).toEqual(plain(200, 'Deleted!'));
    expect(await inBucket()).toEqual([]);
  });

  test('forbids a path without a key if the secret is missing, and rejects it with the secret', async () => {
    for (const method of ['PUT', 'DELETE']) {
      expect(await visit('guarded', '/', { method })).toEqual(forbidden);
      const { status } = await visit('guarded', '/', { method, headers: key(secret) });
      expect(status).toBe(400);
    }
    expect(await inBucket()).toEqual([]);
  });

  test.each(['POST', 'PATCH', 'OPTIONS', 'PROPFIND'])(
    'forbids %s, even with the secret, before it could return 405',
    async (method) => {
      expect(await visit('guarded', '/cat-pic.jpg', { method, headers: key(secret) })).toEqual(forbidden);
    },
  );

  test('forbids HEAD of an allowed key', async () => {
    await put('/cat-pic.jpg', 'meow');
    expect(await visit('guarded', '/cat-pic.jpg', { method: 'HEAD' })).toEqual({ ...forbidden, text: '' });
  });
});

describe('the unguarded worker', () => {
  test('lets any client put, get and delete', async () => {
    expect(await visit('open', '/a/b.txt', { method: 'PUT', body: 'one' })).toEqual(
      plain(200, 'Put a/b.txt successfully!'),
    );
    const etag = `"${createHash('md5').update('one').digest('hex')}"`;
    expect(await visit('open', '/a/b.txt')).toEqual({
      status: 200,
      headers: { etag, 'content-length': '3' },
      text: 'one',
    });
    expect(await visit('open', '/a/b.txt', { method: 'DELETE' })).toEqual(plain(200, 'Deleted!'));
    expect(await visit('open', '/a/b.txt')).toEqual(plain(404, 'Object Not Found'));
  });

  test('rejects a path without a key and stores nothing', async () => {
    await put('/cat-pic.jpg', 'meow');
    const refused = plain(400, 'Bad Request: the path names no key');
    expect(await visit('open', '/', { method: 'PUT', body: 'x' })).toEqual(refused);
    expect(await visit('open', '/', { method: 'DELETE' })).toEqual(refused);
    expect(await visit('open', '/')).toEqual(plain(404, 'Object Not Found'));
    expect(await inBucket()).toEqual(['cat-pic.jpg']);
  });

  test('accepts the deletion of a missing object', async () => {
    expect(await visit('open', '/nothing', { method: 'DELETE' })).toEqual(plain(200, 'Deleted!'));
  });

  test('stores an empty object for a PUT without a body', async () => {
    await visit('open', '/empty', { method: 'PUT' });
    expect(await visit('open', '/empty')).toMatchObject({ status: 200, text: '' });
  });

  test('uses the path as sent, not decoded, as the key', async () => {
    for (const path of ['/with%20space', '/caf%C3%A9', '/a%2Fb', '/q?query=left-out']) {
      const sent = path.slice(1).replace(/\?.*/, '');
      const { text } = await visit('open', path, { method: 'PUT', body: path });
      expect(text).toBe(`Put ${sent} successfully!`);
    }
    expect((await inBucket()).sort()).toEqual(['a%2Fb', 'caf%C3%A9', 'q', 'with%20space']);
  });

  test.each(['POST', 'PATCH', 'OPTIONS', 'PROPFIND'])('does not allow %s', async (method) => {
    expect(await visit('open', '/cat-pic.jpg', { method })).toEqual(
      plain(405, 'Method Not Allowed', { allow: 'PUT, GET, DELETE' }),
    );
  });

  test('does not allow HEAD', async () => {
    const expected = plain(405, '', { allow: 'PUT, GET, DELETE', 'content-length': '18' });
    expect(await visit('open', '/cat-pic.jpg', { method: 'HEAD' })).toEqual(expected);
  });
});
