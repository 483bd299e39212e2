import { expect, test } from 'vitest';
import lineUpdate from '../../../../components/kit/terminal/ink/line-update.ts';
import { Screen, type StyledStretch } from '../../../support/screen.ts';

const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
const blue = (text: string) => `\u001b[34m${text}\u001b[39m`;
const bar = (text: string) => `\u001b[7m${text}\u001b[27m`;
const line = (text: string) => `\u001b[4m${text}\u001b[24m`;
const columns = 60;

/** Draws sequences on a screen. Returns the text and the visible cells of the first line. */
async function drawLines(...sequences: readonly string[]) {
  const screen = new Screen({ columns, rows: 2 });
  await new Promise<void>((resolve) => screen.write(`\u001b[?7l${sequences.join('')}`, resolve));
  return { text: screen.lines()[0]?.trimEnd(), cells: screen.stretches(0).flatMap(getCells).filter(isSeen) };
}

/** Returns cells with their visible style: an empty cell shows only its background. */
function getCells({ text, style, column }: StyledStretch) {
  return [...text].map((letter, index) => {
    const words = style.split(' ');
    const isHollow = letter === ' ' && !words.includes('inverse');
    const seen = isHollow ? words.filter((word) => word === 'underline' || word.startsWith('back')) : words;
    return { letter, at: column + index, seen: seen.join(' ') };
  });
}

function isSeen({ letter, seen }: ReturnType<typeof getCells>[number]): boolean {
  return letter !== ' ' || seen !== '';
}

async function expectSame(previous: string, next: string) {
  const changed = await drawLines(previous, lineUpdate(previous, next, columns), '\u001b[2;1H.');
  expect(changed).toEqual(await drawLines(next, '\u001b[2;1H.'));
}

test('writes only the cells that differ, not borders or adjacent panes', async () => {
  const row = (name: string, value: string) =>
    `${blue('│')} ${name.padEnd(24)} ${dim('6 h')} ${blue('│')} ${value} │`;
  const previous = row('session:0000129:user-51', '{"k": 1}');
  const next = row('session:0000130:user-70', '{"k": 1}');
  expect(lineUpdate(previous, next, columns)).toBe('\u001b[16G30\u001b[6C70');
  await expectSame(previous, next);
});

test('writes no colors for empty cells, and erases many empty cells with one sequence', async () => {
  const drawLines = `${dim('2368d')}${blue('    {}')}`;
  const hidden = `${dim('     ')}${blue('      ')}`;
  const row = (cells: string) => `name ${cells} │`;
  expect(lineUpdate(row(drawLines), row(hidden), columns)).toBe('\u001b[6G\u001b[11X');
  expect(lineUpdate(row(hidden), row(drawLines), columns)).toBe(
    '\u001b[6G\u001b[2m2368d    \u001b[0;34m{}\u001b[m',
  );
  await expectSame(row(drawLines), row(hidden));
  await expectSame(row(bar(drawLines)), row(hidden));
  await expectSame(row(hidden), row(bar(hidden)));
  await expectSame(
    row(`${dim('2368d')}${' '.repeat(20)}${dim('x')}`),
    row(`a${' '.repeat(23)}${dim('  x')}`),
  );
});

test('draws and removes a bar, and erases the rest of a longer line', async () => {
  await expectSame('one  two', bar('one  two   '));
  await expectSame(bar('one  two   '), 'one  two');
  await expectSame(`│ ${dim('a long line of words')} │`, '│ short');
  await expectSame('something', '');
  await expectSame('', blue('something'));
});

test('draws the cells after characters of uncertain width in the right columns', async () => {
  await expectSame('│ 東京 a │ x │', '│ 東京 b │ y │');
  await expectSame('│ 1\ufe0f\u20e3 a │', '│ 1 a │');
  await expectSame('│ e\u0301tude │', '│ etude │');
  expect(lineUpdate('name 1 │ 東京', 'name 2 │ 東京', columns)).toBe('\u001b[6G2');
});

test.each([
  ['a cursor movement', 'a\u001b[2Cb', 'a\u001b[3Cb'],
  ['an unknown style', '\u001b[73ma', '\u001b[73mb'],
  ['a line wider than the screen', 'a'.repeat(columns + 1), 'b'.repeat(columns + 1)],
])('rewrites the complete line with %s', (_, previous, next) => {
  expect(lineUpdate(previous, next, columns)).toBe(`\u001b[1G\u001b[K${next}`);
});

test('draws the same cells over any other line as on an empty screen', async () => {
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
    bar(blue('   a')),
    line(dim('  a  ')),
    `\u001b[31mred\u001b[39m`,
    `\u001b[41mbehind  \u001b[49m`,
    blue('a    b'),
    blue(' '.repeat(12)),
    '\u001b[1;38;5;9mx\u001b[0m',
  ];
  let seed = 7;
  const below = (limit: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
  };
  const mixed = () => Array.from({ length: below(9) }, () => pieces[below(pieces.length)]).join('');
  let previous = mixed();
  for (let round = 0; round < 100; round++) {
    const next = mixed();
    await expectSame(previous, next);
    previous = next;
  }
});
