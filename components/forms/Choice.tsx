import { Box, Text } from 'ink';
import SelectInput, { type IndicatorProps, type ItemProps } from 'ink-select-input';
import { useEffect, useState } from 'react';
import { useConsole } from '../console/use-console.ts';
import type { InputToken } from '../terminal/input-tokens.ts';

export interface ChoiceItem<T> {
  readonly label: string;
  readonly value: T;
}

interface ChoiceProps<T> {
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  readonly active: boolean;
  /** Whether j and k move, as they do in lists. Left out, they do. */
  readonly letters?: boolean;
  /** Rows of the screen for the items; the others scroll. All when left out. */
  readonly limit?: number;
  onChoose(value: T): void;
}

/** ink-select-input in the styles of the theme. It would take a digit as an answer at once: digits do not reach it. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { items, initial, active, limit, onChoose, letters = true } = props;
  const { input } = useConsole();
  const [capture] = useState(() => droppingAhead(letters ? /^\d$/ : /^[\djk]$/));
  useEffect(() => (active ? input.capture(capture) : undefined), [active, input, capture]);
  return <ChoiceList items={items} initial={initial} active={active} limit={limit} onChoose={onChoose} />;
}

interface ChoiceListProps<T> {
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  readonly active: boolean;
  readonly limit?: number | undefined;
  /** Enter. */
  onChoose?(value: T): void;
  onHighlight?(value: T): void;
}

/** ink-select-input as the theme has it. Whoever uses it says which presses reach it. */
export function ChoiceList<T extends string>(props: ChoiceListProps<T>) {
  const { items, initial, active, limit, onChoose, onHighlight } = props;
  return (
    <SelectInput
      items={items.map((item) => ({ ...item, key: item.value }))}
      initialIndex={initial}
      isFocused={active}
      {...(limit !== undefined && { limit })}
      indicatorComponent={Indicator}
      itemComponent={Item}
      onSelect={(item) => onChoose?.(item.value)}
      onHighlight={(item) => onHighlight?.(item.value)}
    />
  );
}

/** Takes the presses that wait first and mean nothing here, pastes among them, and drops them. */
function droppingAhead(dropped: RegExp): (waiting: readonly InputToken[]) => number {
  return (waiting) => {
    const other = waiting.findIndex(({ kind, text }) => kind === 'press' && !dropped.test(text));
    return other === -1 ? waiting.length : other;
  };
}

function Indicator({ isSelected = false }: IndicatorProps) {
  return <Text>{isSelected ? '> ' : '  '}</Text>;
}

function Item({ isSelected = false, label }: ItemProps) {
  const { theme } = useConsole();
  return (
    <Box aria-state={{ selected: isSelected }}>
      <Text wrap="truncate-end" {...(isSelected ? theme.selected : {})}>
        {label}
      </Text>
    </Box>
  );
}
