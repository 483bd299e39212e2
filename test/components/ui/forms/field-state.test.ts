import { expect, test } from 'vitest';
import type { InputToken } from '../../../../components/kit/terminal/input-tokens.ts';
import { FieldState, fitsInkInput } from '../../../../components/ui/forms/field-state.ts';

function typing(...presses: string[]): InputToken[] {
  return presses.map((text) => ({ kind: 'press', text }));
}

interface Opened {
  readonly field: FieldState;
  /** The text after each change. */
  readonly changes: string[];
  /** Returns the number of redraws. */
  drawn(): number;
}

function open(text: string, multiline = false): Opened {
  const changes: string[] = [];
  const field = new FieldState(text, { width: 20, multiline, onChange: (changed) => changes.push(changed) });
  let drawn = 0;
  field.subscribe(() => drawn++);
  return { field, changes, drawn: () => drawn };
}

test('inserts 10,000 queued characters as one edit', () => {
  const { field, changes, drawn } = open('');
  expect(field.take(typing(...'x'.repeat(10_000), '\r'))).toBe(10_000);
  expect(changes).toEqual(['x'.repeat(10_000)]);
  expect(drawn()).toBe(1);
});

test('moves and erases in a long text immediately, and reports only changes', () => {
  const text = 'word '.repeat(2000);
  const { field, changes, drawn } = open(text);
  for (const press of ['\u0001', '\u0005', '\u001b[H', '\u001b[F', '\u001bb']) field.take(typing(press));
  expect(field.shown).toMatchObject({ text, cursor: text.length - 5 });
  expect(changes).toEqual([]);
  expect(drawn()).toBe(5);
  field.take(typing('\u0015'));
  expect(changes).toEqual(['word ']);
  expect(field.shown.cursor).toBe(0);
});

test('passes a key to ink-text-input only if it is a plain character typed at the end of a short text', () => {
  const { field, changes } = open('abc');
  expect(field.take(typing('d'))).toBe(0);
  field.typed('abcd');
  expect(field.shown).toEqual({ text: 'abcd', cursor: 4, edits: 0 });
  expect(field.take(typing('\u007f'))).toBe(0);
  expect(field.take(typing('d', 'e'))).toBe(2);
  expect(field.shown).toEqual({ text: 'abcdde', cursor: 6, edits: 1 });
  expect(field.take(typing('é'))).toBe(1);
  expect(field.take(typing('f'))).toBe(1);
  expect(field.take(typing('\u001b[D'))).toBe(1);
  expect(changes).toEqual(['abcd', 'abcdde', 'abcddeé', 'abcddeéf']);
});

test('remounts ink-text-input whenever its text was changed elsewhere', () => {
  const { field, changes } = open('abc');
  field.setText('abc');
  expect(field.shown.edits).toBe(0);
  field.setText('completed');
  expect(field.shown).toEqual({ text: 'completed', cursor: 9, edits: 1 });
  expect(changes).toEqual(['completed']);
});

test.each([
  ['at the end of a short plain text', 'abc', 3, true],
  ['in its middle', 'abc', 2, false],
  ['in a string that does not fit', 'x'.repeat(19), 19, false],
  ['after a character that is not plain', 'aé', 2, false],
] as const)('uses ink-text-input %s: %s at %i results in %s', (_, text, cursor, served) => {
  expect(fitsInkInput({ text, cursor }, 20)).toBe(served);
});
