import { expect, test } from 'vitest';
import { chosenObjects, rowOfChange } from '../../../components/objects/object-list.ts';
import { type ObjectRow, toRows } from '../../../components/objects/rows.ts';
import {
  emptyListState,
  type ListEvent,
  type ListState,
  reduceList,
} from '../../../components/ui/lists/list-state.ts';
import { byName } from '../../../components/ui/lists/row-kind.ts';
import type { ObjectEntry } from '../../../src/model/objects/object.ts';

function object(key: string, size = 1): ObjectEntry {
  return { key, size, etag: 'e', uploaded: 0, httpMetadata: {}, customMetadata: {} };
}

type ObjectParts = ObjectRow;
type Event = ListEvent<ObjectParts>;

const first = emptyListState<ObjectParts>(byName, { serverFilter: 'prefix', whole: false });

function after(state: ListState<ObjectParts>, ...events: Event[]): ListState<ObjectParts> {
  return events.reduce(reduceList<ObjectParts>, state);
}

function page(items: readonly ObjectRow[]): Event {
  return { type: 'page', generation: 0, items, complete: true };
}

const rows = toRows('img/', {
  objects: [object('img/a.png'), object('img/z.png')],
  prefixes: ['img/b/', 'img/icons/'],
});
const listed = after(first, page(rows));
const place = { pane: 'objects', bucket: { name: 'assets' }, folder: 'img/' } as const;
const chosen = ({ list }: ListState<ObjectParts>) => chosenObjects(place, list);

test('lists folders and objects in the order of their keys, by their names within the parent folder', () => {
  expect(rows.map(({ name }) => name)).toEqual(['a.png', 'b/', 'icons/', 'z.png']);
  expect(rows[0]?.entry?.key).toBe('img/a.png');
});

test('shows an object with the name of its folder, and a folder with an empty name', () => {
  const found = toRows('img/', { objects: [object('img/')], prefixes: ['img//'] });
  expect(found.map(({ name, key }) => [name, key])).toEqual([
    ['', 'img/'],
    ['/', 'img//'],
  ]);
});

test.each([
  ['img/c.png', { id: 'c.png', row: { name: 'c.png', entry: object('img/c.png') } }],
  ['img/deep/er/c.png', { id: 'deep/', row: { name: 'deep/', key: 'img/deep/', entry: undefined } }],
  ['img//x', { id: '/', row: { name: '/', entry: undefined } }],
  ['docs/x', undefined],
])('inserts %s after it was stored, as a row of the folder', (key, change) => {
  const found = rowOfChange('img/', { changed: 'object', bucket: 'assets', key, entry: object(key) });
  if (change === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(change);
});

test.each([
  ['img/a.png', { id: 'a.png', row: undefined }],
  // The folder may contain other objects.
  ['img/deep/c.png', undefined],
  ['docs/x', undefined],
])('removes the row of %s after it was deleted', (key, change) => {
  const gone = { changed: 'object', bucket: 'assets', key, entry: undefined } as const;
  expect(rowOfChange('img/', gone)).toEqual(change);
});

const mark: Event = { type: 'marked', how: 'mark', height: 10 };

test('acts on the full keys of the marked objects and folders, or on the selected item if nothing is marked', () => {
  expect(chosen(first)).toBeUndefined();
  expect(chosen(listed)).toEqual({
    bucket: 'assets',
    folder: 'img/',
    marked: [{ key: 'img/a.png', size: 1 }],
    hidden: 0,
  });
  expect(chosen(after(listed, mark, mark, { type: 'filtered', text: 'z' }))).toMatchObject({
    marked: [{ key: 'img/a.png', size: 1 }, { prefix: 'img/b/' }],
    hidden: 2,
  });
});

test('omits the size of marked objects that are not loaded', () => {
  const unloaded = after(listed, mark, { type: 'asking', text: 'q' }, { type: 'entered' });
  expect(chosen(unloaded)?.marked).toEqual([{ key: 'img/a.png' }]);
});

test('shows an object with the name of its folder as a row, not as a folder', () => {
  const alone = after(first, page(toRows('img/', { objects: [object('img/', 7)], prefixes: [] })));
  expect(chosen(alone)?.marked).toEqual([{ key: 'img/', size: 7 }]);
});
