import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenizer } from '../../../../components/kit/terminal/input-tokens.ts';

/** The characters that these tests print before and after each kind of token. */
const marks = { press: ['', ''], paste: ['<', '>'], answer: ['answer ', ''], mouse: ['mouse ', ''] } as const;

/** Returns the tokens of each read, then the tokens of the remaining input: key presses unchanged, pastes in angle brackets. */
function tokenize(...chunks: string[]): string[] {
  const tokenizer = createTokenizer();
  const tokens = [...chunks.flatMap((chunk) => tokenizer.push(chunk)), ...tokenizer.flush()];
  return tokens.map(({ kind, text }) => `${marks[kind][0]}${text}${marks[kind][1]}`);
}

const cases: ReadonlyArray<readonly [about: string, chunks: readonly string[], tokens: readonly string[]]> = [
  ['letters in one read are separate presses', ['abc\r'], ['a', 'b', 'c', '\r']],
  ['three arrows in one read are three', ['\u001b[B\u001b[B\u001b[A'], ['\u001b[B', '\u001b[B', '\u001b[A']],
  ['a split sequence is one press', ['\u001b[', 'B'], ['\u001b[B']],
  ['application-mode arrows and function keys', ['\u001bOA\u001bOP'], ['\u001bOA', '\u001bOP']],
  ['keys with modifiers', ['\u001b[1;5C'], ['\u001b[1;5C']],
  ['the Linux console', ['\u001b[[A'], ['\u001b[[A']],
  ['Esc alone', ['\u001b'], ['\u001b']],
  ['two Esc in one read are two presses', ['\u001b\u001b'], ['\u001b', '\u001b']],
  ['a letter with Alt', ['\u001bf'], ['\u001bf']],
  ['emoji and letters beyond the BMP stay whole', ['a😀b'], ['a', '😀', 'b']],
  [
    'a bracketed paste is one token, regardless of its content',
    ['\u001b[200~q\r\u001b[31m\u001b[201~x'],
    ['<q\r\u001b[31m>', 'x'],
  ],
  ['a paste over several reads', ['\u001b[200~one', ' two', '\u001b[20', '1~'], ['<one two>']],
  ['a paste without an end is delivered after a timeout', ['\u001b[200~one'], ['<one>']],
  [
    'answers of the terminal are not presses',
    ['\u001b]11;rgb:0/0/0\u0007a\u001bP1$r\u001b\\b'],
    ['answer \u001b]11;rgb:0/0/0\u0007', 'a', 'answer \u001bP1$r\u001b\\', 'b'],
  ],
  [
    'mouse events are not presses',
    ['\u001b[<0;5', ';7Ma\u001b[<65;1;1M'],
    ['mouse \u001b[<0;5;7M', 'a', 'mouse \u001b[<65;1;1M'],
  ],
  ['Alt with a letter that begins an answer', ['\u001bP'], ['\u001bP']],
];

for (const [about, chunks, tokens] of cases) {
  test(`splits input into tokens: ${about}`, () => {
    expect(tokenize(...chunks)).toEqual(tokens);
  });
}

test('waits 20 ms for the rest of a sequence, longer for the rest of a paste, and otherwise does not wait', () => {
  const tokenizer = createTokenizer();
  tokenizer.push('a');
  expect(tokenizer.flushDelayMs()).toBeUndefined();
  tokenizer.push('\u001b');
  expect(tokenizer.flushDelayMs()).toBe(20);
  tokenizer.push('[200~text');
  expect(tokenizer.flushDelayMs()).toBe(1000);
});

test('returns a long paste from many reads as one token, regardless of where its end is split', () => {
  const text = 'x\u001b[2y'.repeat(400_000);
  const input = `\u001b[200~${text}\u001b[201~z`;
  const chunks = Array.from({ length: Math.ceil(input.length / 4095) }, (_, at) =>
    input.slice(at * 4095, (at + 1) * 4095),
  );
  const tokens = tokenize(...chunks);
  expect(tokens.length).toBe(2);
  expect(tokens[0] === `<${text}>`).toBe(true);
});

test('returns the same tokens regardless of where the reads split the input', () => {
  const piece = fc.constantFrom(
    'a',
    '😀',
    '\u001b[A',
    '\u001b[5~',
    '\u001bOH',
    '\r',
    '\u001b[200~x\ny\u001b[201~',
    '\u007f',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(60), { maxLength: 5 }),
      (pieces, cuts) => {
        const input = pieces.join('');
        const at = [0, ...cuts.map((cut) => Math.min(cut, input.length)).sort((a, b) => a - b), input.length];
        const chunks = at.slice(1).map((end, index) => input.slice(at[index], end));
        // A stream decoder never splits a surrogate pair.
        fc.pre(chunks.every((chunk) => chunk.isWellFormed()));
        expect(tokenize(...chunks)).toEqual(tokenize(input));
      },
    ),
  );
});
