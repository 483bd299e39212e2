import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarkAction } from '../../../../components/kit/keys/marks.ts';
import {
  addPage,
  dropRow,
  moveCursorIn,
  needsPage,
  putRow,
  rereadList,
  restartWithPrefix,
  stopList,
  wantAll,
} from '../../../../components/ui/lists/list-pages.ts';
import { listCounts } from '../../../../components/ui/lists/list-words.ts';
import {
  applyMark,
  countHiddenMarks,
  createMarkTest,
  formatMarks,
  markCount,
  markedNames,
  stepBack,
} from '../../../../components/ui/lists/marks.ts';
import { narrow } from '../../../../components/ui/lists/narrowing.ts';
import {
  emptyList,
  type PagedList,
  selectedRow,
  shownLength,
  shownRow,
} from '../../../../components/ui/lists/paged-list.ts';
import { byName, compareBytes } from '../../../../components/ui/lists/row-kind.ts';
import { cost } from '../../../fuzz/fuzz.ts';

interface Row {
  readonly name: string;
}

const height = 10;
const named = (...names: string[]): Row[] => names.map((name) => ({ name }));
const many = (count: number, from = 0): Row[] =>
  named(...Array.from({ length: count }, (_, at) => `k${String(from + at).padStart(6, '0')}`));

const noList: PagedList<Row> = emptyList(byName);

function page(list: PagedList<Row>, items: readonly Row[], complete = false): PagedList<Row> {
  return addPage(list, { generation: list.generation, items, complete });
}

function after(list: PagedList<Row>, ...actions: readonly (MarkAction | 'up' | 'down' | 'last')[]) {
  return actions.reduce((now, action) => {
    const isMove = action === 'up' || action === 'down' || action === 'last';
    return isMove ? moveCursorIn(now, action, height) : applyMark(now, action, height);
  }, list);
}

const six = page(noList, named('a', 'ab', 'b', 'bb', 'c', 'cb'), true);

test('marks the selected row with Space and moves to the next row; Space on a marked row removes the mark', () => {
  const one = after(six, 'mark');
  expect(markedNames(one)).toEqual(['a']);
  expect(selectedRow(one)?.name).toBe('ab');
  expect(markCount(after(one, 'up', 'mark'))).toBe(0);
  expect(formatMarks(after(one, 'mark'))).toBe('2 marked');
});

test('marks the last row without moving, and marks nothing in an empty list', () => {
  const last = after(six, 'last', 'mark');
  expect(markedNames(last)).toEqual(['cb']);
  expect(selectedRow(last)?.name).toBe('cb');
  const empty = page(noList, [], true);
  for (const action of ['mark', 'mark-range', 'mark-shown', 'invert-marks', 'clear-marks'] as const)
    expect(markedNames(after(empty, action))).toEqual([]);
});

test.each([
  [
    ['down', 'mark', 'down', 'mark-range'],
    ['ab', 'b', 'bb'],
  ],
  [
    ['last', 'mark', 'up', 'up', 'mark-range'],
    ['bb', 'c', 'cb'],
  ],
  [['down', 'mark-range'], ['ab']],
  [['mark', 'up', 'mark', 'down', 'mark-range'], ['b']],
  [
    ['mark', 'down', 'mark-range', 'down', 'mark-range'],
    ['a', 'ab', 'b', 'bb'],
  ],
] as const)('marks the range from the last mark to the cursor: %j marks %j', (actions, wanted) => {
  expect(markedNames(after(six, ...actions))).toEqual(wanted);
});

test('marks only rows that the filter shows when the user marks a range', () => {
  const list = after(narrow(six, 'b'), 'mark', 'last', 'mark-range');
  expect(markedNames(list)).toEqual(['ab', 'b', 'bb', 'cb']);
});

test('marks only the selected row if the start of the range is hidden', () => {
  const list = after(narrow(after(six, 'mark'), 'b'), 'down', 'down', 'mark-range');
  expect(markedNames(list)).toEqual(['a', 'bb']);
});

test('marks all rows that the filter shows, and counts hidden marks', () => {
  const marked = after(narrow(six, 'b'), 'mark-shown');
  expect(markedNames(marked)).toEqual(['ab', 'b', 'bb', 'cb']);
  const other = narrow(marked, 'a');
  expect(formatMarks(other)).toBe('4 marked, 3 not shown');
  expect(countHiddenMarks(narrow(other, ''))).toBe(0);
});

test('inverts the marks of shown rows, and keeps hidden marks', () => {
  const list = after(narrow(after(six, 'mark', 'mark'), 'b'), 'invert-marks');
  expect(markedNames(list)).toEqual(['a', 'b', 'bb', 'cb']);
  expect(markedNames(after(narrow(list, ''), 'invert-marks'))).toEqual(['ab', 'c']);
});

test('marks all loaded rows that the filter shows, without loading more rows', () => {
  const open = page(noList, many(1000));
  const marked = after(open, 'mark-shown');
  expect(needsPage(marked, height)).toBe(false);
  expect(listCounts(marked, ['key', 'keys'], height, [formatMarks(marked)])).toBe(
    '1,000 marked · 1,000 loaded, more on the server',
  );
  const whole = page(marked, many(5, 1000), true);
  expect(markCount(whole)).toBe(1000);
});

test('loads all rows on request, shows progress, and stops on Esc or a failure', () => {
  const asked = wantAll(narrow(page(noList, many(1000)), '7'));
  expect(needsPage(asked, height)).toBe(true);
  expect(listCounts(asked, ['key', 'keys'], height)).toBe('loading all, Esc to stop · 271 of 1,000 loaded');
  const more = page(asked, many(1000, 1000));
  expect(needsPage(more, height)).toBe(true);
  const stopped = stepBack(more);
  expect(stopped).toMatchObject({ contains: '7' });
  for (const list of [stopped, stopList(more), restartWithPrefix(more, 'k')]) {
    expect(list && list.wanted <= 2000).toBe(true);
  }
});

test('does not reread all pages of a list that was fully loaded', () => {
  const whole = page(wantAll(page(noList, many(1000))), many(5, 1000), true);
  const again = page(rereadList(whole), many(1000));
  expect(again.complete).toBe(false);
  expect(needsPage(again, height)).toBe(false);
});

test('clears the filter, the prefix and the marks with one Esc each, and then does nothing', () => {
  const marked = after(page(restartWithPrefix(noList, 'k'), named('k1', 'k2'), true), 'mark');
  const filtered = narrow(marked, '2');
  const unfiltered = stepBack(filtered);
  expect(unfiltered).toMatchObject({ contains: '', prefix: 'k' });
  const whole = unfiltered && stepBack(unfiltered);
  expect(whole).toMatchObject({ prefix: '' });
  expect(whole && markedNames(whole)).toEqual(['k1']);
  const unmarked = whole && stepBack(whole);
  expect(unmarked && markCount(unmarked)).toBe(0);
  expect(unmarked && stepBack(unmarked)).toBeUndefined();
});

test('keeps marks when the list is reread or restarted with a prefix, until their rows are deleted', () => {
  const marked = after(six, 'mark', 'mark', 'down', 'mark');
  const half = page(rereadList(marked), named('a', 'b', 'bb'));
  expect(markedNames(half)).toEqual(['a', 'ab', 'bb']);
  const again = page(half, named('c', 'cb'), true);
  expect(markedNames(again)).toEqual(['a', 'bb']);
  const prefixed = page(restartWithPrefix(again, 'b'), named('b'), true);
  expect(markedNames(prefixed)).toEqual(['a']);
  expect(formatMarks(prefixed)).toBe('1 marked, 1 not shown');
});

test('removes the mark of a deleted row, and keeps the row unmarked when it is written again', () => {
  const gone = dropRow(after(six, 'mark'), 'a');
  expect(markCount(gone)).toBe(0);
  expect(markCount(putRow(gone, { name: 'a' }))).toBe(0);
  expect(markedNames(after(gone, 'down', 'mark-range'))).toEqual(['bb']);
});

test('applies an action to the selected row if nothing is marked, otherwise to the marked rows in byte order', () => {
  expect(markedNames(after(six, 'down'))).toEqual(['ab']);
  const list = page(noList, named('z', '\u{ff5e}', '\u{10000}'), true);
  const marked = after(list, 'last', 'mark', 'up', 'mark', 'up', 'up', 'mark');
  expect(markedNames(marked)).toEqual(['z', '\u{ff5e}', '\u{10000}']);
});

const presses = fc.constantFrom<MarkAction | 'up' | 'down' | 'last'>(
  'mark',
  'mark-range',
  'mark-shown',
  'invert-marks',
  'clear-marks',
  'up',
  'down',
  'last',
);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: presses },
    fc.constantFrom('', 'a', 'b').map((filter) => ({ filter })),
  ),
  { maxLength: 40 },
);
const rowNames = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '\u{e000}', '\u{1f600}'), minLength: 1 }), {
    maxLength: 12,
  })
  .map((names) => names.toSorted(compareBytes));

/** A model of marks with plain arrays, written from the help. */
class Model {
  #marked: string[] = [];
  #last: string | undefined;

  press(action: MarkAction, shown: readonly string[], at: number): void {
    const name = shown[at];
    if (action === 'mark-shown') this.#add(shown);
    else if (action === 'invert-marks') {
      const before = this.#marked;
      this.#marked = [
        ...before.filter((one) => !shown.includes(one)),
        ...shown.filter((one) => !before.includes(one)),
      ];
      if (this.#last !== undefined && !this.#marked.includes(this.#last)) this.#last = undefined;
    } else if (action === 'clear-marks') {
      this.#marked = [];
      this.#last = undefined;
    } else if (name !== undefined && action === 'mark') this.#toggle(name);
    else if (name !== undefined) {
      const from = this.#last === undefined ? -1 : shown.indexOf(this.#last);
      const begin = from === -1 ? at : from;
      this.#add(shown.slice(Math.min(begin, at), Math.max(begin, at) + 1));
      this.#last = name;
    }
  }

  sorted(): string[] {
    return this.#marked.toSorted(compareBytes);
  }

  #toggle(name: string): void {
    if (this.#marked.includes(name)) {
      this.#marked = this.#marked.filter((one) => one !== name);
      if (this.#last === name) this.#last = undefined;
    } else {
      this.#marked = [...this.#marked, name];
      this.#last = name;
    }
  }

  #add(names: readonly string[]): void {
    this.#marked = [...new Set([...this.#marked, ...names])];
  }
}

const visibleNames = (list: PagedList<Row>) =>
  Array.from({ length: shownLength(list) }, (_, at) => shownRow(list, at)?.name ?? '');

test('marks the same rows as a model on arrays after any sequence of presses, moves and filters', () => {
  fc.assert(
    fc.property(rowNames, steps, (names, sequence) => {
      const model = new Model();
      let list = page(noList, named(...names), true);
      for (const step of sequence) {
        if (typeof step !== 'string') list = narrow(list, step.filter);
        else {
          const isMove = step === 'up' || step === 'down' || step === 'last';
          if (!isMove) model.press(step, visibleNames(list), list.cursor.index);
          list = after(list, step);
        }
        const shown = visibleNames(list);
        expect(markCount(list)).toBe(model.sorted().length);
        expect(countHiddenMarks(list)).toBe(model.sorted().filter((name) => !shown.includes(name)).length);
        if (markCount(list) > 0) expect(markedNames(list)).toEqual(model.sorted());
      }
    }),
    { numRuns: 500 },
  );
});

test('removes the marks of 2,500 of 100,000 marked rows in less than a millisecond per press', () => {
  let list = after(page(noList, many(100_000), true), 'mark-shown');
  formatMarks(list);
  const spent = cost(() => {
    for (let press = 0; press < 2500; press++) {
      list = after(list, 'mark');
      formatMarks(list);
    }
  });
  expect(spent / 2500).toBeLessThan(1);
  expect(formatMarks(list)).toBe('97,500 marked');
  expect(markedNames(list)[0]).toBe('k002500');
  expect(countHiddenMarks(narrow(list, 'k0030'))).toBe(97_400);
});

test('moves through 100,000 marked rows without copying or counting them', () => {
  let list = page(noList, many(100_000), true);
  list = after(list, 'mark-shown');
  formatMarks(list);
  const start = performance.now();
  for (let press = 0; press < 10_000; press++) {
    list = moveCursorIn(list, 'down', height);
    formatMarks(list);
    createMarkTest(list)?.({ name: 'k000001' });
  }
  expect((performance.now() - start) / 10_000).toBeLessThan(0.05);
  expect(formatMarks(list)).toBe('100,000 marked');
});
