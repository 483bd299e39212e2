import { expect, test } from 'vitest';
import { createBucket, listAllBuckets, readBucket } from '../../../src/services/objects/buckets.ts';
import { writeObject } from '../../../src/services/objects/objects.ts';
import { withJurisdictions } from '../../../src/services/session/jurisdictions.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { ok, refusedAll } from '../../../src/v4/envelope.ts';
import { type Call, openStream } from '../../../src/v4/send.ts';
import { s3EndpointIn } from '../../../src/v4/wire.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const header = 'cf-r2-jurisdiction';
const missing = refusedAll(404, [{ code: 10006, message: 'The specified bucket does not exist.' }]);

/** Creates a platform on which each bucket has one jurisdiction, and records the calls. */
function platform(buckets: Readonly<Record<string, string>>) {
  const calls: string[] = [];
  const { send, find } = withJurisdictions(async (call) => {
    const jurisdiction = call.headers[header] ?? 'default';
    calls.push(`${call.method} ${call.path} ${jurisdiction}`);
    const [, name = ''] = /\/buckets\/([^/?]+)/.exec(call.path) ?? [];
    return buckets[name] === jurisdiction ? ok({}) : missing;
  });
  return { send, find, calls };
}

const get = (path: string): Call => ({ method: 'GET', path, headers: {}, repeatable: true });

test('finds a bucket in another jurisdiction, and saves that jurisdiction', async () => {
  const { send, find, calls } = platform({ assets: 'us' });
  const path = '/accounts/a/r2/buckets/assets/objects';
  expect((await send(get(path))).status).toBe(200);
  expect(find('assets')).toBe('us');
  expect(calls).toEqual([
    `GET ${path} default`,
    'GET /accounts/a/r2/buckets/assets default',
    'GET /accounts/a/r2/buckets/assets eu',
    'GET /accounts/a/r2/buckets/assets us',
    `GET ${path} us`,
  ]);
  calls.length = 0;
  await send(get(path));
  expect(calls).toEqual([`GET ${path} us`]);
});

test('reports a bucket that exists in no jurisdiction with the error of the platform', async () => {
  const { send, find, calls } = platform({});
  const answer = await send(get('/accounts/a/r2/buckets/gone'));
  expect([answer.status, Buffer.from(answer.body as Uint8Array).toString()]).toEqual([
    404,
    expect.stringContaining('10006'),
  ]);
  expect([find('gone'), calls.length]).toEqual([undefined, 5]);
});

test('searches again for a bucket that was recreated in another jurisdiction', async () => {
  const buckets: Record<string, string> = { assets: 'eu' };
  const { send, find } = platform(buckets);
  const read = get('/accounts/a/r2/buckets/assets');
  await send(read);
  buckets['assets'] = 'default';
  expect((await send(read)).status).toBe(200);
  expect(find('assets')).toBeUndefined();
});

test('searches once for calls that are sent concurrently', async () => {
  const { send, calls } = platform({ assets: 'fedramp' });
  const path = '/accounts/a/r2/buckets/assets';
  await Promise.all([1, 2, 3].map((key) => send(get(`${path}/objects/${key}`))));
  expect(calls.filter((call) => call === `GET ${path} us`)).toHaveLength(1);
});

test('sends calls without a bucket, and calls that name a jurisdiction, unchanged', async () => {
  const { send, calls } = platform({ assets: 'eu' });
  await send({ ...get('/accounts/a/r2/buckets/assets'), headers: { [header]: 'us' } });
  await send(get('/accounts/a/r2/buckets?per_page=1000'));
  expect(calls).toEqual([
    'GET /accounts/a/r2/buckets/assets us',
    'GET /accounts/a/r2/buckets?per_page=1000 default',
  ]);
});

async function withSession<T>(folder: string, work: (session: Session) => Promise<T>): Promise<T> {
  const choice = { ...plainChoice, profile: 'sandbox', sandboxDir: folder };
  const session = await openSession(testWorld(), choice, { note: () => undefined });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

test('creates, lists and uses a bucket of a jurisdiction', async () => {
  const folder = scratchFolder('sandbox');
  await withSession(folder, async (session) => {
    expect(await createBucket(session, 'european', { jurisdiction: 'eu' })).toMatchObject({
      jurisdiction: 'eu',
    });
    await createBucket(session, 'anywhere');
  });
  // Another process does not know the jurisdiction that the first process found.
  await withSession(folder, async (session) => {
    const open = () => openStream(Buffer.from('x'));
    const address = { bucket: 'european', key: 'k' };
    await writeObject(session, address, { open, size: 1, httpMetadata: {}, customMetadata: {} });
    expect(await readBucket(session, 'european')).toMatchObject({ jurisdiction: 'eu' });
  });
  await withSession(folder, async (session) => {
    const names: string[] = [];
    for await (const page of listAllBuckets(session))
      names.push(...page.map(({ name, jurisdiction }) => `${name} ${jurisdiction}`));
    expect(names).toEqual(['anywhere default', 'european eu']);
  });
});

// Source: "Data location", section on jurisdictions with the S3 API.
test('uses a separate S3 API endpoint for each jurisdiction', () => {
  const account = '0f'.repeat(16);
  const endpoint = `https://${account}.r2.cloudflarestorage.com`;
  expect(s3EndpointIn(endpoint, 'eu')).toBe(`https://${account}.eu.r2.cloudflarestorage.com`);
  expect(s3EndpointIn('https://minio.example', 'eu')).toBe('https://minio.example');
});
