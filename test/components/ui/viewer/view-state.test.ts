import { expect, test } from 'vitest';
import { reading } from '../../../../components/kit/keys/busy.ts';
import { entryLines } from '../../../../components/ui/viewer/entries.ts';
import { firstVisibleLine, rowsFrom } from '../../../../components/ui/viewer/scroll.ts';
import { type Lines, textSource } from '../../../../components/ui/viewer/source.ts';
import {
  initialView,
  reduceView,
  searchText,
  seekTarget,
  type ViewEvent,
  type ViewState,
} from '../../../../components/ui/viewer/view-state.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { plainSurface } from '../../plain-surface.ts';

type State = ViewState<string>;
type Event = ViewEvent<string>;

const height = 10;
const value = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
const bytes = textSource(Buffer.from(value), 20);
const entries = entryLines(
  Array.from({ length: 50 }, (_, index) => ({ text: `entry ${index} is as long as this`, indent: 2 })),
  plainSurface(20),
);

function after(state: State, ...events: Event[]): State {
  return events.reduce(reduceView<string>, state);
}

const window = initialView<string>('value', { selects: false });
const selecting = initialView<string>('entries', { selects: true });

function moved(move: 'up' | 'down' | 'page-down' | 'page-up' | 'first' | 'last', lines: Lines): Event {
  return { type: 'moved', move, lines, height };
}

/** Returns the first and the last line on the screen, the selected line, and its row. */
function screen({ position }: State, lines: Lines, rows = height) {
  const shown = rowsFrom(lines, firstVisibleLine(lines, position, rows), rows);
  const at = shown.findIndex(
    ({ segment, line }) => segment === position.line?.segment && line === position.line.line,
  );
  return { first: shown[0]?.text, last: shown.at(-1)?.text, selected: shown[at]?.text, at };
}

test('scrolls through a value, and keeps the last screen full', () => {
  expect(screen(after(window, moved('page-down', bytes)), bytes)).toMatchObject({ first: 'line 9', at: -1 });
  expect(screen(after(window, moved('last', bytes)), bytes)).toMatchObject({
    first: 'line 90',
    last: 'line 99',
  });
  expect(screen(after(window, moved('last', bytes), moved('first', bytes)), bytes).first).toBe('line 0');
});

test('selects the first line, moves to the next, and scrolls only when the selected line would leave the screen', () => {
  expect(screen(selecting, entries)).toMatchObject({ selected: '  entry 0 is as long', at: 0 });
  const steps = (count: number) => Array.from({ length: count }, () => moved('down', entries));
  expect(screen(after(selecting, ...steps(9)), entries)).toMatchObject({
    first: '  entry 0 is as long',
    at: 9,
  });
  expect(screen(after(selecting, ...steps(10)), entries)).toMatchObject({
    first: '  as this',
    selected: '  entry 5 is as long',
    at: 9,
  });
});

test('moves screen and line together by pages, and stops at the end', () => {
  const paged = after(selecting, moved('down', entries), moved('page-down', entries));
  expect(screen(paged, entries).at).toBe(1);
  expect(screen(after(paged, moved('page-up', entries)), entries)).toMatchObject({
    first: '  entry 0 is as long',
    at: 1,
  });
  const end = after(selecting, moved('last', entries), moved('down', entries));
  expect(screen(end, entries)).toMatchObject({ first: '  entry 45 is as', at: 9 });
});

test('keeps the selected line visible when a form makes the screen smaller', () => {
  const low = after(selecting, ...Array.from({ length: 8 }, () => moved('down', entries)));
  expect(screen(low, entries, 3)).toMatchObject({ selected: '  entry 4 is as long', at: 2 });
});

test('keeps the selected entry when the screen becomes wider, and when there are fewer entries', () => {
  const low = after(selecting, ...Array.from({ length: 30 }, () => moved('down', entries)));
  const wide = entryLines(entries.entries, plainSurface(80));
  expect(screen(low, wide).selected).toBe('  entry 15 is as long as this');
  const few = entryLines(entries.entries.slice(0, 3), plainSurface(80));
  expect(firstVisibleLine(few, low.position, height)).toEqual({ segment: 0, line: 0 });
  expect(after(low, moved('up', few)).position.line).toEqual({ segment: 1, line: 0 });
});

test('searches from the current line first, then after or before the current match', () => {
  const typed = after(window, moved('page-down', bytes), { type: 'searching', text: 'line' });
  expect(searchText(typed)).toBe('line');
  const begun = after(typed, { type: 'searched', text: 'line' });
  const here = bytes.getStart(9);
  expect(seekTarget(begun, bytes, 'here')).toEqual({ from: here, way: 'next' });
  expect(seekTarget(begun, bytes, 'previous')).toEqual({ from: here, way: 'previous' });
  const found = after(begun, { type: 'found', offset: 70, anchor: { segment: 10, line: 0 } });
  expect({ dialog: found.dialog, ...screen(found, bytes) }).toMatchObject({
    dialog: undefined,
    first: 'line 10',
  });
  expect(seekTarget(found, bytes, 'next')).toEqual({ from: 71, way: 'next' });
  expect(seekTarget(found, bytes, 'previous')).toEqual({ from: 70, way: 'previous' });
});

test('searches nothing for an empty pattern', () => {
  const typed = after(window, { type: 'searching', text: 'x' }, { type: 'searched', text: 'x' });
  expect(searchText(typed)).toBe('x');
  expect(searchText(after(typed, { type: 'searched', text: '' }))).toBe('');
  expect(searchText(after(typed, { type: 'searching', text: 'y' }, { type: 'closed' }))).toBe('x');
});

test('keeps its position when the content changes, and resets it for another view', () => {
  const read = after(window, moved('last', bytes), { type: 'became', content: 'more' });
  expect(read).toMatchObject({ content: 'more', position: { top: { segment: 90 } } });
  const turned = after(
    read,
    { type: 'searched', text: 'x' },
    { type: 'became', content: 'hex', afresh: true },
  );
  expect(turned).toMatchObject({ content: 'hex', position: { top: { segment: 0 } }, search: undefined });
});

const again = { busy: reading, run: async () => ({}) };

test('shows why a value could not be read, and can retry', () => {
  const problem = new Problem('unreachable', 'no answer');
  const begun = initialView<string>('', { selects: false, busy: reading });
  const failed = after(begun, { type: 'failed', problem, command: again });
  expect(failed).toMatchObject({ dialog: { kind: 'problem', problem, command: again } });
  expect(failed.busy).toBeUndefined();
  expect(after(failed, { type: 'closed' }).dialog).toBeUndefined();
});

test('copies the complete text of an entry, regardless of the visible part', () => {
  const copied = { text: 'a\u001b', what: 'the name' };
  const lines = entryLines([{ text: 'Name' }, { text: 'a\\e', copied, role: 'warning' }], plainSurface(20));
  expect([0, 1, 2].map((segment) => lines.segmentCopy?.(segment))).toEqual([undefined, copied, undefined]);
  expect(lines.segmentRole?.(1)).toBe('warning');
  expect(lines.lines(2)).toEqual(['']);
});
