import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { divideValue } from '../../../components/kv/ValuePane.tsx';
import { hexRowLength } from '../../../src/text/hex.ts';
import type { MemoryKv } from '../memory-kv.ts';
import { fillDemo, openKeys, sessions, testNow } from '../open-console.tsx';

const expiration = testNow / 1000 + 7200;
const expiry = `${new Date(expiration * 1000).toISOString().slice(0, 16).replace('T', ' ')}Z`;

function fill(kv: MemoryKv): void {
  fillDemo(kv);
  kv.put(sessions, 'aa', 'first line', { expiration, metadata: { team: 'web', note: '\u001b[31m' } });
}

test('shows expiry and metadata above a value, and next to it on a wide screen', async () => {
  const app = await openKeys({ fill });
  await app.go(['enter'], 'first line');
  const [facts = '', value] = app.screen.lines().slice(3, 5);
  expect(facts).toMatch(/^10 B, text · expires in 2h · metadata team=web note=/);
  expect(facts).not.toContain('\u001b');
  expect(value?.trim()).toBe('first line');
  app.resize({ columns: 120, rows: 30 });
  await app.screen.waitFor('"team": "web"');
  expect(app.screen.text()).toMatch(/│ first line +││/);
  expect(app.screen.text()).toMatch(new RegExp(`││ expires +in 2h +│\\n.*││ +${expiry} +│`));
  expect(app.screen.text()).toMatch(/││ value +10 B, text +│/);
  await app.go(['|'], (screen) => /│ 10 B, text · expires in 2h · metadata team=web/.test(screen.text()));
});

test('shows the namespace, the hash and the bytes of a value on a screen of 160 columns or more', async () => {
  const app = await openKeys({ fill, columns: 160, rows: 40 });
  await app.go(['enter'], 'Stored bytes');
  expect(app.screen.text()).toMatch(new RegExp(`││ namespace demo-sessions +│\\n.*││ id +${sessions} +│`));
  const hash = createHash('sha256').update('first line').digest('hex');
  expect(app.screen.text().replaceAll(/[\s│]|first line/g, '')).toContain(`SHA-256${hash}`);
  expect(app.screen.text()).toMatch(/││ 00000000 {2}66 69 72 73 74 20 6c 69 {2}first li +│/);
  await app.go(['tab', 'tab'], '10 B, text as hex');
  expect(app.screen.text()).not.toContain('Stored bytes');
  app.resize({ columns: 159, rows: 40 });
  // If there is no room for the bytes, the namespace and the hash stay visible.
  app.press('tab');
  await app.screen.waitFor((screen) => {
    const text = screen.text().replaceAll(/[\s│]|first line/g, '');
    return text.includes(`SHA-256${hash}`) && !text.includes('Storedbytes') && !text.includes('ashex');
  });
});

test('shows the path of the selected line of JSON next to it', async () => {
  const app = await openKeys({
    fill: (kv) => {
      fillDemo(kv);
      kv.put(sessions, 'aa', '{"a":[1,{"b c":2}]}');
    },
  });
  app.resize({ columns: 120, rows: 30 });
  await app.go(['enter'], (screen) => /││ JSON path +\$ +│/.test(screen.text()));
  await app.go(['j', 'j', 'j', 'j'], (screen) => /││ JSON path +\$\.a\[1\]\["b c"\] +│/.test(screen.text()));
  expect(app.screen.text()).toContain('line 5 of 8');
});

test('uses all rows for a value on a short screen', async () => {
  const app = await openKeys({ fill });
  await app.go(['enter'], 'first line');
  app.resize({ columns: 60, rows: 12 });
  await app.screen.waitFor((screen) => screen.lines()[2]?.trim() === 'first line');
  app.resize({ columns: 40, rows: 12 });
  await app.screen.waitFor((screen) => /in 2h/.test(screen.lines()[1] ?? ''));
});

test('never shows fewer bytes in a row on a wider screen', () => {
  let before = 0;
  for (let columns = 40; columns <= 220; columns++) {
    const bytes = hexRowLength(divideValue({ columns, rows: 40 }, true).main.columns);
    expect(bytes).toBeGreaterThanOrEqual(before);
    before = bytes;
  }
});
