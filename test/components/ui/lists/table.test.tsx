// Requirements: columns in order of importance, one bar for the selected row, and only the rows that fit on the
// screen.
import { expect, test } from 'vitest';
import type { Column } from '../../../../components/ui/lists/columns.ts';
import { Table } from '../../../../components/ui/lists/Table.tsx';
import { measureCharacter } from '../../../../src/text/width.ts';
import { renderPart } from '../part.tsx';

interface Row {
  readonly name: string;
  readonly size: string;
  readonly note: string;
}

const rows: readonly Row[] = Array.from({ length: 100 }, (_, index) => ({
  name: `row-${String(index).padStart(3, '0')}`,
  size: `${index} B`,
  note: `note ${index}`,
}));

const columns: readonly Column<Row>[] = [
  {
    heading: 'SIZE',
    width: 8,
    importance: 2,
    align: 'right',
    cell: ({ size }: Row) => size,
    role: () => 'plain',
  },
  { heading: 'NOTE', width: 20, importance: 1, cell: ({ note }: Row) => note, role: () => 'dim' },
];

function table(props: Partial<Parameters<typeof Table<Row>>[0]> = {}) {
  return (
    <Table<Row>
      name={{ heading: 'NAME', cell: ({ name }) => name }}
      columns={columns}
      length={rows.length}
      rowAt={(index) => rows[index]}
      cursor={{ index: 0, top: 0 }}
      height={5}
      empty="No rows: n makes one."
      {...props}
    />
  );
}

test('draws the heading of a table and only the rows that fit the screen', () => {
  const asked = new Set<number>();
  const { lines } = renderPart(
    table({
      cursor: { index: 50, top: 49 },
      rowAt: (index) => {
        asked.add(index);
        return rows[index];
      },
    }),
  );
  expect(lines()[0]).toMatch(/^NAME .*SIZE.*NOTE/);
  expect(
    lines()
      .slice(1)
      .map((line) => line.split(' ')[0]),
  ).toEqual(['row-049', 'row-050', 'row-051', 'row-052']);
  expect([...asked].sort()).toEqual([49, 50, 51, 52]);
});

test.each([
  [80, true, true],
  [40, true, false],
  [14, false, false],
])(
  'keeps the most important columns on %i columns, and exceeds the width in no line',
  (width, hasSize, hasNote) => {
    const { lines, text } = renderPart(table(), { columns: width });
    expect([text().includes('SIZE'), text().includes('NOTE')]).toEqual([hasSize, hasNote]);
    expect(text()).toContain('row-000');
    expect(lines().every((line) => measureCharacter(line) <= width)).toBe(true);
  },
);

test('draws a column of marks if a row is marked, and shows in an empty list what to do', () => {
  const { lines, again, text } = renderPart(table({ isMarked: ({ name }) => name === 'row-001' }));
  expect(lines()[1]).toMatch(/^ {2}row-000/);
  expect(lines()[2]).toMatch(/^\* row-001/);
  again(table({ length: 0 }));
  expect(text()).toContain('No rows: n makes one.');
});
