import { expect, test } from 'vitest';
import { openKeys, sessions, withKey } from '../../open-console.tsx';

test('unwraps long lines, scrolls sideways to their end and to a match, and wraps again', async () => {
  const line = Array.from({ length: 40 }, (_, index) => `part${String(index).padStart(2, '0')}`).join(' ');
  const app = await openKeys({ fill: withKey('a', `first\n${line}\nlast`) });
  await app.go(['g', 'enter'], 'last');
  expect(app.screen.lines().slice(3, 9)).toHaveLength(6);
  await app.go(['>'], 'Lines are wrapped. Press W to unwrap them.');
  await app.go(['W'], 'not wrapped');
  expect(
    app.screen
      .lines()
      .slice(3, 6)
      .map((row) => row.at(-1)),
  ).toEqual(['t', '›', 't']);
  await app.go(['>'], 'from column 41');
  expect(app.screen.lines()[4]?.startsWith('5 part06')).toBe(true);
  await app.go(['/', ...'part39', 'enter'], 'match 1 of 1');
  expect(app.screen.text()).toContain('part39');
  await app.go(['<', '<', '<', '<', '<', '<'], 'not wrapped');
  await app.go(['W'], (screen) => !screen.text().includes('not wrapped'));
  expect(app.screen.text()).toContain('part39');
});

test('keeps the selected line of a JSON tree', async () => {
  const app = await openKeys({
    fill(kv) {
      withKey('a', '')(kv);
      kv.put(sessions, 'a', JSON.stringify({ long: 'x'.repeat(300), next: 1 }));
    },
  });
  await app.go(['g', 'enter'], '"next": 1');
  await app.go(['G', 'k'], (screen) => screen.selected()?.includes('"next"') === true);
  await app.go(['W'], 'not wrapped');
  expect(app.screen.selected()).toContain('"next": 1');
  await app.go(['-', 'P'], 'Copied the path');
  expect(app.screen.clipboards.at(-1)).toBe(`c;${Buffer.from('$.next').toString('base64')}`);
});
