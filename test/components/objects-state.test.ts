import { expect, test } from 'vitest';
import { type ObjectRow, rowOf, rowsOf } from '../../components/panes/object-rows.ts';
import {
  noObjects,
  type ObjectsEvent,
  type ObjectsState,
  objectCounts,
  reduceObjects,
  selectedObject,
} from '../../components/panes/objects-state.ts';
import { shownLength, shownRow } from '../../components/panes/paged-list.ts';
import type { ObjectEntry } from '../../src/model/object.ts';
import { Problem } from '../../src/model/problem.ts';

function object(key: string, size = 1): ObjectEntry {
  return { key, size, etag: 'e', uploaded: 0, httpMetadata: {}, customMetadata: {} };
}

const first = noObjects({ pane: 'objects', bucket: { name: 'assets' }, folder: 'img/' });

function after(state: ObjectsState, ...events: ObjectsEvent[]): ObjectsState {
  return events.reduce(reduceObjects, state);
}

function page(items: readonly ObjectRow[], generation = 0): ObjectsEvent {
  return { type: 'page', generation, items, complete: true };
}

const listed = after(
  first,
  page(
    rowsOf('img/', {
      objects: [object('img/a.png'), object('img/z.png')],
      prefixes: ['img/b/', 'img/icons/'],
    }),
  ),
);

const names = ({ list }: ObjectsState) =>
  Array.from({ length: shownLength(list) }, (_, index) => shownRow(list, index)?.name);

test('shows folders and objects in the order of their keys, by their names in the folder', () => {
  expect(names(listed)).toEqual(['a.png', 'b/', 'icons/', 'z.png']);
  expect(selectedObject(listed)?.entry?.key).toBe('img/a.png');
  expect(objectCounts(listed, 10)).toBe('4 entries');
});

test('keeps an object that has the name of its folder, and a folder of an empty name', () => {
  const rows = rowsOf('img/', { objects: [object('img/')], prefixes: ['img//'] });
  expect(rows.map(({ name, key }) => [name, key])).toEqual([
    ['', 'img/'],
    ['/', 'img//'],
  ]);
});

test.each([
  ['img/c.png', 'c.png', true],
  ['img/deep/er/c.png', 'deep/', false],
  ['img//x', '/', false],
])('finds the row of %s', (key, name, isObject) => {
  const row = rowOf('img/', object(key));
  expect(row?.name).toBe(name);
  expect(row?.entry !== undefined).toBe(isObject);
});

test('takes in what is stored in the folder or below it, and nothing from elsewhere', () => {
  const stored = after(listed, { type: 'changed', key: 'img/c.png', entry: object('img/c.png', 9) });
  expect(names(stored)).toEqual(['a.png', 'b/', 'c.png', 'icons/', 'z.png']);
  expect(selectedObject(stored)?.entry?.size).toBe(9);
  const below = after(listed, { type: 'changed', key: 'img/new/x', entry: object('img/new/x') });
  expect(names(below)).toContain('new/');
  const elsewhere = after(listed, { type: 'changed', key: 'docs/x', entry: object('docs/x') });
  expect(names(elsewhere)).toEqual(names(listed));
});

test('lets go of what is deleted', () => {
  expect(names(after(listed, { type: 'changed', key: 'img/a.png', entry: undefined }))).not.toContain(
    'a.png',
  );
  expect(names(after(listed, { type: 'emptied', prefix: 'img/icons/' }))).toEqual(['a.png', 'b/', 'z.png']);
});

test('filters what is loaded; Enter asks the platform for the prefix, Esc gives up first one and then the other', () => {
  const typed = after(listed, { type: 'filtered', text: 'a' });
  expect(names(typed)).toEqual(['a.png']);
  expect(after(typed, { type: 'closed' })).toMatchObject({ list: { contains: '' }, work: {} });
  const applied = after(typed, { type: 'applied' });
  expect(applied.list).toMatchObject({ prefix: 'a', contains: '', generation: 1 });
  expect(objectCounts(after(applied, page([], 1)), 10)).toBe('prefix a · 0 entries');
  expect(after(applied, { type: 'unfiltered' }).list.prefix).toBe('');
});

test('stops a list that cannot be read, and says how to go on', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after(first, { type: 'failed', problem, command: { does: 'read' } });
  expect(objectCounts(failed, 10)).toContain('stopped: r reads the list again');
  expect(failed.work.dialog).toMatchObject({ kind: 'problem' });
  expect(after(failed, { type: 'listing' })).toMatchObject({ list: { stopped: false }, work: {} });
});
