import { Box } from 'ink';
import { useEffect, useRef } from 'react';
import type { InputToken } from '../../kit/terminal/input-tokens.ts';
import { useConsole } from '../../kit/use-console.ts';
import { ChoiceList } from './Choice.tsx';
import type { Field } from './form-state.ts';
import { typedChoice } from './typed-choice.ts';

interface FieldPickerProps {
  readonly field: Field;
  /** Rows of the screen. */
  readonly height: number;
  readonly indent: number;
  readonly active: boolean;
  pick(value: string): void;
}

/** Draws the values of a field below it. Arrows choose one, and so do its first letters. */
export function FieldPicker({ field, height, indent, active, pick }: FieldPickerProps) {
  const { input } = useConsole();
  const { choices = [], value } = field;
  const letters = useRef('');
  useEffect(() => {
    if (!active) return undefined;
    const take = ([first]: readonly InputToken[]): number => {
      if (first === undefined) return 0;
      if (first.kind === 'press' && passedOnPattern.test(first.text)) return 0;
      if (first.kind === 'paste' || !/^[^\x00-\x1f\x7f]+$/.test(first.text)) {
        letters.current = '';
        return 1;
      }
      const typed = typedChoice(choices, letters.current, first.text);
      letters.current = typed.letters;
      if (typed.value !== undefined) pick(typed.value);
      return 1;
    };
    return input.capture(take);
  }, [active, input, choices, pick]);
  return (
    <Box height={height} flexShrink={0} paddingLeft={indent}>
      <ChoiceList
        key={value}
        items={choices}
        initial={Math.max(
          0,
          choices.findIndex((choice) => choice.value === value),
        )}
        active={active}
        limit={height}
        onHighlight={(highlighted) => {
          letters.current = '';
          pick(highlighted);
        }}
      />
    </Box>
  );
}

/** Presses for the form and the picker: Enter, Tab, Shift-Tab, Esc, up and down. */
const passedOnPattern = /^(?:\r|\t|\u001b|\u001b\[27u|\u001b\[Z|\u001b[[O][AB])$/;
