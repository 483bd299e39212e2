import { Box } from 'ink';
import { escapeText } from '../../src/text/escape.ts';
import { problemLines } from '../../src/text/problem.ts';
import { fitText, pad } from '../../src/text/width.ts';
import { foldText } from '../fold.ts';
import type { Field, Form, FormEvent } from '../form-state.ts';
import { useConsole } from '../use-console.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { escapedParts, Line } from './Line.tsx';
import { TextField } from './TextField.tsx';

interface FormBoxProps {
  readonly form: Form;
  readonly active: boolean;
  readonly height: number;
  dispatch(event: FormEvent): void;
  save(): void;
  cancel(): void;
}

/** Rows that a form would like: rule and title, lines, a row for each field, and its errors. */
export function formHeight(form: Form, width: number): number {
  const remarks = form.fields.filter((field) => remarkOf(field) !== undefined).length;
  return 1 + headLines(form, width).length + form.fields.length + remarks;
}

/** Fields one below the other; what is wrong stands below its field, why saving failed on top. */
export function FormBox({ form, active, height, dispatch, save, cancel }: FormBoxProps) {
  const { columns, session } = useConsole();
  useShortcuts('form', {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    act: (action) => {
      if (action === 'cancel') cancel();
      else if (form.saving) return;
      else if (action === 'save') save();
      else dispatch({ type: action });
    },
  });
  const room = Math.max(1, height - form.fields.length - 1);
  const head = headLines(form, columns).slice(0, room);
  const labelWidth = Math.max(...form.fields.map((field) => field.label.length));
  return (
    <>
      <Line parts={[{ text: '─'.repeat(columns), role: 'dim' }]} />
      {head.map(({ text, role }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        <Line key={index} parts={escapedParts(text, role)} />
      ))}
      {form.fields.map((field, index) => (
        <FieldLines
          key={field.name}
          field={field}
          labelWidth={labelWidth}
          marked={index === form.focus}
          focused={active && index === form.focus && !form.saving}
          dispatch={dispatch}
        />
      ))}
    </>
  );
}

interface FieldLinesProps {
  readonly field: Field;
  readonly labelWidth: number;
  readonly marked: boolean;
  readonly focused: boolean;
  dispatch(event: FormEvent): void;
}

function FieldLines({ field, labelWidth, marked, focused, dispatch }: FieldLinesProps) {
  const { columns } = useConsole();
  const remark = remarkOf(field);
  const label = `${marked ? '>' : ' '} ${pad(field.label, labelWidth)}  `;
  return (
    <>
      <Box height={1} flexShrink={0}>
        <Box width={label.length} flexShrink={0}>
          <Line parts={[{ text: label, role: marked ? 'title' : 'plain' }]} />
        </Box>
        <TextField
          value={field.value}
          width={Math.max(1, columns - label.length)}
          focused={focused}
          onChange={(value) => dispatch({ type: 'typed', value })}
          onDropped={(count) => dispatch({ type: 'dropped', count })}
        />
      </Box>
      {remark !== undefined && (
        <Line
          parts={escapedParts(
            fitText(' '.repeat(label.length) + remark, columns),
            field.error === undefined ? 'dim' : 'fault',
          )}
        />
      )}
    </>
  );
}

function remarkOf(field: Field): string | undefined {
  const remark = field.error ?? field.note;
  return remark === undefined ? undefined : escapeText(remark);
}

function headLines(form: Form, width: number) {
  const title = {
    text: fitText(form.saving ? `${form.title} …` : form.title, width),
    role: 'title',
  } as const;
  const lines = form.lines.flatMap((line) => foldText(line, width));
  const problem = form.problem === undefined ? [] : problemLines(form.problem);
  return [
    title,
    ...lines.map((text) => ({ text, role: 'plain' }) as const),
    ...problem.flatMap((line) => foldText(line, width)).map((text) => ({ text, role: 'fault' }) as const),
  ];
}
