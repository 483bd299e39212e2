import { Box } from 'ink';
import { useEffect } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import { fitsExplanation } from './form-layout.ts';
import { explainedLabel, type Field } from './form-state.ts';
import { PickerList, usePicker } from './Picker.tsx';

interface FieldPickerProps {
  readonly field: Field;
  /** Number of rows for the values; the first row is the row of the field's label. */
  readonly height: number;
  /** Columns for the values, after the label. */
  readonly columns: number;
  readonly active: boolean;
  pick(value: string): void;
}

/** The keys that change the value of a field. */
const changeHint = '  ←→ change';

/**
 * Draws the values of a field, with the chosen value between the marks of a choice. All arrow keys choose a value; typed letters filter the
 * values and choose the best match. The chosen value is followed by the typed letters, and by its position if not all values are visible.
 */
export function FieldPicker({ field, height, columns, active, pick }: FieldPickerProps) {
  const { redact } = useConsole();
  const { value, choices = [] } = field;
  const labeled = choices.map((choice) =>
    fitsExplanation(choice, { columns, redact }, { count: choices.length, rows: height })
      ? { ...choice, label: explainedLabel(choice) }
      : choice,
  );
  // The letters also match explanations that are not drawn, so that a change of the layout does not search again.
  const matched = choices.map((choice) => ({ ...choice, label: explainedLabel(choice) }));
  const initial = choices.findIndex((choice) => choice.value === value);
  const [state, shown] = usePicker(matched, { initial, active, height, isSideways: true });
  const { query, found, highlighted, jumps } = shown;
  const chosen = choices[found[highlighted] ?? -1]?.value;
  useEffect(() => {
    if (jumps > 0 && chosen !== undefined) pick(chosen);
  }, [jumps, chosen, pick]);
  const place = found.length > height ? `  ${highlighted + 1} of ${found.length}` : '';
  const typed = query === '' ? '' : `  filter: ${query}`;
  return (
    <Box flexDirection="column" width={columns} height={height} flexShrink={0} overflow="hidden">
      <PickerList
        items={labeled}
        state={state}
        shown={shown}
        active={active}
        height={height}
        columns={columns}
        inline={{ status: typed + place, hint: changeHint }}
        onHighlight={(index) => {
          const highlightedChoice = choices[index];
          if (highlightedChoice !== undefined) pick(highlightedChoice.value);
        }}
      />
    </Box>
  );
}
