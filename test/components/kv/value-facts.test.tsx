import { expect, test } from 'vitest';
import { divideValue } from '../../../components/kv/ValuePane.tsx';
import { hexRowLength } from '../../../src/text/hex.ts';
import type { MemoryKv } from '../memory-kv.ts';
import { fillDemo, openKeys, sessions, testNow } from '../open-console.tsx';

const expiration = testNow / 1000 + 7200;
const expiry = new Date(expiration * 1000).toISOString().replace('.000', '');

function fill(kv: MemoryKv): void {
  fillDemo(kv);
  kv.put(sessions, 'aa', 'first line', { expiration, metadata: { team: 'web', note: '\u001b[31m' } });
}

test('shows expiry and metadata above a value, and next to it on a wide screen', async () => {
  const app = await openKeys({ fill });
  await app.go(['enter'], 'first line');
  const [facts = '', value] = app.screen.lines().slice(3, 5);
  expect(facts).toMatch(new RegExp(`^expires ${expiry} {2}metadata team=web note=`));
  expect(facts).not.toContain('\u001b');
  expect(value?.trim()).toBe('first line');
  app.resize({ columns: 120, rows: 30 });
  await app.screen.waitFor('"team": "web"');
  expect(app.screen.text()).toMatch(/│ first line +││/);
  expect(app.screen.text()).toMatch(new RegExp(`││ expires +${expiry} +│`));
  await app.go(['|'], (screen) => /│ expires \S+ {2}metadata team=web/.test(screen.text()));
});

test('gives a value all rows on a low screen', async () => {
  const app = await openKeys({ fill });
  await app.go(['enter'], 'first line');
  app.resize({ columns: 60, rows: 12 });
  await app.screen.waitFor((screen) => screen.lines()[2]?.trim() === 'first line');
});

test('a wider screen never has fewer bytes in a row', () => {
  let before = 0;
  for (let columns = 40; columns <= 220; columns++) {
    const bytes = hexRowLength(divideValue({ columns, rows: 40 }, true).main.columns);
    expect(bytes).toBeGreaterThanOrEqual(before);
    before = bytes;
  }
});
