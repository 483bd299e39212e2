import { expect, test } from 'vitest';
import lineUpdate from '../../../components/terminal/ink/line-update.ts';
import { Screen } from '../../support/screen.ts';

const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
const blue = (text: string) => `\u001b[34m${text}\u001b[39m`;
const bar = (text: string) => `\u001b[7m${text}\u001b[27m`;
const columns = 60;

/** The cells of a line after it was drawn whole, and after it was changed from another. */
async function shown(...sequences: readonly string[]) {
  const screen = new Screen({ columns, rows: 2 });
  await new Promise<void>((resolve) => screen.write(`\u001b[?7l${sequences.join('')}`, resolve));
  return { text: screen.lines()[0]?.trimEnd(), styles: screen.stretches(0) };
}

async function expectSame(previous: string, next: string) {
  const changed = await shown(previous, lineUpdate(previous, next, columns), '\u001b[2;1H.');
  expect(changed).toEqual(await shown(next, '\u001b[2;1H.'));
}

test('writes the cells that differ, and neither borders nor what stands beside them', async () => {
  const row = (name: string, value: string) =>
    `${blue('│')} ${name.padEnd(24)} ${dim('6 h')} ${blue('│')} ${value} │`;
  const previous = row('session:0000129:user-51', '{"k": 1}');
  const next = row('session:0000130:user-70', '{"k": 1}');
  expect(lineUpdate(previous, next, columns)).toBe('\u001b[16G30\u001b[24G70');
  await expectSame(previous, next);
});

test('draws a bar, takes it away, and erases what a shorter line leaves', async () => {
  await expectSame('one  two', bar('one  two   '));
  await expectSame(bar('one  two   '), 'one  two');
  await expectSame(`│ ${dim('a long line of words')} │`, '│ short');
  await expectSame('something', '');
  await expectSame('', blue('something'));
});

test('goes on behind a text that terminals draw in widths of their own', async () => {
  await expectSame('│ 東京 a │ x │', '│ 東京 b │ y │');
  await expectSame('│ 1\ufe0f\u20e3 a │', '│ 1 a │');
  await expectSame('│ e\u0301tude │', '│ etude │');
  expect(lineUpdate('name 1 │ 東京', 'name 2 │ 東京', columns)).toBe('\u001b[6G2');
});

test.each([
  ['a sequence that moves', 'a\u001b[2Cb', 'a\u001b[3Cb'],
  ['a style that it does not know', '\u001b[73ma', '\u001b[73mb'],
  ['a line wider than the screen', 'a'.repeat(columns + 1), 'b'.repeat(columns + 1)],
])('writes a line whole with %s', (_, previous, next) => {
  expect(lineUpdate(previous, next, columns)).toBe(`\u001b[1G\u001b[K${next}`);
});

test('shows each of many lines after each other one', async () => {
  const pieces = [
    'a',
    'bc  d',
    '   ',
    '│',
    '╭─',
    '東',
    'é',
    'e\u0301',
    '👍',
    dim('dim'),
    blue('blue'),
    bar('bar '),
    '\u001b[1;38;5;9mx\u001b[0m',
  ];
  let seed = 7;
  const below = (limit: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
  };
  const line = () => Array.from({ length: below(9) }, () => pieces[below(pieces.length)]).join('');
  let previous = line();
  for (let round = 0; round < 100; round++) {
    const next = line();
    await expectSame(previous, next);
    previous = next;
  }
});
