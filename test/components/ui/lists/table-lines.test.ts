import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleLines } from '../../../../components/ui/lists/table-lines.ts';

const groups = ['Versions', 'Versions', 'Bindings', 'Secrets', 'Secrets', 'Secrets'];
const groupAt = (index: number) => groups[index] ?? '';

/** Returns the lines as strings: a heading, or the index of a row. */
function drawn(index: number, top: number, height: number): string[] {
  const lines = visibleLines({ length: groups.length, cursor: { index, top }, groupAt }, height);
  return lines.map((line) => ('heading' in line ? line.heading : String(line.index)));
}

test('puts a heading with a count before each group, and a blank line before it if everything fits', () => {
  expect(drawn(0, 0, 11)).toEqual([
    'Versions 2',
    '0',
    '1',
    '',
    'Bindings 1',
    '2',
    '',
    'Secrets 3',
    '3',
    '4',
    '5',
  ]);
  expect(drawn(0, 0, 10)).toEqual(['Versions 2', '0', '1', 'Bindings 1', '2', 'Secrets 3', '3', '4', '5']);
});

test('shows the selected row, and the heading of the first row if there is room for it', () => {
  expect(drawn(5, 5, 4)).toEqual(['Secrets 3', '3', '4', '5']);
  expect(drawn(2, 0, 4)).toEqual(['0', '1', 'Bindings 1', '2']);
  expect(drawn(0, 0, 1)).toEqual(['0']);
});

test('always shows the selected row, and never draws more lines than the height', () => {
  const places = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
    index: fc.nat(29),
    top: fc.nat(29),
    height: fc.integer({ min: 1, max: 40 }),
    isGrouped: fc.boolean(),
  });
  fc.assert(
    fc.property(places, ({ sizes, index: at, top, height, isGrouped }) => {
      const names = sizes.flatMap((size, group) => Array.from({ length: size }, () => `Group ${group}`));
      const index = at % names.length;
      const found = visibleLines(
        {
          length: names.length,
          cursor: { index, top },
          groupAt: isGrouped ? (row) => names[row] ?? '' : undefined,
        },
        height,
      );
      expect(found.length).toBeLessThanOrEqual(height);
      expect(found).toContainEqual({ index });
    }),
  );
});
