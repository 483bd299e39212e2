import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyListState,
  type ListEvent,
  type ListState,
  reduceList,
} from '../../../../components/ui/lists/list-state.ts';
import { listHeader } from '../../../../components/ui/lists/list-words.ts';
import { markedNames } from '../../../../components/ui/lists/marks.ts';
import { isPicking } from '../../../../components/ui/lists/narrowing.ts';
import { selectedRow, shownLength, shownRow } from '../../../../components/ui/lists/paged-list.ts';
import { byName, compareBytes } from '../../../../components/ui/lists/row-kind.ts';
import { isGrowing } from '../../../../components/ui/lists/tree.ts';
import { folderAt, formatTreeLine, selectedFolder } from '../../../../components/ui/lists/tree-places.ts';
import { redact } from '../../plain-surface.ts';

type Keys = { readonly name: string };

type Event = ListEvent<Keys>;
type State = ListState<Keys>;

const after = (state: State, ...events: Event[]): State => {
  let next = events.reduce<State>(reduceList, state);
  while (isPicking(next.list) || isGrowing(next.list)) next = reduceList<Keys>(next, { type: 'picked' });
  return next;
};
const first = emptyListState<Keys>(byName, { whole: false, serverFilter: 'prefix' });
const page = (names: readonly string[], complete = true, generation = 0): Event => ({
  type: 'page',
  generation,
  items: names.map((name) => ({ name })),
  complete,
});
const tree: Event = { type: 'turned', what: 'tree' };
const turn: Event = { type: 'turned', what: 'folder' };
const move = (way: 'up' | 'down' | 'first' | 'last'): Event => ({ type: 'moved', move: way, height: 10 });
const mark: Event = { type: 'marked', how: 'mark', height: 10 };
const out: Event = { type: 'stepped-out' };
const lines = ({ list }: State) =>
  Array.from({ length: shownLength(list) }, (_, at) => formatTreeLine(list, at));
const some = after(first, page(['about', 'team:a', 'team:b:1', 'team:b:2', 'user:', 'user:1', 'zoo']));

test('splits names into folders with counts, and opens and closes them in place', () => {
  const closed = after(some, tree);
  expect(lines(closed)).toEqual(['  about', '+ team:  (3)', '+ user:  (2)', '  zoo']);
  const open = after(closed, move('down'), turn);
  expect(lines(open)).toEqual(['  about', '- team:  (3)', '    a', '  + b:  (2)', '+ user:  (2)', '  zoo']);
  const deep = after(open, move('down'), move('down'), turn);
  expect(lines(deep).slice(3, 6)).toEqual(['  - b:  (2)', '      1', '      2']);
  expect(lines(after(deep, turn))).toEqual(lines(open));
  expect(lines(after(closed, move('last'), move('up'), turn)).slice(2)).toEqual([
    '- user:  (2)',
    '    (the folder itself)',
    '    1',
    '  zoo',
  ]);
  expect(listHeader(open, { one: 'key', many: 'keys' }, 10, redact)).toBe('tree by : · 7 keys');
});

test('closes an open folder, then selects the parent, then stops', () => {
  const inside = after(some, tree, move('down'), turn, move('down'), move('down'), turn, move('down'));
  expect(selectedRow(inside.list)?.name).toBe('team:b:1');
  const way = ['team:b:', 'team:b:', 'team:', 'team:'];
  let state = inside;
  for (const wanted of way) {
    state = after(state, out);
    expect(selectedFolder(state.list)?.prefix).toBe(wanted);
  }
  expect(selectedFolder(state.list)?.isOpen).toBe(false);
  expect(after(state, out).list).toBe(state.list);
});

test('keeps the selection or its folder in a tree, in a list, with another separator and with a filter', () => {
  const selected = after(some, move('down'), move('down'));
  const asTree = after(selected, tree);
  expect(selectedFolder(asTree.list)?.prefix).toBe('team:');
  expect(selectedRow(after(asTree, tree).list)?.name).toBe('team:a');
  const open = after(asTree, turn, move('down'));
  expect(selectedRow(after(open, { type: 'turned', what: 'separator' }).list)?.name).toBe('team:a');
  const found = after(open, { type: 'filtered', text: 'a' });
  expect(lines(found)).toEqual(['  about', '- team:  (3)', '    a', '  + b:  (2)']);
  expect(selectedRow(found.list)?.name).toBe('team:a');
  expect(lines(after(found, { type: 'filtered', text: '!b' }))).toEqual([
    '- team:  (1)',
    '    a',
    '+ user:  (2)',
    '  zoo',
  ]);
});

test('uses the separator that most names contain', () => {
  const paths = after(first, page(['a.b/c', 'a/b:c', 'd/e']), tree);
  expect(paths.list.tree?.separator).toBe('/');
  expect(lines(paths)).toEqual(['+ a.b/  (1)', '+ a/  (1)', '+ d/  (1)']);
});

test('adds rows to a tree as pages arrive, shows where more rows may follow, and keeps the tree when the list is reread', () => {
  const half = after(first, page(['team:a', 'team:b'], false), tree);
  expect(lines(half)).toEqual(['+ team:  (2+)']);
  const open = after(half, turn, page(['team:c', 'team:d:1', 'zoo']));
  expect(lines(open)).toEqual(['- team:  (4)', '    a', '    b', '    c', '  + d:  (1)', '  zoo']);
  const gone = after(open, { type: 'changed', id: 'team:b', row: undefined });
  expect(lines(gone)).toEqual(['- team:  (3)', '    a', '    c', '  + d:  (1)', '  zoo']);
  const again = after(gone, move('last'), { type: 'outdated' }, page(['team:x', 'zoo'], true, 1));
  expect(lines(again)).toEqual(['- team:  (1)', '    x', '  zoo']);
  expect(selectedRow(again.list)?.name).toBe('zoo');
});

test('marks all loaded rows of a folder, and removes the marks if all rows are marked', () => {
  const marked = after(some, tree, move('down'), mark);
  expect(markedNames(marked.list)).toEqual(['team:a', 'team:b:1', 'team:b:2']);
  const less = after(marked, move('up'), mark);
  expect(after(less, { type: 'unmarked' }).list.marks.names.size).toBe(0);
  expect(
    markedNames(after(marked, move('up'), turn, move('down'), mark, move('first'), move('down'), mark).list),
  ).toEqual(['team:a', 'team:b:1', 'team:b:2']);
  const range = after(some, tree, mark, { type: 'marked', how: 'mark-range', height: 10 });
  expect(markedNames(range.list)).toEqual(['about', 'team:a', 'team:b:1', 'team:b:2']);
  expect(markedNames(after(some, tree, { type: 'marked', how: 'mark-shown', height: 10 }).list)).toHaveLength(
    7,
  );
});

test('skips a closed folder of a million rows in one step, and opens it in slices', () => {
  const names = Array.from({ length: 200_000 }, (_, at) => `user:${String(at).padStart(6, '0')}`);
  const listed = after(first, page(['about', ...names, 'zoo']));
  const start = performance.now();
  const closed = reduceList<Keys>(listed, tree);
  expect(performance.now() - start).toBeLessThan(200);
  expect(lines(closed)).toEqual(['  about', '+ user:  (200,000)', '  zoo']);
  const opening = reduceList<Keys>(reduceList<Keys>(closed, move('down')), turn);
  expect(isGrowing(opening.list)).toBe(true);
  expect(shownLength(after(opening).list)).toBe(200_003);
});

const names = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom('a', 'b', ':', '\u{ff5e}', '\u{1f600}'), minLength: 1, maxLength: 7 }),
  {
    maxLength: 25,
  },
);

/** Opens every folder of the tree, from the first line to the last. */
function opened(state: State): State {
  let next = after(state, move('first'));
  for (let at = 0; at < shownLength(next.list); at++) {
    const folder = folderAt(next.list, at);
    if (folder !== undefined && !folder.isOpen) next = after(next, turn);
    next = after(next, move('down'));
  }
  return next;
}

test('lists the same keys in the same order in a tree as in its list, regardless of the pages and the filter', () => {
  fc.assert(
    fc.property(names, fc.nat(25), fc.constantFrom('', 'a', '!b'), (all, cut, filter) => {
      const sorted = all.toSorted(compareBytes);
      const typed: Event = { type: 'filtered', text: filter };
      const whole = after(first, page(sorted), tree, typed);
      const parts = after(first, page(sorted.slice(0, cut), false), tree, typed, page(sorted.slice(cut)));
      expect(lines(opened(parts)).length).toBe(lines(opened(whole)).length);
      const { list } = opened(whole);
      const rows = Array.from({ length: shownLength(list) }, (_, at) => shownRow(list, at)?.name);
      const wanted = sorted.filter((name) => (filter === '!b' ? !name.includes('b') : name.includes(filter)));
      expect(rows.filter((name) => name !== undefined)).toEqual(wanted);
      const top = Array.from({ length: shownLength(whole.list) }, (_, at) => folderAt(whole.list, at));
      expect(top.reduce((sum, folder) => sum + (folder ? folder.to - folder.from : 1), 0)).toBe(
        wanted.length,
      );
    }),
    { numRuns: 300 },
  );
});
