import { Box } from 'ink';
import { useEffect } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import { fitsExplanations } from './form-layout.ts';
import { explainedLabel, type Field } from './form-state.ts';
import { PickerList, usePicker } from './Picker.tsx';

interface FieldPickerProps {
  readonly field: Field;
  /** Number of rows for the values. */
  readonly height: number;
  readonly indent: number;
  readonly active: boolean;
  pick(value: string): void;
  /** Called with the typed letters, and with the position if the values need more than `height` rows. */
  onTyped(typed: TypedInPicker): void;
}

/** The state of a picker, as shown on the line of its field: the typed letters, and the position in the values. */
export interface TypedInPicker {
  readonly query: string;
  readonly place: string;
}

/** Draws the values of a field below the field. All arrow keys choose a value; typed letters filter the values and choose the best match. */
export function FieldPicker({ field, height, indent, active, pick, onTyped }: FieldPickerProps) {
  const { columns, redact } = useConsole();
  const { value } = field;
  const isExplained = fitsExplanations(field, { columns, redact }, indent);
  const choices = (field.choices ?? []).map((choice) =>
    isExplained ? { ...choice, label: explainedLabel(choice) } : choice,
  );
  const initial = choices.findIndex((choice) => choice.value === value);
  const [state, shown] = usePicker(choices, { initial, active, height, isSideways: true });
  const { query, found, highlighted, jumps } = shown;
  const chosen = choices[found[highlighted] ?? -1]?.value;
  useEffect(() => {
    if (jumps > 0 && chosen !== undefined) pick(chosen);
  }, [jumps, chosen, pick]);
  const place = found.length > height ? `${highlighted + 1} of ${found.length}` : '';
  useEffect(() => onTyped({ query, place }), [query, place, onTyped]);
  useEffect(() => () => onTyped({ query: '', place: '' }), [onTyped]);
  return (
    <Box flexDirection="column" height={height} flexShrink={0} paddingLeft={indent}>
      <PickerList
        items={choices}
        state={state}
        shown={shown}
        active={active}
        height={height}
        columns={Math.max(1, columns - indent)}
        onHighlight={(index) => {
          const highlightedChoice = choices[index];
          if (highlightedChoice !== undefined) pick(highlightedChoice.value);
        }}
      />
    </Box>
  );
}
