import { expect, test } from 'vitest';
import { type OpenConsole, openKeys, sessions, withKey } from '../../open-console.tsx';

/** Opens the console on a value. */
async function openValue(value: string | Uint8Array, shows: string): Promise<OpenConsole> {
  const app = await openKeys({
    fill(kv) {
      withKey('a', '')(kv);
      kv.put(sessions, 'a', value);
    },
  });
  await app.go(['g', 'enter'], shows);
  return app;
}

/** Returns the strings on the screen that have the style of matches. */
function findHighlights({ screen }: OpenConsole, style = 'bold underline'): string[] {
  const below = screen
    .lines()
    .slice(3, -2)
    .flatMap((_, row) => screen.stretches(row + 3));
  return below.filter((stretch) => stretch.style === style).map(({ text }) => text);
}

const log = Array.from(
  { length: 60 },
  (_, line) => `${line} ${line % 20 === 7 ? 'ERROR failed' : 'fine'}`,
).join('\n');

test('highlights and counts matches while typing, goes to the next and the previous match, and wraps around', async () => {
  const app = await openValue(log, '0 fine');
  await app.go(['/'], 'text  /regex/  !not  ~fuzzy');
  await app.go([...'error'], '3 matches');
  expect(findHighlights(app)).toEqual(['ERROR']);
  await app.go(['enter'], 'match 1 of 3');
  expect(app.screen.lines()[3]).toBe('7 ERROR failed');
  expect(findHighlights(app, 'inverse')).toEqual(['ERROR']);
  await app.go(['n'], 'match 2 of 3');
  await app.go(['n', 'n'], 'Continued from the beginning.');
  await app.go(['N'], 'Continued from the end.');
  expect(app.screen.text()).toContain('match 3 of 3');
  await app.go(['/', 'enter'], 'match 1 of 3');
  await app.go(['/', ...'2', 'enter'], 'match 2 of 16');
  await app.go(['/', 'backspace', 'enter'], (screen) => !screen.text().includes('match 2'));
  expect(findHighlights(app)).toEqual([]);
});

test('searches by expression, negation and fuzzily; a capital letter makes the search case-sensitive', async () => {
  const app = await openValue(log, '0 fine');
  await app.go(['/', ...'/^[0-9] fine$/', 'enter'], 'match 1 of 9');
  await app.go(['/', 'ctrl+u', ...'!fine', 'enter'], 'line 1 of 3');
  expect(app.screen.lines()[3]).toBe('7 ERROR failed');
  await app.go(['/', 'ctrl+u', ...'~7eord', 'enter'], 'line 1 of 3');
  await app.go(['/', 'ctrl+u', ...'Error', 'enter'], 'No match for Error in this view.');
  await app.go(['/', 'ctrl+u', ...'/(/'], 'not applied: Unterminated group');
  await app.go(['enter'], 'not applied: Unterminated group');
  await app.go(['esc'], 'no match');
});

test('abandons an expression that takes too long, and runs the next key press', async () => {
  const app = await openValue(`${'a'.repeat(70)}!`, 'aaaa');
  await app.go(['/', ...'/(a+)+$/'], 'not applied: this expression takes too long');
  await app.go(['ctrl+u', ...'!', ...'b', 'enter'], 'line 1 of 1');
});

test('unfolds the container of a match', async () => {
  const app = await openValue('{"plan":{"name":"gold","seats":5},"id":1}', '"gold"');
  await app.go(['j', 'enter'], (screen) => !screen.text().includes('"gold"'));
  await app.go(['/', ...'gold', 'enter'], 'match 1 of 1');
  expect(app.screen.selected()).toContain('"gold"');
});

test('highlights matches in colored JSON, even on the selected line, and twice in a hex dump', async () => {
  const app = await openValue('{"name":"Ada","roles":["admin"]}', '"admin"');
  await app.go(['/', ...'adm', 'enter'], 'match 1 of 1');
  expect(app.screen.selected()).toContain('"admin"');
  expect(findHighlights(app, 'inverse back-236')).toEqual(['adm']);
  await app.go(['tab'], '00000000');
  await app.go(['/', ...'ada', 'enter'], 'match 1 of 1');
  expect(findHighlights(app, 'inverse')).toEqual(['41 64 61', 'Ada']);
});
