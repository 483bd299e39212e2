import { Box } from 'ink';
import { pad } from '../../src/text/width.ts';
import type { Surface } from '../console/surface.ts';
import { useConsole } from '../console/use-console.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { escapedParts, Line } from '../widgets/Line.tsx';
import { fitForm, formRows } from './form-layout.ts';
import type { Field, Form, FormEvent } from './form-state.ts';
import { TextField } from './TextField.tsx';
import { useDrawnFirst } from './use-drawn-first.ts';

interface FormBoxProps {
  readonly form: Form;
  readonly active: boolean;
  readonly height: number;
  dispatch(event: FormEvent): void;
  save(): void;
  cancel(): void;
}

/** Rows that a form would like, the rule above it among them. */
export function formHeight(form: Form, surface: Surface): number {
  return 1 + formRows(form, surface).length;
}

/** Fields one below the other; what is wrong stands below its field, why saving failed on top. */
export function FormBox({ form, active, height, dispatch, save, cancel }: FormBoxProps) {
  const { columns, redact, session } = useConsole();
  useDrawnFirst(form.title, active && form.asks === true);
  useShortcuts('form', {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    act(action) {
      if (action === 'cancel') cancel();
      else if (form.saving) return;
      else if (action === 'save') save();
      else if (action !== 'line') dispatch({ type: action });
    },
  });
  const labelWidth = Math.max(...form.fields.map((field) => field.label.length));
  return (
    <>
      <Line parts={[{ text: '─'.repeat(columns), role: 'dim' }]} />
      {fitForm(form, { columns, redact }, height - 1).map((row, index) => {
        const field = row.type === 'field' ? form.fields[row.index] : undefined;
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        if (row.type === 'text') return <Line key={index} parts={escapedParts(row.text, row.role)} />;
        if (field === undefined) return null;
        const marked = row.index === form.focus;
        return (
          <FieldLine
            key={field.name}
            field={field}
            labelWidth={labelWidth}
            marked={marked}
            focused={active && marked && !form.saving}
            dispatch={dispatch}
          />
        );
      })}
    </>
  );
}

interface FieldLineProps {
  readonly field: Field;
  readonly labelWidth: number;
  readonly marked: boolean;
  readonly focused: boolean;
  dispatch(event: FormEvent): void;
}

function FieldLine({ field, labelWidth, marked, focused, dispatch }: FieldLineProps) {
  const { columns } = useConsole();
  const label = `${marked ? '>' : ' '} ${pad(field.label, labelWidth)}  `;
  return (
    <Box height={1} flexShrink={0}>
      <Box width={label.length} flexShrink={0}>
        <Line parts={[{ text: label, role: marked ? 'title' : 'plain' }]} />
      </Box>
      <TextField
        value={field.value}
        width={Math.max(1, columns - label.length)}
        focused={focused}
        hidden={field.hidden ?? false}
        multiline={field.multiline ?? false}
        onChange={(value) => dispatch({ type: 'typed', value })}
      />
    </Box>
  );
}
