import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

/** The number of random bytes before the generator fails, which simulates a disk that fails in the middle of a change. */
let left = Number.POSITIVE_INFINITY;
let place: TestSandbox;
let records: string;
beforeAll(async () => {
  const random = (bytes: number) => {
    left -= 1;
    if (left < 0) throw new Error('no random bytes left');
    return randomBytes(bytes);
  };
  place = await openTestSandbox('in process', { random });
  records = `/zones/${place.sandbox.platform.registry().zoneId()}/dns_records`;
});
afterAll(() => place.close());

/** Returns the records with these names, or all records. */
async function found(...names: readonly string[]): Promise<{ id: string; name: string }[]> {
  const { result } = (await place.call('GET', records)).envelope<{ id: string; name: string }[]>();
  const wanted = names.map((name) => `${name}.saas.sandbox`);
  return (result ?? []).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
}

const batch = (json: object) => place.call('POST', `${records}/batch`, { json });
const post = (name: string, type = 'A') => ({
  type,
  name,
  content: type === 'A' ? '192.0.2.1' : 'a.saas.sandbox',
});
const importing = (file: string) =>
  place.call(
    'POST',
    `${records}/import`,
    `--b\r\ncontent-disposition: form-data; name="file"; filename="z"\r\n\r\n${file}\r\n--b--\r\n`,
    {
      authorization: `Bearer ${place.sandbox.access().apiToken}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  );

test.each([
  ['a zone file', () => importing('one A 192.0.2.1\none A 192.0.2.1\ntwo A 192.0.2.2\n')],
  ['a batch', () => batch({ posts: [post('one'), post('two')] })],
])('stores no records if %s fails halfway', async (_, write) => {
  const before = await found();
  left = 1;
  await write().catch(() => undefined);
  left = Number.POSITIVE_INFINITY;
  expect(await found()).toEqual(before);
  await write();
  const made = await found('one', 'two');
  expect(made).toHaveLength(2);
  await batch({ deletes: made.map(({ id }) => ({ id })) });
});

test('rejects records of a batch that conflict with existing records of the same name, unless the batch deletes the existing records', async () => {
  await batch({ posts: [post('a'), post('b')] });
  const [b] = await found('b');
  const code = async (json: object) => (await batch(json)).code;
  expect(await code({ posts: [post('a')] })).toBe(81_058);
  expect(await code({ posts: [post('a', 'CNAME')] })).toBe(81_053);
  expect(await code({ posts: [post('c', 'CNAME'), post('c')] })).toBe(81_054);
  expect(await code({ patches: [{ id: b?.id, name: 'a' }] })).toBe(81_058);
  expect(await code({ deletes: [{ id: b?.id }], posts: [post('b', 'CNAME')] })).toBe(undefined);
  const [alias] = await found('b');
  const moved = { id: alias?.id, ...post('d', 'CNAME') };
  expect(await code({ puts: [moved], posts: [post('b')] })).toBe(undefined);
  expect(await found('b', 'd')).toHaveLength(2);
});
