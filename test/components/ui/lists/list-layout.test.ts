// Requirement: columns are as wide as their content needs, the preview gets the remaining width, and a wider screen never shows less.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostnameColumns } from '../../../../components/hostnames/columns.ts';
import type { Column } from '../../../../components/ui/lists/columns.ts';
import { divideList, type ListLayout } from '../../../../components/ui/lists/list-layout.ts';

const name = { heading: 'NAME', cell: () => '' };

const someColumns = fc.array(
  fc.record({
    width: fc.integer({ min: 3, max: 40 }),
    grows: fc.integer({ min: 0, max: 40 }),
    isExtra: fc.boolean(),
    need: fc.integer({ min: 0, max: 90 }),
  }),
  { maxLength: 10 },
);

const content = fc
  .record({
    columns: someColumns,
    need: fc.integer({ min: 0, max: 300 }),
    hasPreview: fc.boolean(),
    hasDetails: fc.boolean(),
  })
  .map(({ columns, need, ...has }) => ({
    ...has,
    name,
    columns: columns.map(
      ({ width, grows, isExtra }, index): Column<string> => ({
        heading: `C${index}`,
        width,
        ...(grows > 0 && { maxWidth: width + grows }),
        ...(isExtra && { isExtra }),
        importance: columns.length - index,
        cell: () => '',
      }),
    ),
    needs: {
      name: { usual: Math.floor(need * 0.7), max: need },
      columns: new Map(columns.map((column, index) => [`C${index}`, column.need] as const)),
    },
  }));

function shown(layout: ListLayout<never>): string[] {
  const parts = [layout.preview && 'preview', layout.details && 'details'].filter(
    (part) => part !== undefined,
  );
  return [...layout.columns.map(({ heading }) => heading), ...parts];
}

test.each([12, 30])('a wider screen never loses a column or a preview on %i rows', (rows) => {
  fc.assert(
    fc.property(content, (wanted) => {
      let before: string[] = [];
      for (let columns = 40; columns <= 220; columns++) {
        const now = shown(divideList({ columns, rows }, wanted));
        expect(now).toEqual(expect.arrayContaining(before));
        before = now;
      }
    }),
  );
});

test('the regions and the columns in them fill the screen exactly', () => {
  fc.assert(
    fc.property(
      content,
      fc.integer({ min: 40, max: 220 }),
      fc.constantFrom(12, 30),
      fc.option(fc.double({ min: 0.2, max: 0.8, noNaN: true }), { nil: undefined }),
      (wanted, columns, rows, share) => {
        const layout = divideList({ columns, rows }, { ...wanted, share });
        const { main, preview, details, columns: drawn, nameWidth } = layout;
        const regions = [main, preview, details].filter((region) => region !== undefined);
        expect(regions.reduce((left, region) => (region.left === left ? left + region.width : -1), 0)).toBe(
          columns,
        );
        const used = drawn.reduce((sum, { width }) => sum + width + 2, nameWidth);
        expect(used).toBeLessThanOrEqual(Math.max(main.columns, 24));
        for (const { heading, width } of drawn) {
          const { width: fixed = 0, maxWidth } = wanted.columns.find((one) => one.heading === heading) ?? {};
          if (maxWidth === undefined) expect(width).toBe(fixed);
          else expect(width).toBeLessThanOrEqual(maxWidth);
          expect(width).toBeGreaterThanOrEqual(Math.min(fixed, heading.length));
        }
      },
    ),
  );
});

const hostnames = {
  name: { heading: 'HOSTNAME', cell: () => '' },
  columns: hostnameColumns(0),
  needs: { name: { usual: 28, max: 56 }, columns: new Map([['CERTIFICATE', 18]]) },
  hasPreview: true,
  hasDetails: true,
};

test.each([
  [80, 'SEVERITY EXPIRY WHO STATE'],
  [120, 'SEVERITY EXPIRY WHO STATE preview'],
  [160, 'SEVERITY EXPIRY WHO STATE preview details'],
  [200, 'SEVERITY EXPIRY WHO STATE CERTIFICATE preview details'],
  [220, 'SEVERITY EXPIRY WHO STATE CERTIFICATE STATUS AGE CA preview details'],
])('on %i columns the list of hostnames has the columns %s', (columns, wanted) => {
  expect(shown(divideList({ columns, rows: 40 }, hostnames)).join(' ')).toBe(wanted);
});

test('does not shorten the causes in the list of hostnames when a preview is shown', () => {
  const needs = { name: { usual: 28, max: 56 }, columns: new Map([['STATE', 19]]) };
  const widths = [80, 100, 120, 160, 200].map((columns) => {
    const { columns: drawn } = divideList({ columns, rows: 40 }, { ...hostnames, needs });
    return drawn.find(({ heading }) => heading === 'STATE')?.width ?? 0;
  });
  // The longest of the common causes is `renewal at risk`.
  expect(Math.min(...widths)).toBeGreaterThanOrEqual('renewal at risk'.length);
  expect(divideList({ columns: 120, rows: 40 }, { ...hostnames, needs }).preview?.width).toBeGreaterThan(36);
});

test('gives a narrow preview room before long hostnames, then both get more room', () => {
  const cells = new Map(Object.entries({ STATE: 18, WHO: 12, EXPIRY: 6 }));
  const needs = { name: { usual: 28, max: 56 }, columns: cells };
  const layout = (columns: number) =>
    divideList({ columns, rows: 40 }, { ...hostnames, needs, hasDetails: false });
  expect(layout(116)).toMatchObject({ nameWidth: 24, preview: { width: 38 } });
  expect(layout(120)).toMatchObject({ nameWidth: 28, main: { width: 82 }, preview: { width: 38 } });
  let [name, preview] = [0, 0];
  // On a screen of 138 columns or more, the preview has room for more facts, and the list is no wider than necessary.
  for (let columns = 116; columns < 138; columns++) {
    const now = layout(columns);
    expect(now.nameWidth).toBeGreaterThanOrEqual(name);
    expect(now.preview?.width).toBeGreaterThanOrEqual(preview);
    [name, preview] = [now.nameWidth, now.preview?.width ?? 0];
  }
});

test('draws a list as wide as its names need, and gives the preview the remaining width', () => {
  const columns = [{ heading: 'ID', width: 32, importance: 1, cell: () => '' }];
  const layout = (columnsOfScreen: number, need: number) =>
    divideList(
      { columns: columnsOfScreen, rows: 40 },
      {
        name,
        columns,
        needs: { name: { usual: need, max: need }, columns: new Map() },
        hasPreview: true,
        hasDetails: false,
      },
    );
  expect(layout(120, 20)).toMatchObject({
    nameWidth: 24,
    main: { width: 62 },
    preview: { left: 62, width: 58 },
  });
  expect(layout(120, 36)).toMatchObject({
    nameWidth: 36,
    main: { width: 74 },
    preview: { left: 74, width: 46 },
  });
  expect(layout(200, 200)).toMatchObject({ nameWidth: 80, preview: { width: 82 } });
});

test('uses the space that names do not need for columns on a screen without borders', () => {
  const columns: Column<string>[] = [
    { heading: 'VALUE', width: 14, maxWidth: 60, importance: 1, cell: () => '' },
  ];
  const layout = (need: number) =>
    divideList(
      { columns: 40, rows: 12 },
      {
        name,
        columns,
        needs: { name: { usual: need, max: need }, columns: new Map([['VALUE', 50]]) },
        hasPreview: false,
        hasDetails: false,
      },
    );
  expect(layout(18)).toMatchObject({ nameWidth: 18, columns: [{ width: 20 }] });
  expect(layout(30)).toMatchObject({ nameWidth: 24, columns: [{ width: 14 }] });
  expect(layout(2)).toMatchObject({ nameWidth: 5, columns: [{ width: 33 }] });
});

test('keeps the columns next to short names on a screen without a preview', () => {
  const column: Column<string> = { heading: 'C', width: 10, importance: 1, cell: () => '' };
  const needs = { name: { usual: 28, max: 28 }, columns: new Map() };
  const layout = divideList(
    { columns: 80, rows: 24 },
    { name, columns: [column], needs, hasPreview: true, hasDetails: false },
  );
  expect(layout.nameWidth).toBe(28);
});
