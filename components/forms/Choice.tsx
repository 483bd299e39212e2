import { Text } from 'ink';
import SelectInput, { type IndicatorProps, type ItemProps } from 'ink-select-input';
import { useEffect } from 'react';
import { useConsole } from '../console/use-console.ts';
import type { Token } from '../terminal/input-tokens.ts';

export interface ChoiceItem<T> {
  readonly label: string;
  readonly value: T;
}

interface ChoiceProps<T> {
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  readonly active: boolean;
  /** Rows of the screen for the items; the others scroll. All when left out. */
  readonly limit?: number;
  onChoose(value: T): void;
}

/** ink-select-input in the styles of the theme. It would take a digit as an answer at once: digits do not reach it. */
export function Choice<T extends string>({ items, initial, active, limit, onChoose }: ChoiceProps<T>) {
  const { input } = useConsole();
  useEffect(() => (active ? input.capture(digitsAhead) : undefined), [active, input]);
  return (
    <SelectInput
      items={items.map((item) => ({ ...item, key: item.value }))}
      initialIndex={initial}
      isFocused={active}
      {...(limit !== undefined && { limit })}
      indicatorComponent={Indicator}
      itemComponent={Item}
      onSelect={(item) => onChoose(item.value)}
    />
  );
}

/** Takes the digits that wait first, and drops them. */
function digitsAhead(waiting: readonly Token[]): number {
  const other = waiting.findIndex(({ kind, text }) => kind === 'press' && !/^\d$/.test(text));
  return other === -1 ? waiting.length : other;
}

function Indicator({ isSelected = false }: IndicatorProps) {
  return <Text>{isSelected ? '> ' : '  '}</Text>;
}

function Item({ isSelected = false, label }: ItemProps) {
  const { theme } = useConsole();
  return (
    <Text wrap="truncate-end" {...(isSelected ? theme.selected : {})}>
      {label}
    </Text>
  );
}
