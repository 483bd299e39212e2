import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import type { Part } from '../lines/Line.tsx';
import type { Editing } from './field-editing.ts';
import { FieldState, fitsInkInput, type ShownField } from './field-state.ts';
import { fieldWindow } from './field-window.ts';

interface TextFieldProps {
  readonly value: string;
  /** Columns of the field; longer text scrolls. */
  readonly width: number;
  /** Whether this field receives presses. */
  readonly focused: boolean;
  /** Whether the field draws a star for each character. */
  readonly hidden?: boolean;
  /** Whether Ctrl-J, and line ends in a paste, insert line feeds. */
  readonly multiline?: boolean;
  /** Whether the initial text is selected. */
  readonly selectsAll?: boolean;
  onChange(value: string): void;
}

/**
 * Draws a one-line field for a string of any length. ink-text-input handles only typing at the end of a short ASCII string, because it
 * draws the whole string with each press, supports neither Home nor word movement, and splits graphemes. `FieldState` handles all other
 * input, and `fieldWindow` provides the visible part of the text.
 */
export function TextField(field: TextFieldProps) {
  const { width, focused, hidden = false } = field;
  const { shown, typed } = useField(field);
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden">
      {focused && fitsInkInput(shown, width) ? (
        <TextInput
          key={shown.edits}
          value={shown.text}
          focus
          showCursor
          onChange={typed}
          {...(hidden && { mask: '*' })}
        />
      ) : (
        <FieldLine editing={shown} width={width} focused={focused} hidden={hidden} />
      )}
    </Box>
  );
}

function useField(field: TextFieldProps): {
  readonly shown: ShownField;
  typed(text: string): void;
} {
  const { value, width, focused, multiline = false, selectsAll, onChange } = field;
  const { input } = useConsole();
  const [state] = useState(() => new FieldState(value, { width, multiline, onChange }, selectsAll));
  useLayoutEffect(() => state.setOptions({ width, multiline, onChange }));
  useLayoutEffect(() => state.setText(value), [state, value]);
  useEffect(() => (focused ? input.capture(state.take) : undefined), [focused, input, state]);
  return { shown: useSyncExternalStore(state.subscribe, () => state.shown), typed: state.typed };
}

interface FieldLineProps {
  readonly editing: Editing;
  readonly width: number;
  readonly focused: boolean;
  readonly hidden: boolean;
}

function FieldLine({ editing, width, focused, hidden }: FieldLineProps) {
  const { theme } = useConsole();
  const { before, under, after } = fieldWindow(editing, width, hidden);
  return (
    <Text wrap="truncate-end">
      <Parts parts={editing.isSelected ? before.map(selectedPart) : before} />
      <Text {...(focused ? theme.cursor : {})}>{under.text}</Text>
      <Parts parts={after} />
    </Text>
  );
}

function selectedPart({ text }: Part): Part {
  return { text, role: 'selected' };
}

function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const { theme } = useConsole();
  return parts.map(({ text, role = 'plain' }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
    <Text key={index} {...theme[role]}>
      {text}
    </Text>
  ));
}
