import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { columnsOf } from '../../src/text/width.ts';
import { editField } from '../field-editing.ts';
import { useConsole } from '../use-console.ts';

interface TextFieldProps {
  readonly value: string;
  /** Columns on the screen; a longer text scrolls. */
  readonly width: number;
  /** Whether presses are for this field. */
  readonly focused: boolean;
  onChange(value: string): void;
  /** Told how many characters of a paste were left out, because a field cannot show them. */
  onDropped?(count: number): void;
}

/**
 * One line of text, typed into ink-text-input. What reaches it goes through `editField` first, so that whole
 * graphemes, the keys of a shell's line and pastes work, and nothing invisible gets in.
 */
export function TextField({ value, width, focused, onChange, onDropped }: TextFieldProps) {
  const { input } = useConsole();
  const [cursor, setCursor] = useState(value.length);
  const latest = useRef({ text: value, cursor, onDropped });
  useLayoutEffect(() => {
    latest.current = { text: value, cursor, onDropped };
  });
  useEffect(() => {
    if (!focused) return;
    return input.translate((token) => {
      const edit = editField(token, latest.current);
      setCursor(edit.cursor);
      if (edit.dropped > 0) latest.current.onDropped?.(edit.dropped);
      return edit.sequences;
    });
  }, [focused, input]);
  const at = columnsOf(value.slice(0, cursor));
  const offset = Math.max(0, at - width + 1);
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden" contentOffsetX={offset}>
      <Box width={columnsOf(value) + 1} height={1} flexShrink={0}>
        <TextInput value={value} focus={focused} showCursor onChange={onChange} />
      </Box>
    </Box>
  );
}
