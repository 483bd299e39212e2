import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { outlineValidToml } from '../../src/config/toml.ts';

/** Formats each span as "path kind: text". */
function outline(text: string): string[] {
  return outlineValidToml(text).map(
    (place) => `${place.path.join('/')} ${place.kind}: ${text.slice(place.start, place.end)}`,
  );
}

describe('the outline of a TOML document', () => {
  test('contains tables, arrays of tables and the tables below their elements', () => {
    expect(outline('[a]\nx = 1\n[[b]]\ny = 2\n[b.c]\nz = 3\n[[b]] # c\ny = 4\n[[b.d]]\n[[b.d]]\n')).toEqual([
      'a table: [a]',
      'a/x plain: 1',
      'b/0 element: [[b]]',
      'b/0/y plain: 2',
      'b/0/c table: [b.c]',
      'b/0/c/z plain: 3',
      'b/1 element: [[b]]',
      'b/1/y plain: 4',
      'b/1/d/0 element: [[b.d]]',
      'b/1/d/1 element: [[b.d]]',
    ]);
  });

  test('reads dotted and quoted keys, with their escapes', () => {
    expect(outline('a . "b.c" .\'d"\' = 1\n"\\u0041" = 2 # x\n[ "e f".g ]')).toEqual([
      'a/b.c/d" plain: 1',
      'A plain: 2',
      'e f/g table: [ "e f".g ]',
    ]);
  });

  test('ignores brackets, commas and quotes inside strings and comments', () => {
    const text = [
      'a = "x] # \\" }"',
      "b = 'C:\\'",
      'c = """\n"two"" ] \\"""\n""""" # end',
      "d = '''\n# ' '' [\n''''",
      'e = [ # ] "\n  1, "],", [ { f = "}" }, 2021-01-01 00:00:00 ], # ,\n] # done',
      'g = { h.i = 1, j = [] , k = {} }',
      'l = 1_000 # last',
    ].join('\n');
    expect(parse(text)).toBeTruthy();
    expect(outline(text)).toEqual([
      'a plain: "x] # \\" }"',
      "b plain: 'C:\\'",
      'c plain: """\n"two"" ] \\"""\n"""""',
      "d plain: '''\n# ' '' [\n''''",
      'e array: [ # ] "\n  1, "],", [ { f = "}" }, 2021-01-01 00:00:00 ], # ,\n]',
      'e/0 plain: 1',
      'e/1 plain: "],"',
      'e/2 array: [ { f = "}" }, 2021-01-01 00:00:00 ]',
      'e/2/0 inline-table: { f = "}" }',
      'e/2/0/f plain: "}"',
      'e/2/1 plain: 2021-01-01 00:00:00',
      'g inline-table: { h.i = 1, j = [] , k = {} }',
      'g/h/i plain: 1',
      'g/j array: []',
      'g/k inline-table: {}',
      'l plain: 1_000',
    ]);
  });

  test('finds every value of any TOML that the parser finds, at the right position', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true }));
    const tree = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('node'), { maxLength: 3 }), tie('table')),
      table: fc.dictionary(fc.string(), tie('node'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(tree.table, (data) => {
        const text = stringify(data);
        const parsed: unknown = parse(text);
        for (const place of outlineValidToml(text)) {
          if (place.kind === 'table' || place.kind === 'element') continue;
          const written = parse(`value = ${text.slice(place.start, place.end)}`)['value'];
          const value = place.path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], parsed);
          expect(written).toEqual(value);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('does not exhaust the stack on a megabyte of TOML', () => {
    const comments = `# ${'x'.repeat(100)}\n\n`.repeat(5000);
    const text = `${comments}a = """${'y'.repeat(500_000)}"""\n`;
    expect(outlineValidToml(text)).toHaveLength(1);
  });
});
