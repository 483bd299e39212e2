import { expect, test } from 'vitest';
import { computeLayout, parentDepth } from '../../../../components/ui/layout/layout.ts';

const both = { preview: true, parent: true };
const widths = (columns: number, rows: number, has = both) => {
  const { main, preview, parent } = computeLayout({ columns, rows }, has);
  return [parent?.width, main.width, preview?.width].filter((width) => width !== undefined);
};

test.each([
  [40, 12, 1],
  [99, 40, 1],
  [100, 40, 2],
  [120, 15, 1],
  [120, 40, 2],
  [159, 40, 2],
  [160, 40, 3],
  [250, 70, 3],
])('%ix%i has %i regions next to each other, which fill it', (columns, rows, count) => {
  expect(widths(columns, rows)).toHaveLength(count);
  expect(widths(columns, rows).reduce((sum, width) => sum + width, 0)).toBe(columns);
});

test('gives the room of missing regions to the others', () => {
  expect(widths(120, 40, { preview: false, parent: true })).toEqual([120]);
  expect(widths(200, 40, { preview: false, parent: false })).toEqual([200]);
  expect(widths(200, 40, { preview: false, parent: true })).toHaveLength(2);
});

test('places the regions side by side, each with a border and a space on both sides', () => {
  const { main, preview, parent } = computeLayout({ columns: 200, rows: 50 }, both);
  expect([parent?.left, main.left, preview?.left]).toEqual([0, parent?.width, 200 - (preview?.width ?? 0)]);
  expect(main.columns).toBe(main.width - 4);
});

test('uses the nearest list as the parent, and none for a first pane', () => {
  const namespace = { id: 'a', title: 'a' };
  const entry = { name: 'k' };
  expect(parentDepth([{ pane: 'namespaces' }])).toBe(-1);
  expect(parentDepth([{ pane: 'namespaces' }, { pane: 'keys', namespace }])).toBe(0);
  const value = { pane: 'value', namespace, entry } as const;
  expect(parentDepth([{ pane: 'namespaces' }, { pane: 'keys', namespace }, value])).toBe(1);
});
