import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldWindow } from '../../../../components/ui/forms/field-window.ts';
import { measureCharacter } from '../../../../src/text/width.ts';

/** Returns the visible part of a string, with `|` before the cursor: marks are in braces, and the cursor's cell is in brackets. */
function renderWindow(written: string, width: number, hidden = false): string {
  const text = written.replace('|', '');
  const { before, under, after } = fieldWindow({ text, cursor: written.indexOf('|') }, width, hidden);
  const words = (part: { text: string; role?: string }) =>
    part.role === 'escaped' ? `{${part.text}}` : part.text;
  return `${before.map(words).join('')}[${words(under)}]${after.map(words).join('')}`;
}

const cases: ReadonlyArray<readonly [about: string, written: string, width: number, shown: string]> = [
  ['an empty field', '|', 5, '[ ]'],
  ['a short text completely', 'ab|c', 10, 'ab[c]'],
  ['the end of a long text', 'abcdefgh|', 5, 'efgh[ ]'],
  ['the text before the cursor', 'abcd|efgh', 4, 'bcd[e]'],
  ['the text after the cursor', '|abcdefgh', 4, '[a]bcd'],
  ['a typed backslash unchanged', 'a\\n|', 10, 'a\\n[ ]'],
  ['the end of a line as a mark', 'a\nb|', 10, 'a{␊}b[ ]'],
  ['a zero-width space', 'a\u200b|b', 20, 'a{<U+200B>}[b]'],
  ['the joiner in an emoji, in one cell', '|👨\u200d👩 ', 40, '[{👨<U+200D>👩}] '],
  ['wide characters whole', '日本語|', 6, '本語[ ]'],
  ['a control sequence', '\u001b[2J|', 20, '{␛}[2J[ ]'],
];

test.each(cases)('shows a field: %s', (_, written, width, wanted) => {
  expect(renderWindow(written, width)).toBe(wanted);
});

test('shows only the length of hidden text', () => {
  expect(renderWindow('a\n👨\u200d👩|', 20, true)).toBe('***[ ]');
});

test('never exceeds its columns, regardless of the text and the cursor position', () => {
  const character = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 1 }),
    fc.constantFrom('\n', '\u200b', '日', '\u0301'),
  );
  fc.assert(
    fc.property(
      fc.array(character, { maxLength: 40 }),
      fc.nat(40),
      fc.integer({ min: 12, max: 30 }),
      (all, at, width) => {
        const text = all.join('');
        const cursor = all.slice(0, at).join('').length;
        const { before, under, after } = fieldWindow({ text, cursor }, width, false);
        const columns = [...before, under, ...after].reduce(
          (sum, part) => sum + measureCharacter(part.text),
          0,
        );
        expect(columns).toBeLessThanOrEqual(Math.max(width, measureCharacter(under.text)));
      },
    ),
  );
});

test('processes nothing outside the window', () => {
  const text = 'é\n'.repeat(500_000);
  expect(renderWindow(`${text}|`, 12)).toBe('{␊}é{␊}é{␊}é{␊}é{␊}é{␊}[ ]');
});
