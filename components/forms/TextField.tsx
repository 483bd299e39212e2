import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { columnsOf } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { editField } from './field-editing.ts';

interface TextFieldProps {
  readonly value: string;
  /** Columns on the screen; a longer text scrolls. */
  readonly width: number;
  /** Whether presses are for this field. */
  readonly focused: boolean;
  /** Draws a star for each character. */
  readonly hidden?: boolean;
  onChange(value: string): void;
  /** Told how many characters of a paste were left out, because a field cannot show them. */
  onDropped?(count: number): void;
}

/**
 * One line of text, typed into ink-text-input. What reaches it goes through `editField` first, so that whole
 * graphemes, the keys of a shell's line and pastes work, and nothing invisible gets in.
 */
export function TextField({ value, width, focused, hidden = false, onChange, onDropped }: TextFieldProps) {
  const { input } = useConsole();
  const [cursor, setCursor] = useState(value.length);
  const latest = useRef({ text: value, cursor, onDropped });
  const dropped = useRef(0);
  // A change forgets what was said of the paste before: what this one left out is told after its change.
  const tellDropped = useCallback(() => {
    if (dropped.current > 0) latest.current.onDropped?.(dropped.current);
    dropped.current = 0;
  }, []);
  useLayoutEffect(() => {
    latest.current = { text: value, cursor, onDropped };
  });
  useEffect(() => {
    if (!focused) return;
    return input.translate((token) => {
      const edit = editField(token, latest.current);
      setCursor(edit.cursor);
      dropped.current = edit.dropped;
      if (edit.sequences.length === 0) tellDropped();
      return edit.sequences;
    });
  }, [focused, input, tellDropped]);
  const change = (text: string) => {
    onChange(text);
    tellDropped();
  };
  const shown = hidden ? '*'.repeat(value.length) : value;
  const at = columnsOf(shown.slice(0, cursor));
  const offset = Math.max(0, at - width + 1);
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden" contentOffsetX={offset}>
      <Box width={columnsOf(shown) + 1} height={1} flexShrink={0}>
        <TextInput
          value={value}
          focus={focused}
          showCursor
          onChange={change}
          {...(hidden && { mask: '*' })}
        />
      </Box>
    </Box>
  );
}
