import { Box } from 'ink';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { markText } from '../../../src/text/mark.ts';
import { fitText, measureCharacter, pad } from '../../../src/text/width.ts';
import { useConsole } from '../../kit/use-console.ts';
import { highlightMatches, measureParts } from '../lines/found-parts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { ChoiceList } from './Choice.tsx';
import {
  choiceMarkColumns,
  indicatorColumns,
  labelRanges,
  PickerState,
  type ShownPicker,
} from './picker-state.ts';

/** An item to choose. */
export interface PickerItem {
  readonly label: string;
  /** The item's group, shown before the first of adjacent items with the same group. Typed letters also match the group. */
  readonly group?: string | undefined;
  /** A number or a remark at the end of the line. */
  readonly hint?: string | undefined;
  /** Whether the item is the current value, and therefore has a mark. */
  readonly isPresent?: boolean | undefined;
  /** The reason why the item cannot be chosen. */
  readonly refusal?: string | undefined;
}

/** Returns the state of a picker for these items. While the picker is active, it receives typed letters. */
export function usePicker(
  items: readonly PickerItem[],
  {
    initial,
    active,
    height,
    isSideways = false,
  }: {
    readonly initial: number;
    readonly active: boolean;
    readonly height: number;
    /** Whether the left and right arrow keys also move the highlight, as on the line of a field. */
    readonly isSideways?: boolean;
  },
): readonly [PickerState, ShownPicker] {
  const { input } = useConsole();
  const labels = items.map(({ group, label }) => (group === undefined ? label : `${group} ${label}`));
  const [state] = useState(() => new PickerState(labels, initial, isSideways));
  useLayoutEffect(() => state.setItems(labels, height));
  useEffect(() => (active ? input.capture(state.take) : undefined), [active, input, state]);
  return [state, useSyncExternalStore(state.subscribe, () => state.shown)];
}

interface PickerListProps {
  readonly items: readonly PickerItem[];
  readonly state: PickerState;
  readonly shown: ShownPicker;
  readonly active: boolean;
  /** Maximum number of visible items. */
  readonly height: number;
  /** Columns of the list. */
  readonly columns: number;
  /** For a list that starts on the line of a field: what follows the highlighted item, which is drawn between `‹ ›`. */
  readonly inline?: InlineEnd | undefined;
  /** Called with the index of the chosen item. */
  onChoose?(index: number): void;
  /** Called with the index of an item when it is highlighted. */
  onHighlight?(index: number): void;
}

/** The text after the highlighted item of a list on the line of a field. */
interface InlineEnd {
  /** The typed letters and the position; the item's label is shortened for it. */
  readonly status: string;
  /** The keys that change the value, omitted if there is no room. */
  readonly hint: string;
}

/** Draws the items that match the typed letters, with ink-select-input. */
export function PickerList(props: PickerListProps) {
  const { items, state, shown, active, height, columns, inline, onChoose, onHighlight } = props;
  const { redact } = useConsole();
  const isMarked = items.some(({ isPresent }) => isPresent);
  const groupWidth = Math.max(0, ...items.map(({ group = '' }) => group.length));
  const measureLead = ({ group }: PickerItem) => (group === undefined ? 0 : groupWidth + hintGap);
  const closeColumns = inline === undefined ? 0 : choiceMarkColumns - indicatorColumns;
  const { hintsEnd, hintWidth } = placeHints(
    items.map((item) => ({ ...item, label: redact(item.label) })),
    (item) => measureLead(item) + closeColumns,
    columns - indicatorColumns - (isMarked ? 2 : 0),
  );
  const drawn = shown.found.flatMap((index, place) => {
    const item = items[index];
    if (item === undefined) return [];
    const label = redact(item.label);
    const isFirst = items[shown.found[place - 1] ?? -1]?.group !== item.group;
    // An item without a group, such as `all`, starts in the column of the groups.
    const lead = measureLead(item);
    const group: Part = { text: (isFirst ? (item.group ?? '') : '').padEnd(lead), role: 'dim' };
    const room = { columns: columns - indicatorColumns - lead, hintsEnd: hintsEnd - lead, hintWidth };
    const partsWith = (close: string, end?: InlineEnd) => [
      group,
      ...itemParts({ ...item, label }, shown.query, { ...room, close, end }, isMarked),
    ];
    const value = String(index);
    if (inline === undefined) return [{ label, value, parts: partsWith('') }];
    return [
      {
        label,
        value,
        parts: [{ text: '  ' }, ...partsWith('  ')],
        selectedParts: [{ text: '‹ ' }, ...partsWith(' ›', inline)],
      },
    ];
  });
  if (drawn.length === 0) {
    const words = `No entry matches "${shown.query}".`;
    return <Line parts={[{ text: fitText(words, columns), role: 'dim' }]} />;
  }
  return (
    <Box height={Math.min(drawn.length, height)} flexShrink={0}>
      <ChoiceList
        key={shown.jumps}
        items={drawn}
        initial={shown.highlighted}
        active={active}
        limit={height}
        hasCursor={inline === undefined}
        onChoose={(value) => onChoose?.(Number(value))}
        onHighlight={(value) => {
          state.highlight(Number(value));
          onHighlight?.(Number(value));
        }}
      />
    </Box>
  );
}

/** The space for an item, and what is drawn in it after the label. */
interface ItemRoom {
  readonly columns: number;
  readonly hintsEnd: number;
  readonly hintWidth: number;
  /** The mark after the label. */
  readonly close: string;
  readonly end: InlineEnd | undefined;
}

/** Returns the parts of an item: the mark of the current value, the label with the typed letters, and the hint at the end. */
function itemParts(
  { label, hint = '', isPresent = false, refusal }: PickerItem,
  query: string,
  { columns, hintsEnd, hintWidth, close, end: after }: ItemRoom,
  isMarked: boolean,
): Part[] {
  const mark = isMarked ? (isPresent ? '✓ ' : '  ') : '';
  const text = markText(refusal ?? hint);
  // Words are left-aligned, numbers are right-aligned.
  const end = text === '' || isNumber.test(text) ? text : pad(text, hintWidth);
  const room = Math.max(1, columns - mark.length);
  const status = fitText(after?.status ?? '', room >> 1);
  const role = refusal === undefined ? 'plain' : 'dim';
  const endWidth = end === '' ? 0 : measureCharacter(end) + hintGap;
  const reserved = close.length + measureCharacter(status);
  const width = Math.max(1, Math.max(Math.ceil(room / 2), room - endWidth) - reserved);
  const main = highlightMatches(label, labelRanges(label, query), width, role);
  const used = measureParts(main) + close.length;
  const gap = Math.max(hintGap, Math.min(room, hintsEnd) - used - endWidth + hintGap);
  const last =
    end === '' ? '' : fitText(' '.repeat(gap) + end, Math.max(0, room - used - measureCharacter(status)));
  const left = room - used - measureCharacter(last) - measureCharacter(status);
  const keys = after !== undefined && measureCharacter(after.hint) <= left ? after.hint : '';
  return [
    { text: mark },
    ...main,
    { text: close },
    { text: last, role: refusal === undefined ? 'dim' : 'warning' },
    { text: status + keys },
    // Spaces up to the end of the row, because the selected item is a bar, as in lists.
    { text: ' '.repeat(Math.max(0, left - measureCharacter(keys))) },
  ];
}

/** Columns between a label and its hint. */
const hintGap = 2;

/** Maximum column at which hints end, unless the labels need more. */
const maxHintColumns = 64;

const isNumber = /^[\d,.]+$/;

/** Returns the column at which the hints end, and their common width, which is 0 if not all hints fit. */
function placeHints(
  items: readonly PickerItem[],
  measureLead: (item: PickerItem) => number,
  room: number,
): { readonly hintsEnd: number; readonly hintWidth: number } {
  const labels = items.map((item) => measureLead(item) + measureCharacter(markText(item.label)));
  const hints = items.map(({ refusal, hint = '' }) => measureCharacter(markText(refusal ?? hint)));
  const hintWidth = Math.max(0, ...hints);
  const needed = Math.max(0, ...labels) + hintGap + hintWidth;
  return {
    hintsEnd: Math.min(maxHintColumns, needed),
    hintWidth: needed <= Math.min(room, maxHintColumns) ? hintWidth : 0,
  };
}

/** Minimum number of items for a line with the typed letters: fewer items, such as answers to a question, need no filter. */
const minItemsForLine = 5;

/** Returns whether a picker shows a line with the typed letters above its items. */
export function hasQueryLine(items: readonly unknown[]): boolean {
  return items.length >= minItemsForLine;
}

/** Draws the typed letters, and the position in the items if not all are visible, otherwise the number of matches. */
export function QueryLine({
  shown,
  count,
  height,
  columns,
}: {
  readonly shown: ShownPicker;
  readonly count: number;
  readonly height: number;
  readonly columns: number;
}) {
  const { query, found, highlighted } = shown;
  const place = found.length > height ? `${highlighted + 1} of ${found.length}` : '';
  const matches = query === '' || place !== '' ? place : `${found.length} of ${count}`;
  const left: Part[] =
    query === ''
      ? [{ text: 'type to filter', role: 'dim' }]
      : [{ text: 'filter: ', role: 'press' }, { text: query }, { text: ' ', role: 'cursor' }];
  const used = measureParts(left);
  return (
    <Line parts={[...left, { text: pad(matches, Math.max(0, columns - used), 'right'), role: 'dim' }]} />
  );
}
