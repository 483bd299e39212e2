import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listBuckets } from '../../../src/services/objects/buckets.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { type BucketCall, bucketCalls } from '../../sandbox/objects/test-sandbox.ts';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { testWorld } from '../../support/world.ts';
import { commandAt } from '../command-at.ts';

let place: TestSandbox;
let call: BucketCall;
beforeAll(async () => {
  place = await openTestSandbox('over a socket');
  call = bucketCalls(place);
});
afterAll(() => place.close());

const run = (argv: readonly string[], options: Parameters<typeof commandAt>[3] = {}) =>
  commandAt(place, '/', ['objstore', ...argv], options);

test("lists all buckets, regardless of the platform's page size", async () => {
  const names = Array.from({ length: 23 }, (_, index) => `many-${index + 10}`);
  for (const name of names) await call('POST', '', { json: { name } });
  const { accountId, apiToken } = place.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const session = await openSession(testWorld({ env }), plainChoice, { note: () => undefined });
  let pages = 0;
  const send: typeof session.send = (one) => {
    pages += 1;
    return session.send({ ...one, path: one.path.replace('per_page=1000', 'per_page=5') });
  };
  const listed: string[] = [];
  for await (const page of listBuckets({ ...session, send })) listed.push(...page.map(({ name }) => name));
  expect([listed, pages]).toEqual([names, 5]);
  await session.close();
  for (const name of names) await call('DELETE', `/${name}`);
});

describe('deleting a bucket asks on a terminal', () => {
  test('shows the number of objects of a bucket in the question, and changes nothing after No', async () => {
    await call('POST', '', { json: { name: 'asked' } });
    for (const key of ['a', 'b', 'c']) await call('PUT', `/asked/objects/${key}`, 'four');
    const argv = ['bucket', 'delete', 'asked', '--empty-first'];
    const declined = await run(argv, { answers: ['n'] });
    expect(declined).toMatchObject({ code: 5, out: '' });
    expect(declined.err).toContain('Delete bucket "asked", which contains 3 objects (12 B), on ');
    expect((await call('GET', '/asked/objects')).envelope().result).toHaveLength(3);
    const accepted = await run(argv, { answers: ['', 'y'] });
    expect(accepted).toMatchObject({
      code: 0,
      out: 'Deleting bucket "asked".\nDeleted bucket "asked".\n',
    });
    expect((await call('GET', '/asked')).status).toBe(404);
  });

  test('asks before deleting several objects, but not before deleting one object', async () => {
    await call('POST', '', { json: { name: 'several' } });
    for (const key of ['a', 'b']) await call('PUT', `/several/objects/${key}`, 'x');
    const declined = await run(['object', 'delete', 'several/a', 'several/b'], { answers: ['n'] });
    expect(declined).toMatchObject({ code: 5, err: expect.stringContaining('Delete 2 objects on ') });
    expect(await run(['object', 'delete', 'several/a'], { answers: [] })).toMatchObject({ code: 0 });
    expect((await call('GET', '/several/objects')).envelope().result).toMatchObject([{ key: 'b' }]);
  });
});

describe('an object on a terminal', () => {
  const get = (...argv: string[]) => run(['object', 'get', ...argv], { terminal: true });

  test('is shown unchanged if it is text, and escaped otherwise', async () => {
    await call('POST', '', { json: { name: 'shown' } });
    await call('PUT', '/shown/objects/text', 'two\nlines\n');
    await call('PUT', '/shown/objects/hostile', '\u001b[2Jgone\u0007');
    expect(await get('shown/text')).toMatchObject({ code: 0, out: 'two\nlines\n' });
    const hostile = await get('shown/hostile');
    expect(hostile.out).toBe('\\e[2Jgone\\x07\n');
    expect(hostile.err).toContain('escaped');
  });

  test('is refused with advice if it is too long', async () => {
    await call('PUT', '/shown/objects/long', Buffer.alloc(1024 * 1024 + 1, 'x'));
    const long = await get('shown/long');
    expect(long).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--file PATH') });
  });

  test('is named in messages without control characters', async () => {
    const missing = await get('shown/\u001b[31mred');
    expect(missing).toMatchObject({ code: 3, out: '' });
    expect(missing.err).toContain('\\e[31mred');
    expect(missing.err).not.toContain('\u001b[31m');
  });
});
