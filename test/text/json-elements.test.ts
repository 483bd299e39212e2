import { describe, expect, it } from 'vitest';
import { JsonElements } from '../../src/text/json-elements.ts';
import { expectLinear } from '../support/growth.ts';

/** Returns the elements of a document that arrives in pieces of the given sizes; the last size is repeated. */
function getElements(text: string | Buffer, sizes: readonly number[] = [1 << 20], limit = 1 << 20): string[] {
  const found: string[] = [];
  const elements = new JsonElements('input', limit, (bytes, start, end) =>
    found.push(bytes.toString('utf8', start, end)),
  );
  const bytes = Buffer.from(text);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? 1;
    elements.push(bytes.subarray(at, at + size));
    at += size;
  }
  elements.end();
  return found;
}

describe('JsonElements', () => {
  it('skips a byte order mark', () => {
    expect(getElements('\ufeff[1, 2]', [1])).toEqual(['1', '2']);
    expect(getElements('\ufeff"a"\n"b"', [1])).toEqual(['"a"', '"b"']);
    for (const size of [1, 2, 3, 4]) expect(getElements('\ufeff\r\n ', [size])).toEqual([]);
  });

  it('finds no elements in an empty input, an empty array and blank lines', () => {
    for (const text of ['', ' \n\t\r\n', '[]', ' [ \n ] \n']) expect(getElements(text, [1])).toEqual([]);
  });

  it('passes an invalid element to the sink and continues with the next element', () => {
    expect(getElements('[{"a":1}, nonsense, {"b":}, 3]')).toEqual(['{"a":1}', 'nonsense', '{"b":}', '3']);
    expect(getElements('{"a":1}\n{"b"\n3\n')).toEqual(['{"a":1}', '{"b"', '3']);
  });

  it.each([
    ['[1, 2', 'the array is not closed'],
    ['["a', 'the array is not closed'],
    ['[1,, 2]', 'an entry is missing after entry 1'],
    ['[1,]', 'an entry is missing after entry 1'],
    ['[,1]', 'an entry is missing before the first entry'],
    ['[1}]', 'unexpected "}"'],
    ['[1] 2', 'there is text after the array'],
    ['[1][2]', 'there is text after the array'],
  ])('rejects %s', (text, reason) => {
    expect(() => getElements(text, [1])).toThrow(reason);
    expect(() => getElements(text)).toThrow(reason);
  });

  it('rejects an element longer than the limit before it has arrived completely', () => {
    for (const text of [`["${'x'.repeat(100)}`, `"${'x'.repeat(100)}`]) {
      expect(() => getElements(text, [10], 50)).toThrow('is longer than the maximum of 50 bytes.');
    }
  });

  it('rejects the lines of one object, but not an invalid line before valid lines', () => {
    const pretty = JSON.stringify({ key: 'a', metadata: { n: [1, 2] }, value: '1' }, null, 2);
    for (const text of [pretty, `\n\n${pretty.replaceAll('\n', '\r\n')}`, `${pretty}\n${pretty}`, '{\n}']) {
      for (const sizes of [[1], [1 << 20]]) {
        expect(() => getElements(text, sizes)).toThrow('contains a JSON object that spans several lines');
      }
    }
    for (const lines of [['{"a":', '{"b":2}'], ['{"a"', '"b"'], ['{'], ['{"a":1}', '{'], ['x {', '}']]) {
      expect(getElements(lines.join('\n'), [1])).toEqual(lines);
    }
  });

  const blanks = (length: number): string => ' \n\r\t'.repeat(length / 4);
  it.each<[string, (length: number) => string]>([
    ['blanks only', blanks],
    ['blanks before an array', (length) => `${blanks(length)}[1]`],
    ['blanks before lines', (length) => `${blanks(length)}"a"`],
    ['blanks between elements', (length) => `[1,${blanks(length)}2]`],
    ['blanks after an element', (length) => `[1${blanks(length)},2]`],
    ['blanks between lines', (length) => `1\n${blanks(length)}2`],
    ['blanks at the end of an array', (length) => `[1]${blanks(length)}`],
    ['blanks at the end of lines', (length) => `1\n${blanks(length)}`],
    ['one long string', (length) => `["${'x'.repeat(length)}"]`],
    ['one string of escapes', (length) => `["${'\\\\'.repeat(length / 2)}"]`],
    ['one string of quotes', (length) => `["${'\\"'.repeat(length / 2)}"]`],
    ['one long line', (length) => `"${'x'.repeat(length)}"`],
    ['deep nesting', (length) => `[${'['.repeat(length / 2)}${']'.repeat(length / 2)}]`],
  ])('needs four times as long for four times the input: %s', async (_, textOf) => {
    await expectLinear(512 * 1024, (length) => {
      getElements(textOf(length), [1024], Number.POSITIVE_INFINITY);
    });
  });
});
