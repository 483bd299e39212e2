import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BucketCall, bucketCalls } from '../sandbox/objects/test-sandbox.ts';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';
import { inSoak } from '../support/in-part.ts';
import { scratchFolder } from '../support/world.ts';
import { openWrangler, type Run, type Wrangler } from './wrangler.ts';

let place: TestSandbox;
let call: BucketCall;
let folder: string;
let wrangler: Wrangler;

beforeAll(async () => {
  folder = scratchFolder('wrangler');
  place = await openTestSandbox('over a socket');
  call = bucketCalls(place);
  const { accountId, apiToken } = place.sandbox.access();
  wrangler = openWrangler(folder, {
    CLOUDFLARE_API_BASE_URL: place.apiBaseUrl,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
  });
});
afterAll(async () => {
  await place.close();
});

function done(run: Run): Run {
  expect(run, run.said).toMatchObject({ code: 0 });
  return run;
}

describe.concurrent('the real wrangler', { timeout: 120_000 }, () => {
  inSoak(() => {
    test('wrangler creates a bucket, lists it, shows it, changes its class and deletes it', async () => {
      const options = ['--location', 'weur', '--storage-class', 'InfrequentAccess'];
      done(await wrangler('r2', 'bucket', 'create', 'from-wrangler', ...options));
      expect((await call('GET', '/from-wrangler')).envelope().result).toMatchObject({
        location: 'weur',
        storage_class: 'InfrequentAccess',
      });
      await call('PUT', '/from-wrangler/objects/k', 'twelve bytes');
      const [list, info, again, full] = await Promise.all([
        wrangler('r2', 'bucket', 'list'),
        wrangler('r2', 'bucket', 'info', 'from-wrangler', '--json'),
        wrangler('r2', 'bucket', 'create', 'from-wrangler'),
        wrangler('r2', 'bucket', 'delete', 'from-wrangler'),
      ]);
      expect(done(list).stdout.toString()).toContain('from-wrangler');
      expect(JSON.parse(done(info).stdout.toString())).toMatchObject({
        name: 'from-wrangler',
        object_count: '1',
        bucket_size: '12 B',
      });
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('[code: 10004]')]);
      expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('[code: 10008]')]);
      const update = ['r2', 'bucket', 'update', 'storage-class', 'from-wrangler', '-s', 'Standard'];
      done(await wrangler(...update));
      expect((await call('GET', '/from-wrangler')).envelope().result).toMatchObject({
        storage_class: 'Standard',
      });
      await call('DELETE', '/from-wrangler/objects/k');
      done(await wrangler('r2', 'bucket', 'delete', 'from-wrangler'));
      const missing = await wrangler('r2', 'bucket', 'info', 'from-wrangler');
      expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('[code: 10006]')]);
    });
  });

  test('wrangler puts, gets and deletes objects with their metadata', async () => {
    await call('POST', '', { json: { name: 'objects' } });
    const bytes = randomBytes(5_000_000);
    const source = join(folder, 'source.bin');
    const target = join(folder, 'target.bin');
    await writeFile(source, bytes);
    const metadata = [
      ...['--content-type', 'image/png', '--content-disposition', 'inline', '--content-language', 'de'],
      ...['--cache-control', 'max-age=60', '--expires', 'Fri, 01 Jan 2027 00:00:00 GMT'],
      ...['--storage-class', 'InfrequentAccess'],
    ];
    done(
      await wrangler('r2', 'object', 'put', 'objects/a/b c.png', '--file', source, '--remote', ...metadata),
    );
    const [row] = (await call('GET', '/objects/objects')).envelope<object[]>().result ?? [];
    expect(row).toMatchObject({
      key: 'a/b c.png',
      size: bytes.length,
      http_metadata: {
        contentType: 'image/png',
        contentDisposition: 'inline',
        contentLanguage: 'de',
        cacheControl: 'max-age=60',
        cacheExpiry: '2027-01-01T00:00:00.000Z',
      },
      storage_class: 'InfrequentAccess',
    });
    done(await wrangler('r2', 'object', 'get', 'objects/a/b c.png', '--file', target, '--remote'));
    expect((await readFile(target)).equals(bytes)).toBe(true);
    // The test runs wrangler twice, because wrangler ends its standard output, and one process runs wrangler for many tests.
    for (const _ of ['once', 'again']) {
      const piped = done(await wrangler('r2', 'object', 'get', 'objects/a/b c.png', '--pipe', '--remote'));
      expect(piped.stdout.equals(bytes)).toBe(true);
    }
    done(await wrangler('r2', 'object', 'delete', 'objects/a/b c.png', '--remote'));
    expect((await call('GET', '/objects/objects')).envelope().result).toEqual([]);
    const [missing, nowhere] = await Promise.all([
      wrangler('r2', 'object', 'get', 'objects/a/b c.png', '--file', join(folder, 'none'), '--remote'),
      wrangler('r2', 'object', 'put', 'nowhere/k', '--file', source, '--remote'),
    ]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('key does not exist')]);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('bucket does not exist')]);
    expect(existsSync(target)).toBe(true);
  });
});
