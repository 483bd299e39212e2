import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  emptyListState,
  type ListEvent,
  type ListState,
  reduceList,
} from '../../../components/ui/lists/list-state.ts';
import { isPicking } from '../../../components/ui/lists/narrowing.ts';
import { selectedId } from '../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../components/ui/lists/row-kind.ts';
import { rememberView, restoreList } from '../../../components/ui/lists/saved-view.ts';
import { isGrowing } from '../../../components/ui/lists/tree.ts';
import { selectedFolder } from '../../../components/ui/lists/tree-places.ts';
import { type Memory, memoryShape, noMemory } from '../../../src/model/places/memory.ts';

type Keys = { readonly name: string };

type Event = ListEvent<Keys>;
type State = ListState<Keys>;

const place = { kind: 'keys', namespace: 'sessions', prefix: '' } as const;
const after = (state: State, ...events: Event[]): State => {
  let next = events.reduce<State>(reduceList, state);
  while (isPicking(next.list) || isGrowing(next.list)) next = reduceList<Keys>(next, { type: 'picked' });
  return next;
};
const opened = (memory: Memory): State => {
  const empty = emptyListState<Keys>(byName, { whole: false, serverFilter: 'prefix' });
  return { ...empty, list: restoreList(empty.list, { place }, memory) };
};
const page = (names: readonly string[], complete = true): Event => ({
  type: 'page',
  generation: 0,
  items: names.map((name) => ({ name })),
  complete,
});
const move = (way: 'up' | 'down' | 'last'): Event => ({ type: 'moved', move: way, height: 10 });
const names = ['about', 'team:a', 'team:b', 'user:1', 'user:2', 'zoo'];

/** Returns the memory that a list saves, as read from the disk. */
function closeList({ list }: State): Memory {
  return v.parse(memoryShape, JSON.parse(JSON.stringify(rememberView(list, place, noMemory))));
}

test('selects the saved row as soon as it is loaded', () => {
  const memory = closeList(after(opened(noMemory), page(names), move('down'), move('down'), move('down')));
  const first = after(opened(memory), page(names.slice(0, 2), false));
  expect(selectedId(first.list)).toBe('about');
  expect(selectedId(after(first, page(names.slice(2))).list)).toBe('user:1');
  expect(first.list.wanted).toBe(4);
});

test('does not move the cursor if the user moved first, or the row no longer exists', () => {
  const memory = closeList(after(opened(noMemory), page(names), move('last')));
  const moved = after(opened(memory), page(names.slice(0, 3), false), move('down'), page(names.slice(3)));
  expect(selectedId(moved.list)).toBe('team:a');
  const gone = after(opened(memory), page(names.slice(0, -1)));
  expect(selectedId(gone.list)).toBe('about');
  expect(closeList(gone)).toEqual(noMemory);
});

test('restores the tree, its open folders, and the cursor in it', () => {
  const tree = after(opened(noMemory), page(names), { type: 'turned', what: 'tree' });
  const inside = after(tree, move('down'), { type: 'turned', what: 'folder' }, move('down'), move('down'));
  expect(selectedId(inside.list)).toBe('team:b');
  const again = after(opened(closeList(inside)), page(names.slice(0, 2), false), page(names.slice(2)));
  expect(selectedId(again.list)).toBe('team:b');
  expect([again.list.tree?.separator, ...(again.list.tree?.open ?? [])]).toEqual([':', 'team:']);
  const folder = after(opened(closeList(after(tree, move('last'), move('up')))), page(names));
  expect(selectedFolder(folder.list)?.prefix).toBe('user:');
});

test('keeps the saved view of a list that is closed before it is loaded', () => {
  const memory = closeList(after(opened(noMemory), page(names), move('last')));
  expect(closeList(opened(memory))).toEqual(memory);
});
