import { expect, test } from 'vitest';
import { declareColumns, drawColumns } from '../../../../components/ui/lists/declared-columns.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}

const declared = declareColumns<Row>()(
  { SIZE: ({ size }) => size, NOTE: 'unsorted' },
  { heading: 'NAME', by: ({ name }) => name },
);

const drawn = { width: 4, importance: 1, cell: ({ size }: Row) => String(size) };

test('sorts by the declared columns and the name, and draws the visible columns in the given order', () => {
  expect(declared.sorts.map(({ heading }) => heading)).toEqual(['SIZE', 'NAME']);
  const columns = drawColumns(declared, { NOTE: drawn, SIZE: { ...drawn, heading: '0    30' } });
  expect(columns.map(({ heading }) => heading)).toEqual(['NOTE', '0    30']);
  expect(drawColumns(declared, { SIZE: drawn, NOTE: undefined }).map(({ heading }) => heading)).toEqual([
    'SIZE',
  ]);
});

test('does not compile if a column is declared but not drawn, or drawn but not declared', () => {
  // @ts-expect-error: NOTE is declared and not drawn
  drawColumns(declared, { SIZE: drawn });
  // @ts-expect-error: AGE is drawn and not declared
  drawColumns(declared, { SIZE: drawn, NOTE: drawn, AGE: drawn });
});
