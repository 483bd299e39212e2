import { expect, test } from 'vitest';
import type { Screen } from '../../../support/screen.ts';
import { hostileTexts } from '../../../terminal/hostile.ts';
import { openConsole, openKeys, sessions } from '../../open-console.tsx';

/** Names whose width differs between terminals; the terminal of these tests draws most of their characters in one column. */
const wide = [
  '🇩🇪 flag',
  '🇩 half a flag',
  '🇩🇪🇫🇷🇯🇵 three',
  '👍🏽 skin',
  '👩‍🚀 joined',
  'क्षि conjunct',
  '﷽ long',
  '⚡ text or not',
  '🫨 new',
  '日本語 wide',
];

const texts = [...wide, ...hostileTexts.map(([, text]) => text)];

/** Returns the rows that have a border in a column that has no upper corner. */
function brokenRows(screen: Screen): string[] {
  const columnsOfBorders = (row: number) =>
    screen
      .stretches(row)
      .flatMap(({ text, column }) =>
        [...text.matchAll(/[│╭╮]/g)].map(({ index }) => (index === 0 ? column : column + index)),
      );
  const top = columnsOfBorders(2).join();
  const last = screen.lines().findIndex((line) => line.startsWith('╰'));
  return screen.lines().filter((_, row) => row > 2 && row < last && columnsOfBorders(row).join() !== top);
}

test('keeps borders and panes in their columns, regardless of how a terminal draws a name', async () => {
  const app = openConsole({
    columns: 120,
    rows: 100,
    fill(kv) {
      kv.namespaces.push({ id: sessions, title: 'sessions' });
      for (const [index, text] of texts.entries())
        kv.put(sessions, `${String(index).padStart(2, '0')} ${text}`, text);
    },
  });
  await app.screen.waitFor('sessions');
  await app.go(['enter'], (screen) => screen.text().includes('KEY') && screen.text().includes(' B, text'));
  expect(brokenRows(app.screen)).toEqual([]);
  for (let index = 1; index < wide.length; index++) {
    const name = String(index).padStart(2, '0');
    await app.go(['j'], (screen) => screen.selected()?.startsWith(name) ?? false);
    await app.go([], (screen) => screen.lines()[2]?.includes(`╭─ ${name} `) ?? false);
    expect(brokenRows(app.screen)).toEqual([]);
  }
});

test('draws once after a resize, on a cleared screen', async () => {
  const app = await openKeys({ columns: 120, rows: 30 });
  await app.screen.waitFor('89 50 4e 47');
  const before = app.screen.raw.length;
  app.resize({ columns: 110, rows: 25 });
  const erase = '\u001b[H\u001b[2J';
  await app.screen.waitFor(({ raw }) => raw.slice(before).includes(erase));
  await app.screen.waitFor((screen) => /\? more$/.test(screen.lines().at(-1) ?? ''));
  const [old = '', ...drawn] = app.screen.raw.slice(before).split(erase);
  // The program may still write a late change, such as a title, but a complete frame of the new size has a bottom border.
  expect(old).not.toMatch(/╰/);
  expect(drawn).toHaveLength(1);
});
