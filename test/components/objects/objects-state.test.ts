import { expect, test } from 'vitest';
import { needsPage, shownLength, shownRow } from '../../../components/lists/paged-list.ts';
import { uploadForm } from '../../../components/objects/forms.ts';
import {
  chosenObjects,
  noObjects,
  type ObjectsEvent,
  type ObjectsState,
  objectCounts,
  reduceObjects,
  selectedObject,
} from '../../../components/objects/objects-state.ts';
import { type ObjectRow, rowOf, rowsOf } from '../../../components/objects/rows.ts';
import type { ObjectEntry } from '../../../src/model/objects/object.ts';
import { Problem } from '../../../src/model/problem.ts';

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
});

test('filters what is loaded; Enter asks the platform for the prefix, Esc gives up first one and then the other', () => {
  const typed = after(listed, { type: 'filtered', text: 'a' });
  expect(names(typed)).toEqual(['a.png']);
  expect(after(typed, { type: 'closed' })).toMatchObject({ list: { contains: '' }, work: {} });
  const applied = after(typed, { type: 'applied' });
  expect(applied.list).toMatchObject({ prefix: 'a', contains: '', generation: 1 });
  expect(objectCounts(after(applied, page([], 1)), 10)).toBe('prefix a · 0 entries');
  expect(after(applied, { type: 'stepped-back' }).list.prefix).toBe('');
});

test('stops a list that cannot be read, and says how to go on', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after(first, { type: 'failed', problem, command: { does: 'read' } });
  expect(objectCounts(failed, 10)).toContain('stopped: r reads the list again');
  expect(failed.work.dialog).toMatchObject({ kind: 'problem' });
  expect(after(failed, { type: 'listing' })).toMatchObject({ list: { stopped: false }, work: {} });
});

const mark: ObjectsEvent = { type: 'marked', how: 'mark', height: 10 };

test('acts on the marked objects and folders, by their whole keys, and else on the selected one', () => {
  expect(chosenObjects(first)).toBeUndefined();
  expect(chosenObjects(listed)).toEqual({
    bucket: 'assets',
    folder: 'img/',
    marked: [{ key: 'img/a.png', size: 1 }],
    hidden: 0,
  });
  const marked = after(listed, mark, mark, { type: 'filtered', text: 'z' });
  expect(chosenObjects(marked)).toMatchObject({
    marked: [{ key: 'img/a.png', size: 1 }, { prefix: 'img/b/' }],
    hidden: 2,
  });
  expect(objectCounts(marked, 10)).toContain('2 marked, 2 not shown');
});

test('knows no size of a marked object that is not loaded', () => {
  const unloaded = after(listed, mark, { type: 'filtered', text: 'q' }, { type: 'applied' });
  expect(chosenObjects(unloaded)?.marked).toEqual([{ key: 'img/a.png' }]);
});

test('an object that has the name of its folder is no folder', () => {
  const alone = after(first, page(rowsOf('img/', { objects: [object('img/', 7)], prefixes: [] })));
  expect(chosenObjects(alone)?.marked).toEqual([{ key: 'img/', size: 7 }]);
});

test('steps back from the filter and the prefix to the marks, and takes those away', () => {
  const marked = after(listed, mark, { type: 'filtered', text: 'z' }, { type: 'kept' });
  const unfiltered = after(marked, { type: 'stepped-back' });
  expect(unfiltered.list.contains).toBe('');
  expect(objectCounts(unfiltered, 10)).toContain('1 marked');
  expect(objectCounts(after(unfiltered, { type: 'stepped-back' }), 10)).not.toContain('marked');
});

test('keeps a form while the list is read again beside it, also when that fails', () => {
  const typing = after(listed, { type: 'asked', dialog: uploadForm('assets', 'img/') }, { type: 'stale' });
  expect(typing).toMatchObject({ list: { generation: 1 }, work: { dialog: { kind: 'form' } } });
  const problem = new Problem('unreachable', 'no answer');
  const failed = after(typing, { type: 'failed', problem, command: { does: 'read' } });
  expect(failed).toMatchObject({ list: { stopped: true }, work: typing.work });
});

test('waits for no page that was asked for before the list was begun anew', () => {
  const late = after(listed, { type: 'listing' }, { type: 'loading', generation: 0 });
  expect(needsPage(late.list, 10)).toBe(true);
  expect(needsPage(after(late, { type: 'loading', generation: 1 }).list, 10)).toBe(false);
});
