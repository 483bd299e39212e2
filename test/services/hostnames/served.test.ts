import { expect, test } from 'vitest';
import { countServedBy } from '../../../src/services/hostnames/served.ts';
import { describeServed } from '../../../src/text/hostname.ts';
import { result, stubPlatform } from './platform.ts';

/** Returns a zone with the fallback origin `o0.demo` and the given number of hostnames, none of which has a custom origin. */
function getZone(hostnames: number) {
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

async function readWords(hostnames: number, names: readonly string[]): Promise<string | undefined> {
  const served = await countServedBy(getZone(hostnames), 'z'.repeat(32), names);
  return served && describeServed(served);
}

const few = ['o0.demo', 'o1.demo'];
const many = Array.from({ length: 21 }, (_, index) => `o${index}.demo`);

// The bounds are added: "at most 600" plus "at least 0" has no maximum.
test('shows the number of hostnames per origin as unknown until it is counted, not as zero or a minimum', async () => {
  expect(await readWords(0, few)).toBeUndefined();
  expect(await readWords(40, few)).toBe('40 custom hostnames');
  expect(await readWords(600, few)).toBe('up to 600 custom hostnames');
  expect(await readWords(0, many)).toBe('some custom hostnames');
  expect(await readWords(40, many)).toBe('at least 40 custom hostnames');
  expect(await readWords(600, many)).toBe('some custom hostnames');
});
