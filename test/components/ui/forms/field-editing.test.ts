import { expect, test } from 'vitest';
import type { InputToken } from '../../../../components/kit/terminal/input-tokens.ts';
import { type Editing, editField } from '../../../../components/ui/forms/field-editing.ts';

/** Parses a field, with `|` at the position of the cursor. */
function field(written: string): Editing {
  return { text: written.replace('|', ''), cursor: written.indexOf('|') };
}

function formatField({ text, cursor }: Editing): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function edited(before: string, ...tokens: InputToken[]): string {
  const edit = editField(tokens, field(before));
  expect(edit.taken).toBe(tokens.length);
  return formatField(edit);
}

function press(text: string): InputToken {
  return { kind: 'press', text };
}

const presses: ReadonlyArray<readonly [about: string, press: string, before: string, after: string]> = [
  ['a letter', 'x', 'a|b', 'ax|b'],
  ['a backslash', '\\', 'a|', 'a\\|'],
  ['an emoji', '😀', 'a|b', 'a😀|b'],
  ['a combining mark', '\u0301', 'e|', 'e\u0301|'],
  ['left over an emoji', '\u001b[D', 'a😀|b', 'a|😀b'],
  ['left over a letter with a mark', '\u001b[D', 'e\u0301|b', '|e\u0301b'],
  ['left at the start', '\u001b[D', '|ab', '|ab'],
  ['right over an emoji', '\u001b[C', 'a|😀b', 'a😀|b'],
  ['right at the end', '\u001b[C', 'ab|', 'ab|'],
  ['backspace of a whole emoji', '\u007f', 'a😀|b', 'a|b'],
  ['backspace at the start', '\u007f', '|ab', '|ab'],
  ['delete of a whole emoji', '\u001b[3~', 'a|😀b', 'a|b'],
  ['delete at the end', '\u001b[3~', 'ab|', 'ab|'],
  ['Home', '\u001b[H', 'abc|d', '|abcd'],
  ['Ctrl-A', '\u0001', 'abc|d', '|abcd'],
  ['End', '\u001b[F', 'a|bcd', 'abcd|'],
  ['Ctrl-E', '\u0005', 'a|bcd', 'abcd|'],
  ['Ctrl-U', '\u0015', 'one two|three', '|three'],
  ['Ctrl-K', '\u000b', 'one |two', 'one |'],
  ['Ctrl-W', '\u0017', 'user:name|:x', 'user:|:x'],
  ['Ctrl-W over a separator', '\u0017', 'user:name:|x', 'user:|x'],
  ['Alt-B', '\u001bb', 'one two|', 'one |two'],
  ['Alt-F', '\u001bf', '|one two', 'one| two'],
  ['Ctrl-D', '\u0004', 'a|bc', 'a|c'],
];

for (const [about, press, before, after] of presses) {
  test(`edits a field: ${about}`, () => {
    expect(edited(before, { kind: 'press', text: press })).toBe(after);
  });
}

test.each(['\u0019', '\u001bx', '\u001b[15~', '\n', '\u001b[24~', '\u001a', '\u0003'])(
  'ignores %j in a field',
  (text) => expect(edited('a|', press(text))).toBe('a|'),
);

test.each(['\r', '\t', '\u001b', '\u001b[Z', '\u001b[A', '\u001b[B'])('passes %j to the form', (text) => {
  expect(editField([press('x'), press(text), press('y')], field('a|'))).toEqual({
    text: 'ax',
    cursor: 2,
    taken: 1,
  });
});

test('joins consecutive characters into one insertion, and edits in order', () => {
  const tokens = [...'hello world'].map(press);
  const paste: InputToken = { kind: 'paste', text: '!?' };
  expect(edited('|', ...tokens, press('\u0017'), press('x'), paste, press('\u007f'))).toBe('hello x!|');
});

const several: ReadonlyArray<readonly [about: string, pasted: string, kept: string]> = [
  ['a joined emoji', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['zero-width spaces and marks of direction', 'a\u200bb\u202ec\ufeff', 'a\u200bb\u202ec\ufeff'],
  ['control characters', 'a\u0000\u0007\u001b[31m', 'a\u0000\u0007\u001b[31m'],
  [
    'line ends as sent by a terminal',
    '-----BEGIN-----\rabc\r-----END-----\r',
    '-----BEGIN-----\nabc\n-----END-----\n',
  ],
  ['Windows line ends, from a terminal that keeps them', 'a\r\nb\r\n', 'a\r\nb\r\n'],
];

test.each(several)('keeps every character of a paste: %s', (_, pasted, saved) => {
  expect(editField([{ kind: 'paste', text: pasted }], field('|'), true).text).toBe(saved);
});

test('keeps all lines of a paste in a one-line field except the last line end', () => {
  expect(edited('a|b', { kind: 'paste', text: 'grüße 😀\r\n' })).toBe('agrüße 😀|b');
  expect(edited('|', { kind: 'paste', text: 'one\rtwo\r' })).toBe('one\ntwo|');
});

test.each(['\n', '\u001b\r'])('inserts a line feed for %j in a multi-line field', (text) => {
  expect(editField([press(text)], field('a|b'), true)).toEqual({ text: 'a\nb', cursor: 2, taken: 1 });
});

test.each([
  ['typed over', ['x', 'y'], 'xy|'],
  ['replaced after an empty paste', ['x', '\u007f', 'z'], 'z|'],
  ['deleted completely', ['\u007f'], '|'],
  ['unchanged by a move', ['\u001b[D', 'x'], 'abx|c'],
  ['unchanged by End', ['\u001b[F', 'x'], 'abcx|'],
])('selects text: %s', (_, sent, after) => {
  const edit = editField(sent.map(press), { text: 'abc', cursor: 3, isSelected: true });
  expect(formatField(edit)).toBe(after);
  expect(edit.isSelected).toBeUndefined();
});

test('moves over words of any length, and over any number of words', () => {
  const spaces = ' '.repeat(200_000);
  expect(editField([press('\u0017')], { text: `x${spaces}`, cursor: 200_001 }).text).toBe('');
  expect(editField([press('\u001bf')], { text: spaces, cursor: 0 }).cursor).toBe(200_000);
});
