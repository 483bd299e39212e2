import { expect, test } from 'vitest';
import { countServedBy } from '../../../src/services/hostnames/served.ts';
import { describeServed } from '../../../src/text/hostname.ts';
import { result, stubPlatform } from './platform.ts';

/** A zone whose fallback origin is `o0.demo`, with so many hostnames, all of them without an origin of their own. */
function zoneOf(hostnames: number) {
  return stubPlatform(({ path, query }) => {
    if (path.endsWith('/fallback_origin')) return result({ origin: 'o0.demo', status: 'active' });
    const total = query.has('custom_origin_server') ? 0 : hostnames;
    const page = Array.from({ length: Math.min(total, 50) }, (_, index) => ({
      id: String(index).padStart(32, '0'),
      hostname: `h${index}.demo`,
      ssl: null,
    }));
    return result(page, { page: 1, total_pages: Math.ceil(total / 50), total_count: total });
  }).session;
}

async function wordsOf(hostnames: number, names: readonly string[]): Promise<string | undefined> {
  const served = await countServedBy(zoneOf(hostnames), 'z'.repeat(32), names);
  return served && describeServed(served);
}

const few = ['o0.demo', 'o1.demo'];
const many = Array.from({ length: 21 }, (_, index) => `o${index}.demo`);

// A bound is a bound of the whole: of at most 600 and at least 0 together there is no most number.
test('counts uncounted hostnames of origins neither as none nor as a minimum', async () => {
  expect(await wordsOf(0, few)).toBeUndefined();
  expect(await wordsOf(40, few)).toBe('40 custom hostnames');
  expect(await wordsOf(600, few)).toBe('up to 600 custom hostnames');
  expect(await wordsOf(0, many)).toBe('some custom hostnames');
  expect(await wordsOf(40, many)).toBe('at least 40 custom hostnames');
  expect(await wordsOf(600, many)).toBe('some custom hostnames');
});
