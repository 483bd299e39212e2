import { expect, test } from 'vitest';
import { fitLines, foldLines } from '../../../../components/ui/forms/dialog-lines.ts';
import {
  compareLines,
  differenceHeight,
  differenceRows,
} from '../../../../components/ui/forms/difference-rows.ts';

const surface = { columns: 40, redact: (text: string) => text.replaceAll('secret', '***') };

function createBlock(before: readonly string[], after: readonly string[]) {
  return compareLines(before, after, { sides: ['stored', 'yours'] });
}

const before = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const after = ['one', 'two', 'three', 'FOUR', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
const block = createBlock(before, after);

function drawRows(room?: number): string[] {
  return differenceRows(block, surface, room).map((parts) => parts.map(({ text }) => text).join(''));
}

test('numbers the lines of both sides, and folds unchanged lines', () => {
  expect(drawRows(9)).toEqual([
    '1 line removed, 2 added',
    '   … 2 unchanged lines',
    ' 3   three',
    ' 4 - four',
    ' 4 + FOUR',
    ' 5   five',
    '   … 4 unchanged lines',
    '10   ten',
    '11 + eleven',
  ]);
  expect(drawRows()).toHaveLength(13);
});

test('shows all lines if there is room, and counts the unchanged lines that it leaves out, also at the end', () => {
  const long = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  const changed = createBlock(
    long,
    long.map((line) => (line === 'line 9' ? 'LINE 9' : line)),
  );
  const draw = (room?: number) =>
    differenceRows(changed, surface, room).map((parts) => parts.map(({ text }) => text).join(''));
  expect(draw(32)).toEqual([
    '1 line removed, 1 added',
    ...long.slice(0, 8).map((line, at) => `${String(at + 1).padStart(2)}   ${line}`),
    ' 9 - line 9',
    ' 9 + LINE 9',
    ...long.slice(9).map((line, at) => `${at + 10}   ${line}`),
  ]);
  const folded = [
    '1 line removed, 1 added',
    '   … 5 unchanged lines',
    ' 6   line 6',
    ' 7   line 7',
    ' 8   line 8',
    ' 9 - line 9',
    ' 9 + LINE 9',
    '10   line 10',
    '11   line 11',
    '12   line 12',
    '   … 18 unchanged lines',
  ];
  expect(draw(31)).toEqual(folded);
  expect(foldLines([changed], surface).map(({ text }) => text)).toEqual(folded);
  expect(foldLines(['Store it?', changed], surface, 33)).toHaveLength(33);
  expect(foldLines(['Store it?', changed], surface, 32)).toHaveLength(12);
});

test('counts the unchanged lines of a text that is longer than a screen', () => {
  const long = Array.from({ length: 500 }, (_, at) => `line ${at + 1}`);
  const rows = differenceRows(createBlock(long, ['line 1', 'new', ...long.slice(1)]), surface);
  expect(rows.map((parts) => parts.map(({ text }) => text).join(''))).toEqual([
    '0 lines removed, 1 added',
    '1   line 1',
    '2 + new',
    '3   line 2',
    '4   line 3',
    '5   line 4',
    '  … 496 unchanged lines',
  ]);
});

test('shows a note next to the names of the sides if there is room', () => {
  const noted = { ...block, note: 'JSON, formatted' };
  const head = (columns: number) => {
    const [first] = differenceRows(noted, { ...surface, columns });
    return first?.map(({ text }) => text).join('');
  };
  expect(head(60)).toBe('- stored  + yours  1 line removed, 2 added  JSON, formatted');
  expect(head(59)).toBe('- stored  + yours  1 line removed, 2 added  JSON, formatted');
  expect(head(58)).toBe('- stored  + yours  1 line removed, 2 added');
});

test('shows only changed lines if there is little room, and counts the changes that do not fit', () => {
  expect(drawRows(4)).toEqual([
    '1 line removed, 2 added, 9 unchanged',
    ' 4 - four',
    ' 4 + FOUR',
    '11 + eleven',
  ]);
  expect(drawRows(3).slice(1)).toEqual([' 4 - four', '   … 1 of 3 changed lines  PgDn']);
});

test('names both sides of the diff if there is room', () => {
  const [sides] = foldLines([block], { ...surface, columns: 80 });
  expect(sides?.text).toBe('- stored  + yours  1 line removed, 2 added');
});

test('scrolls through the changes that do not fit, and stops at the last change', () => {
  const below = (top: number) =>
    fitLines([block], surface, 3, top)
      .slice(1)
      .map(({ text }) => text);
  expect(below(1)).toEqual([' 4 + FOUR', '   … 2 of 3 changed lines  PgUp PgDn']);
  expect(below(9)).toEqual(['11 + eleven', '   … 3 of 3 changed lines  PgUp']);
});

test('does not fold an unchanged line between changes if it is a single line', () => {
  const near = createBlock(before, ['ONE', ...before.slice(1, 4), 'FIVE', ...before.slice(5)]);
  const draw = (room: number) =>
    differenceRows(near, surface, room).map((parts) => parts.map(({ text }) => text).join(''));
  expect(draw(10)).toContain(' 3   three');
  expect(draw(10).filter((row) => row.includes('unchanged'))).toEqual(['   … 4 unchanged lines']);
  const last = createBlock(before, [...before.slice(0, 7), 'EIGHT', 'nine', 'ten']);
  expect(
    differenceRows(last, surface, 7)
      .at(-1)
      ?.map(({ text }) => text)
      .join(''),
  ).toBe('10   ten');
});

test('shows each added line below the line that it replaces if not all lines fit', () => {
  const swapped = createBlock(['a 1', 'a 2', 'a 3'], ['a 4', 'a 5', 'a 6']);
  const rows = differenceRows(swapped, surface, 6).map((parts) => parts.map(({ text }) => text).join(''));
  expect(rows.slice(1)).toEqual([
    '1 - a 1',
    '1 + a 4',
    '2 - a 2',
    '2 + a 5',
    '  … 1-4 of 6 changed lines  PgDn',
  ]);
});

test('draws sides in the colors of a comparison, and changed words in a separate style', () => {
  const [, removed, added] = differenceRows(createBlock(['limit: 10'], ['limit: 20']), surface);
  expect(removed?.slice(1)).toEqual([
    { text: '- ', role: 'removed' },
    { text: 'limit: ', role: 'removed' },
    { text: '10', role: 'removedWord' },
  ]);
  expect(added?.at(-1)).toEqual({ text: '20', role: 'addedWord' });
});

test('redacts each line before it compares the words, and marks unsafe characters', () => {
  const [, removed] = foldLines([createBlock(['token secret \u001b[31m'], ['token other'])], surface);
  expect(removed?.text).not.toContain('secret');
  expect(removed?.text).not.toContain('\u001b');
});

test('fits every row of the diff to the width', () => {
  const wide = createBlock(
    ['x'.repeat(500), `${'y '.repeat(100)}1`],
    ['長い'.repeat(50), `${'y '.repeat(100)}2`],
  );
  for (const columns of [10, 40, 79]) {
    for (const parts of differenceRows(wide, { ...surface, columns }))
      expect(parts.map(({ text }) => text).join('').length).toBeLessThanOrEqual(columns);
  }
  const last = differenceRows(wide, surface).map((parts) => parts.map(({ text }) => text).join(''));
  expect(last.some((row) => row.endsWith('y 2'))).toBe(true);
});

test('arranges a diff of 200,000 changed lines in time proportional to their number', () => {
  const lines = (name: string) => Array.from({ length: 100_000 }, (_, at) => `${name} ${at}`);
  const long = createBlock(lines('old'), lines('new'));
  const start = performance.now();
  expect(differenceHeight(long, 40)).toBeGreaterThan(40);
  expect(differenceRows(long, surface, 40)).toHaveLength(40);
  // Work proportional to the square of the length would take minutes.
  expect(performance.now() - start).toBeLessThan(25_000);
}, 60_000);

test('keeps the first line and some of the diff when a dialog has little room', () => {
  const lines = ['Store it?', block, 'Press Esc to keep it.'];
  expect(fitLines(lines, surface, 5).map(({ text }) => text)).toEqual([
    'Store it?',
    '1 line removed, 2 added, 9 unchanged',
    ' 4 - four',
    ' 4 + FOUR',
    '11 + eleven',
  ]);
  expect(fitLines(lines, surface, 20).at(-1)?.text).toBe('Press Esc to keep it.');
  expect(fitLines(lines, surface, 2)).toHaveLength(2);
});
