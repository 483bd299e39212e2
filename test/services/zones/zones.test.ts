import { describe, expect, test } from 'vitest';
import type { Where } from '../../../src/model/where.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { chooseZone, findChosenZone, readZoneMenu } from '../../../src/services/zones/choice.ts';
import { originFault, setZoneRecords } from '../../../src/services/zones/records.ts';
import { findZone, listZoneRecords } from '../../../src/services/zones/zones.ts';
import { type Reply, refusal, result, stubPlatform } from '../hostnames/platform.ts';

const one = { id: '1'.repeat(32), name: 'one.com' };
const two = { id: '2'.repeat(32), name: 'two.com' };

function platform(zones: readonly object[], where?: Where, info?: Reply) {
  return stubPlatform(({ path, query }) => {
    if (path === '/sandbox/info') return info;
    const byId = zones.find((zone) => 'id' in zone && path === `/zones/${zone.id}`);
    if (byId !== undefined) return result(byId);
    const name = query.get('name');
    const found = zones.filter((zone) => name === null || ('name' in zone && zone.name === name));
    return result(found, { total_pages: 1 });
  }, where);
}

function withZone(session: Session, id: string): Session {
  return { ...session, zoneId: async () => id };
}

describe('the zone to act on', () => {
  test('comes from the flag, environment, file or profile, without a request', async () => {
    const { session, calls } = platform([one, two]);
    expect(await chooseZone(withZone(session, two.id))).toEqual({ zoneId: two.id });
    expect(calls).toEqual([]);
  });

  test('is the only zone that the credentials can access', async () => {
    expect(await chooseZone(platform([one]).session)).toEqual({ zoneId: one.id });
  });

  test('is never guessed: several zones are listed', async () => {
    const menu = { zones: [one, two], more: false };
    expect(await chooseZone(platform([one, two]).session)).toEqual(menu);
    expect(await findChosenZone(platform([one, two]).session)).toEqual(menu);
    const many = Array.from({ length: 201 }, () => one);
    expect(await readZoneMenu(platform(many).session)).toEqual({ zones: many.slice(1), more: true });
  });

  test('is missing if the credentials can access no zone, and an error names the required permission', async () => {
    await expect(chooseZone(platform([]).session)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('Zone: Read'),
    });
  });

  test('is found by its name', async () => {
    const { session } = platform([one, two]);
    expect((await findZone(session, 'TWO.com'))?.id).toBe(two.id);
    expect(await findZone(session, 'three.com')).toBeUndefined();
  });

  test('is read with its facts, or named by its id if the facts cannot be read', async () => {
    const { session } = platform([one]);
    expect(await findChosenZone(session)).toEqual({ zone: one });
    const hidden = stubPlatform(() => refusal(403, 9109, 'no')).session;
    expect(await findChosenZone(withZone(hidden, two.id))).toEqual({ zone: { id: two.id, name: two.id } });
  });

  test("is the sandbox's own zone by default if a sandbox has several zones", async () => {
    const info = result({ kind: 'sandbox', zoneId: two.id });
    const { session } = platform([one, two], { kind: 'sandbox', folder: '/data' }, info);
    expect(await chooseZone(session)).toEqual({ zoneId: two.id });
  });

  test('is chosen without a request about the sandbox on a real platform', async () => {
    const { session, calls } = platform([one]);
    await chooseZone(session);
    expect(calls.filter((call) => call.includes('sandbox'))).toEqual([]);
  });
});

// The provider's API reference: each DNS record has an id, a name and a type.
test('skips a malformed DNS record if it can be skipped, lists all other records, and otherwise fails', async () => {
  const record = { id: '3'.repeat(32), type: 'A', name: 'www.one.com', content: '192.0.2.1' };
  const entries = [null, record, { ...record, id: 5 }, { ...record, id: '4'.repeat(32) }];
  const { session } = stubPlatform(() => result(entries, { total_pages: 1 }));
  const skipped: unknown[] = [];
  const listed = await listZoneRecords(session, one.id, {}, (...message) => skipped.push(message));
  expect({ ids: listed.map(({ id }) => id), skipped }).toEqual({
    ids: ['3'.repeat(32), '4'.repeat(32)],
    skipped: [[2, ['null', 'A www.one.com']]],
  });
  await expect(listZoneRecords(session, one.id, {})).rejects.toThrow('has an unknown format');
});

test('adds or changes a record even if another record of its name is malformed, and names the malformed record without changing it', async () => {
  const record = { id: '3'.repeat(32), type: 'A', name: 'www.one.com', content: '192.0.2.1' };
  const malformed = { ...record, id: '5'.repeat(32), content: 7 };
  const { session, calls, bodies } = stubPlatform(({ method, path }) => {
    if (path === `/zones/${one.id}`) return result(one);
    if (method === 'GET') return result([malformed, record], { total_pages: 1 });
    return result(Object.assign({}, record, bodies.at(-1)));
  });
  const skipped: unknown[] = [];
  const set = (content: string, beside: boolean) =>
    setZoneRecords(
      session,
      one.id,
      { name: 'www', type: 'A', contents: [content], beside },
      undefined,
      undefined,
      (...message) => skipped.push(message),
    );
  expect(await set('192.0.2.2', false)).toMatchObject([{ outcome: 'changed', before: { id: record.id } }]);
  expect(await set('192.0.2.3', true)).toMatchObject([{ outcome: 'made' }]);
  const messages = [1, [`A www.one.com (id ${malformed.id})`]];
  expect(skipped).toEqual([messages, messages]);
  expect(calls.filter((call) => !call.startsWith('GET')).map((call) => call.split(' ')[0])).toEqual([
    'PATCH',
    'POST',
  ]);
});

// The provider's API reference: 429 if a rate limit is reached, 5xx if the platform fails. If the request fails, no fault of the origin is
// reported, because the request only provides information for advice.
test.each([
  ['a rate limit', refusal(429, 971, 'slow down')],
  ['a failure of the platform', refusal(503, 1000, 'no')],
  ['missing permission', refusal(403, 9109, 'no')],
  ['an answer in another shape', result([{ id: 5 }], { total_pages: 1 })],
])('reports no count for an origin if reading its records fails because of %s', async (_, answer) => {
  const { session, calls } = stubPlatform(() => answer);
  expect(await originFault(session, one.id, 'www.one.com')).toBeUndefined();
  expect(calls).toHaveLength(1);
  const none = stubPlatform(() => result([], { total_pages: 1 })).session;
  expect(await originFault(none, one.id, 'www.one.com')).toContain('has no A, AAAA or CNAME record');
});
