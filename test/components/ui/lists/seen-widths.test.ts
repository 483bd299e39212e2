import { expect, test } from 'vitest';
import type { Column } from '../../../../components/ui/lists/columns.ts';
import { addPage } from '../../../../components/ui/lists/list-pages.ts';
import { emptyList } from '../../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../../components/ui/lists/row-kind.ts';
import { SeenWidths } from '../../../../components/ui/lists/seen-widths.ts';

interface Row {
  readonly name: string;
  readonly note: string;
}

const name = { heading: 'NAME', cell: (row: Row) => row.name };
const note: Column<Row> = {
  heading: 'NOTE',
  width: 9,
  importance: 1,
  hidesEmpty: true,
  cell: (row) => row.note,
};

test.each([
  ['shows a column of a fixed width', [note], 'x', ['NOTE']],
  ['shows a growing column', [{ ...note, maxWidth: 20 }], 'x', ['NOTE']],
  ['hides a column of a fixed width', [note], '', []],
  ['hides a growing column', [{ ...note, maxWidth: 20 }], '', []],
])('%s by whether a row has a cell for it', (_, columns, cell, shown) => {
  const empty = emptyList<Row>(byName);
  const items = ['', cell, ''].map((text, index) => ({ name: `${index}`, note: text }));
  const list = addPage(empty, { generation: empty.generation, items, complete: true });
  const seen = new SeenWidths();
  seen.measure(list, { name, columns, redact: (text) => text, height: 10 });
  expect(seen.needed(list, columns).map(({ heading }) => heading)).toEqual(shown);
});
