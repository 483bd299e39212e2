import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  atStart,
  type Cursor,
  firstVisibleRow,
  isMove,
  type Move,
  moveCursor,
  moveCursorTo,
} from '../../../../components/kit/keys/cursor.ts';

const at = (index: number, top: number): Cursor => ({ index, top });

const moves: ReadonlyArray<readonly [about: string, from: Cursor, move: Move, to: Cursor]> = [
  ['down within the screen does not scroll', at(0, 0), 'down', at(1, 0)],
  ['down at the lower edge scrolls by one', at(9, 0), 'down', at(10, 1)],
  ['down at the end stays', at(99, 90), 'down', at(99, 90)],
  ['up at the upper edge scrolls by one', at(20, 20), 'up', at(19, 19)],
  ['up at the start stays', at(0, 0), 'up', at(0, 0)],
  ['a page down keeps one line visible', at(3, 0), 'page-down', at(12, 9)],
  ['a page down at the end shows a full last screen', at(95, 88), 'page-down', at(99, 90)],
  ['a page up', at(50, 45), 'page-up', at(41, 36)],
  ['a page up at the start', at(4, 2), 'page-up', at(0, 0)],
  ['to the first', at(50, 45), 'first', at(0, 0)],
  ['to the last', at(0, 0), 'last', at(99, 90)],
];

for (const [about, from, move, to] of moves) {
  test(`moves through 100 rows, 10 on the screen: ${about}`, () => {
    expect(moveCursor(from, move, 100, 10)).toEqual(to);
  });
}

test('does not move in an empty list', () => {
  for (const move of ['up', 'down', 'page-up', 'page-down', 'first', 'last'] as const) {
    expect(moveCursor(atStart, move, 0, 10)).toEqual(atStart);
  }
});

test('always keeps the selected row on the screen, without empty rows', () => {
  const list = fc.record({
    index: fc.nat(200),
    top: fc.nat(200),
    length: fc.integer({ min: 1, max: 200 }),
    height: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(list, ({ index, top, length, height }) => {
      const selected = Math.min(index, length - 1);
      const first = firstVisibleRow({ index, top }, length, height);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first).toBeLessThanOrEqual(selected);
      expect(first + height).toBeGreaterThan(selected);
      if (length >= height) expect(first + height).toBeLessThanOrEqual(length);
      else expect(first).toBe(0);
    }),
  );
});

test('stays within the list when it is moved to any index', () => {
  expect(moveCursorTo(at(5, 2), 12, 10)).toEqual(at(9, 2));
  expect(moveCursorTo(at(5, 2), 3, 0)).toEqual(at(0, 2));
});

test('reports whether an action moves the cursor', () => {
  expect(isMove('page-up')).toBe(true);
  expect(isMove('open')).toBe(false);
});
