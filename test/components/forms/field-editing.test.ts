import { expect, test } from 'vitest';
import { type Editing, editField } from '../../../components/forms/field-editing.ts';
import type { Token } from '../../../components/terminal/input-tokens.ts';

/** A field as ink-text-input keeps it: it knows left, right, one backspace of one code unit, and text. */
function typeInto(editing: Editing, sequences: readonly string[]): Editing {
  let { text, cursor } = editing;
  for (const sequence of sequences) {
    if (sequence === '\u001b[D') cursor = Math.max(0, cursor - 1);
    else if (sequence === '\u001b[C') cursor = Math.min(text.length, cursor + 1);
    else if (sequence === '\u007f') {
      text = text.slice(0, Math.max(0, cursor - 1)) + text.slice(cursor);
      cursor = Math.max(0, cursor - 1);
    } else {
      text = text.slice(0, cursor) + sequence + text.slice(cursor);
      cursor += sequence.length;
    }
  }
  return { text, cursor };
}

/** A field written with `|` where the cursor is. */
function field(written: string): Editing {
  return { text: written.replace('|', ''), cursor: written.indexOf('|') };
}

function written({ text, cursor }: Editing): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function edited(before: string, token: Token): string {
  const edit = editField(token, field(before));
  const after = typeInto(field(before), edit.sequences);
  expect(edit.cursor).toBe(after.cursor);
  return written(after);
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

test.each(['\u0019', '\u001bx', '\u001b[15~', '\n', '\u001b[24~'])('types nothing for %j', (text) => {
  expect(editField({ kind: 'press', text }, field('a|')).sequences).toEqual([]);
});

test.each(['\r', '\t', '\u001b', '\u001b[Z', '\u001b[A', '\u001b[B', '\u0003', '\u001a'])(
  'leaves %j to the form',
  (text) => {
    expect(editField({ kind: 'press', text }, field('a|')).sequences).toEqual([text]);
  },
);

test('pastes a text in one piece, without the line feed at its end', () => {
  const edit = editField({ kind: 'paste', text: 'grüße 😀\r\n' }, field('a|b'));
  expect(edit).toEqual({ sequences: ['grüße 😀'], cursor: 'agrüße 😀'.length, dropped: 0 });
});

test('leaves out of a paste what a field cannot show, and counts it', () => {
  const edit = editField({ kind: 'paste', text: 'a\u001b[31mb\u202ec\nd\u0000\ufe0f' }, field('|'));
  expect(edit).toEqual({ sequences: ['a[31mbcd'], cursor: 8, dropped: 5 });
});

test('takes the beginning of a huge paste, and counts the rest', () => {
  const edit = editField({ kind: 'paste', text: 'x'.repeat(1_000_000) }, field('|'));
  expect(edit.cursor).toBe(16_384);
  expect(edit.dropped).toBe(1_000_000 - 16_384);
});

test('a paste of nothing that can be shown presses nothing', () => {
  expect(editField({ kind: 'paste', text: '\u0007\u0007' }, field('a|'))).toEqual({
    sequences: [],
    cursor: 1,
    dropped: 2,
  });
});
