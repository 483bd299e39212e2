import { describe, expect, test } from 'vitest';
import type { Where } from '../../../src/model/where.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { chooseZone } from '../../../src/services/zones/zones.ts';
import { type Reply, result, stubPlatform } from '../hostnames/platform.ts';

const one = { id: '1'.repeat(32), name: 'one.com' };
const two = { id: '2'.repeat(32), name: 'two.com' };

function platform(zones: readonly object[], where?: Where, info?: Reply) {
  return stubPlatform(({ path, query }) => {
    if (path === '/sandbox/info') return info;
    const name = query.get('name');
    const found = zones.filter((zone) => name === null || ('name' in zone && zone.name === name));
    return result(found, { total_pages: 1 });
  }, where);
}

function withZone(session: Session, id: string): Session {
  return { ...session, zoneId: async () => id };
}

describe('the zone to act on', () => {
  test('is the one that flag, environment, file or profile say, without asking', async () => {
    const { session, calls } = platform([one, two]);
    expect(await chooseZone(withZone(session, two.id))).toBe(two.id);
    expect(calls).toEqual([]);
  });

  test('is the only one that the credentials reach', async () => {
    expect(await chooseZone(platform([one]).session)).toBe(one.id);
  });

  test('is never guessed among several: they are listed, and nothing is done', async () => {
    await expect(chooseZone(platform([one, two]).session)).rejects.toMatchObject({
      code: 'usage',
      message: `The credentials reach 2 zones:\n  ${one.id}  one.com\n  ${two.id}  two.com`,
      hint: expect.stringContaining('--zone-id'),
    });
    await expect(chooseZone(platform([]).session)).rejects.toMatchObject({ code: 'usage' });
  });

  test('is found by its name, which wins over what is set elsewhere', async () => {
    const { session } = platform([one, two]);
    expect(await chooseZone(withZone(session, one.id), 'TWO.com')).toBe(two.id);
    await expect(chooseZone(session, 'three.com')).rejects.toMatchObject({ code: 'not-found' });
    const typed = { ...session, choice: { ...session.choice, zoneId: one.id } };
    await expect(chooseZone(typed, 'two.com')).rejects.toMatchObject({ code: 'usage' });
  });

  test("is a sandbox's own among several", async () => {
    const info = result({ kind: 'sandbox', zoneId: two.id });
    expect(await chooseZone(platform([one, two], { kind: 'sandbox', folder: '/data' }, info).session)).toBe(
      two.id,
    );
  });

  test('a real platform is never asked whether it is a sandbox', async () => {
    const { session, calls } = platform([one]);
    await chooseZone(session);
    expect(calls.filter((call) => call.includes('sandbox'))).toEqual([]);
  });
});
