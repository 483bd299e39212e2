import { Box, Text } from 'ink';
import SelectInput, { type IndicatorProps, type ItemProps } from 'ink-select-input';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { InputToken } from '../../kit/terminal/input-tokens.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useClicks } from '../input/use-clicks.ts';
import { drawnParts, type Part } from '../lines/Line.tsx';

export interface ChoiceItem<T> {
  readonly label: string;
  readonly value: T;
  /** The style of the item (default: plain), and its style while it is selected (default: the selection style). */
  readonly role?: Role;
  readonly selected?: Role;
  /** The label in parts with individual styles. While the item is selected, only matches and escaped characters keep their style. */
  readonly parts?: readonly Part[];
  /** The parts while the item is selected (default: `parts`). */
  readonly selectedParts?: readonly Part[];
}

interface ChoiceProps<T> {
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  readonly active: boolean;
  /** Whether j and k move the selection, as in lists (default: true). */
  readonly letters?: boolean;
  /** Maximum number of visible items (default: all items). A longer list scrolls. */
  readonly limit?: number;
  onChoose(value: T): void;
}

/** Draws items to choose from. Drops digits, because ink-select-input would treat a digit as an answer. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { items, initial, active, limit, onChoose, letters = true } = props;
  const { input } = useConsole();
  const [capture] = useState(() => createInputDropper(letters ? /^\d$/ : /^[\djk]$/));
  useEffect(() => (active ? input.capture(capture) : undefined), [active, input, capture]);
  return <ChoiceList items={items} initial={initial} active={active} limit={limit} onChoose={onChoose} />;
}

interface ChoiceListProps<T> {
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  readonly active: boolean;
  readonly limit?: number | undefined;
  /** Whether `>` is drawn before the selected item (default: true). Otherwise, the parts of the items contain the mark of the selection. */
  readonly hasCursor?: boolean;
  /** Called for Enter, and for a click on the highlighted item. */
  onChoose?(value: T): void;
  onHighlight?(value: T): void;
}

/** The function for clicks on items. It receives the value of the item, and whether the item was already highlighted. */
const Clicked = createContext<((value: string, isSelected: boolean) => void) | undefined>(undefined);

/**
 * Draws ink-select-input in the theme's styles. The parent component decides which presses reach the list. A click highlights an item, and
 * a click on the highlighted item chooses it, so that an answer takes two steps with the mouse, too.
 */
export function ChoiceList<T extends string>(props: ChoiceListProps<T>) {
  const { items, initial, active, limit, hasCursor = true, onChoose, onHighlight } = props;
  const [clicks, setClicks] = useState(0);
  const highlighted = useRef(initial);
  const highlight = (value: T) => {
    highlighted.current = items.findIndex((item) => item.value === value);
    onHighlight?.(value);
  };
  const click = (value: string, isSelected: boolean) => {
    const item = items.find((one) => one.value === value);
    if (item === undefined) return;
    if (isSelected) return onChoose?.(item.value);
    setClicks((count) => count + 1);
    highlight(item.value);
  };
  return (
    <Clicked.Provider value={active ? click : undefined}>
      <SelectInput
        // The list is remounted after a click, because SelectInput reads its initial item only once, and after a change of the limit,
        // because SelectInput would stay on a row that is no longer visible.
        key={`${clicks} ${limit}`}
        items={items.map((item) => ({ ...item, key: item.value }))}
        initialIndex={Math.max(highlighted.current, 0)}
        isFocused={active}
        {...(limit !== undefined && { limit })}
        indicatorComponent={hasCursor ? Indicator : NoIndicator}
        itemComponent={Item}
        onSelect={(item?: ChoiceItem<T>) => item && onChoose?.(item.value)}
        onHighlight={(item?: ChoiceItem<T>) => item && highlight(item.value)}
      />
    </Clicked.Provider>
  );
}

/** Returns a capture that drops pastes, and presses that match `dropped`, from the front of the queue. */
function createInputDropper(dropped: RegExp): (waiting: readonly InputToken[]) => number {
  return (waiting) => {
    const other = waiting.findIndex(({ kind, text }) => kind === 'press' && !dropped.test(text));
    return other === -1 ? waiting.length : other;
  };
}

function Indicator({ isSelected = false }: IndicatorProps) {
  return <Text>{isSelected ? '> ' : '  '}</Text>;
}

function NoIndicator() {
  return null;
}

type ChoiceItemProps = ItemProps & Partial<Omit<ChoiceItem<string>, 'label'>>;

function Item(props: ChoiceItemProps) {
  const {
    isSelected = false,
    label,
    value = '',
    role = 'plain',
    selected = 'selected',
    parts,
    selectedParts,
  } = props;
  const { theme } = useConsole();
  const click = useContext(Clicked);
  const box = useClicks(click !== undefined, () => click?.(value, isSelected));
  const shown = (isSelected ? selectedParts : undefined) ?? parts ?? [{ text: label }];
  return (
    <Box ref={box} aria-state={{ selected: isSelected }}>
      <Text wrap="truncate-end" {...theme[isSelected ? selected : role]}>
        {drawnParts(shown).map(({ text, role: of = 'plain' }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
          <Text key={index} {...(isSelected && of !== 'found' && of !== 'escaped' ? {} : theme[of])}>
            {text}
          </Text>
        ))}
      </Text>
    </Box>
  );
}
