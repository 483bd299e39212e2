import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonElements } from '../../src/text/json-elements.ts';

/** Elements of a text that arrives in pieces of the given sizes, the last size again and again. */
function elementsOf(text: string | Buffer, sizes: readonly number[] = [1 << 20], limit = 1 << 20): string[] {
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
  it('gives the elements of an array, whatever pieces it arrives in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 20 }),
        fc.constantFrom(0, 2),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (values, indent, sizes) => {
          const text = JSON.stringify(values, null, indent);
          expect(elementsOf(text, sizes).map((one) => JSON.parse(one))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives the lines of NDJSON, whatever pieces it arrives in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.integer(), fc.dictionary(fc.string(), fc.jsonValue()))),
        fc.constantFrom('\n', '\r\n', '\n\n \t\n'),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (values, separator, sizes) => {
          const text = values.map((value) => JSON.stringify(value)).join(separator);
          expect(elementsOf(text, sizes).map((one) => JSON.parse(one))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('passes over a byte order mark', () => {
    expect(elementsOf('\ufeff[1, 2]', [1])).toEqual(['1', '2']);
    expect(elementsOf('\ufeff"a"\n"b"', [1])).toEqual(['"a"', '"b"']);
  });

  it('finds nothing in an empty input, an empty array and blank lines', () => {
    for (const text of ['', ' \n\t\r\n', '[]', ' [ \n ] \n']) expect(elementsOf(text, [1])).toEqual([]);
  });

  it('gives a wrong element to the sink and goes on behind it', () => {
    expect(elementsOf('[{"a":1}, nonsense, {"b":}, 3]')).toEqual(['{"a":1}', 'nonsense', '{"b":}', '3']);
    expect(elementsOf('{"a":1}\n{"b"\n3\n')).toEqual(['{"a":1}', '{"b"', '3']);
  });

  it.each([
    ['[1, 2', 'it ends within its array'],
    ['["a', 'it ends within its array'],
    ['[1,, 2]', 'an entry is missing after entry 0'],
    ['[1,]', 'an entry is missing after entry 0'],
    ['[,1]', 'an entry is missing at its beginning'],
    ['[1}]', 'a "}" closes nothing'],
    ['[1] 2', 'something follows its array'],
    ['[1][2]', 'something follows its array'],
  ])('refuses %s', (text, reason) => {
    expect(() => elementsOf(text, [1])).toThrow(reason);
    expect(() => elementsOf(text)).toThrow(reason);
  });

  it('refuses an element longer than the limit before it has arrived as a whole', () => {
    for (const text of [`["${'x'.repeat(100)}`, `"${'x'.repeat(100)}`]) {
      expect(() => elementsOf(text, [10], 50)).toThrow('longer than an entry can be');
    }
  });
});
