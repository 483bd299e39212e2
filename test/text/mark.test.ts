import { expect, test } from 'vitest';
import { markBytes, markedRuns, markText } from '../../src/text/mark.ts';

/** Returns the runs of a string, with its marks in brackets. */
function drawn(marked: string): string {
  return markedRuns(marked)
    .map(({ text, marked: isMark }) => (isMark ? `[${text}]` : text))
    .join('');
}

test.each([
  ['a backslash once', String.raw`"x\ny"`, String.raw`"x\ny"`],
  ['two backslashes as two', String.raw`"x\\ny"`, String.raw`"x\\ny"`],
  ['a control character by its picture', '\u001b[2J\u0000\u007f', '[␛][2J[␀␡]'],
  ['a character without a glyph by its number', 'a\u202e\u{e0001}', 'a[<U+202E><U+E0001>]'],
  ['a stored picture as text', '␛ <U+202E>', '␛ <U+202E>'],
  ['private characters as separate marks', '\ue01b\ue100FF\ue101', '[<U+E01B><U+E100>]FF[<U+E101>]'],
])('shows %s', (_, text, wanted) => {
  expect(drawn(markText(text))).toBe(wanted);
  expect(drawn(markBytes(Buffer.from(text)))).toBe(wanted);
});

test('shows each invalid UTF-8 byte', () => {
  expect(drawn(markBytes(Buffer.of(0x61, 0xff, 0xc3)))).toBe('a[<FF><C3>]');
});
