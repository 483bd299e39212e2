import { Box } from 'ink';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { listProfiles } from '../../../src/services/session/profiles.ts';
import { markText } from '../../../src/text/mark.ts';
import { fitText, measureCharacter, pad } from '../../../src/text/width.ts';
import { type Busy, saving, waitReason } from '../../kit/keys/busy.ts';
import type { Surface } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useClicks } from '../input/use-clicks.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import { completeField } from './completion.ts';
import { DangerRule } from './DangerRule.tsx';
import { FieldPicker } from './FieldPicker.tsx';
import { type FormRow, formRows, layOutForm, valueColumn } from './form-layout.ts';
import {
  explainedLabel,
  type Field,
  type FieldChoice,
  type Form,
  type FormEvent,
  fieldLabel,
  focusedField,
  skippedField,
} from './form-state.ts';
import type { ChoiceAction, FormAction } from './keymap.ts';
import { choiceMarkColumns } from './picker-state.ts';
import { TextField } from './TextField.tsx';
import { useDrawnFirst } from './use-drawn-first.ts';
import { type ListNames, useListNames } from './use-list-names.ts';

interface FormBoxProps {
  readonly form: Form;
  /** The running work of the form's pane. */
  readonly busy?: Busy | undefined;
  readonly active: boolean;
  readonly height: number;
  /** Whether the box has borders. Without borders, a rule is drawn above the form. */
  readonly isFramed?: boolean;
  /** Whether the upper border contains the title. */
  readonly isTitled?: boolean;
  /** The names in the list behind the form, for completion. */
  readonly names?: ListNames | undefined;
  dispatch(event: FormEvent): void;
  save(): void;
  cancel(): void;
}

/** Returns the number of rows that a form needs, including the rule above it. */
export function formHeight(form: Form, surface: Surface): number {
  return 1 + formRows(form, surface).length;
}

/** Draws the fields of a form, each with its error below it, and the reason for a failed save at the top. */
export function FormBox(props: FormBoxProps) {
  const { form, active, height, isFramed = false, isTitled = false, dispatch } = props;
  const { columns, redact } = useConsole();
  useDrawnFirst(form.title, active && form.danger !== undefined);
  useFormShortcuts(props);
  const [send] = useLatest(dispatch);
  const pick = useCallback((value: string) => send({ type: 'typed', value }), [send]);
  const { danger = 'change' } = form;
  const { rows, isRuled } = layOutForm(form, { columns, redact }, { height, isFramed, isTitled });
  const choiceRows = 1 + rows.filter(({ type }) => type === 'choice').length;
  return (
    <>
      {isRuled && <DangerRule danger={danger} />}
      {rows.map((row, index) => {
        if (row.type === 'text') {
          if (isText(rows[index - 1])) return null;
          const { above, lines } = findText(form, rows, index);
          return <TextLines key={`text below ${above}`} lines={lines} />;
        }
        const field = row.type === 'field' ? form.fields[row.index] : undefined;
        if (row.type === 'choice' || field === undefined) return null;
        const marked = row.index === form.focus;
        return (
          <FieldLine
            key={field.name}
            field={field}
            height={marked ? choiceRows : 1}
            labelColumns={valueColumn(form)}
            marked={marked}
            focused={active && marked && !form.saving}
            focus={active && !form.saving ? () => dispatch({ type: 'focused', index: row.index }) : undefined}
            dispatch={dispatch}
            pick={pick}
          />
        );
      })}
    </>
  );
}

function isText(row: FormRow | undefined): row is FormRow & { readonly type: 'text' } {
  return row?.type === 'text';
}

/** Returns the lines of text from an index up to the next row that is not text, and the name of the field above them. */
function findText({ fields }: Form, rows: readonly FormRow[], start: number) {
  const end = rows.findIndex((row, index) => index > start && !isText(row));
  const above = rows.slice(0, start).findLast((row) => row.type === 'field');
  return {
    above: above === undefined ? '' : fields[above.index]?.name,
    lines: rows.slice(start, end === -1 ? undefined : end).filter(isText),
  };
}

/** Returns a stable function that calls the latest version of `call`. */
function useLatest<A extends readonly unknown[]>(
  call: (...args: A) => void,
): readonly [(...args: A) => void] {
  const [box] = useState(() => ({ call }));
  useEffect(() => {
    box.call = call;
  });
  const [stableCall] = useState(
    () =>
      (...args: A) =>
        box.call(...args),
  );
  return [stableCall];
}

function useFormShortcuts({ form, busy, active, names, dispatch, save, cancel }: FormBoxProps): void {
  const { session, world, known, notify } = useConsole();
  const field = focusedField(form);
  const profiles = useProfileNames(form);
  const rows = useListNames(field, names);
  const situation = { readOnly: session.readOnly, selected: true };
  const isPicker = field?.choices !== undefined;
  const wait = () => notify(`${waitReason(busy ?? saving)}.`, 'refused');
  const otherwise = form.saving ? wait : undefined;
  const skipped = skippedField(form);
  const proceed = () => (skipped === undefined ? save() : dispatch({ type: 'focused', index: skipped }));
  useShortcuts<FormAction>('form', {
    active: active && !isPicker,
    situation,
    otherwise,
    runAction(action) {
      if (action === 'cancel') cancel();
      else if (form.saving) wait();
      else if (action === 'save') proceed();
      else if (action === 'complete')
        dispatch((field && completeField(field, { world, known, profiles, rows })) ?? { type: 'next' });
      else if (action !== 'line') dispatch({ type: action });
    },
  });
  useShortcuts<ChoiceAction>('choice', {
    active: active && isPicker,
    situation,
    otherwise,
    runAction(action) {
      if (action === 'cancel') cancel();
      else if (form.saving) wait();
      else if (action === 'choose') return;
      else if (action === 'save') proceed();
      else dispatch({ type: action });
    },
  });
}

/** Returns the names of the profiles; an empty list until the names have been read, or if no field completes the name of a profile. */
function useProfileNames({ fields }: Form): readonly string[] {
  const { world } = useConsole();
  const [names, setNames] = useState<readonly string[]>([]);
  const isWanted = fields.some(({ completes }) => completes === 'place');
  useEffect(() => {
    if (!isWanted) return;
    listProfiles(world).then(
      (profiles) => setNames(profiles.map(({ name }) => name)),
      () => undefined,
    );
  }, [isWanted, world]);
  return names;
}

interface FieldLineProps {
  readonly field: Field;
  /** Number of rows: several for the list of values of the focused field. */
  readonly height: number;
  /** Columns of the label, including the cursor before it and the gap after it. */
  readonly labelColumns: number;
  readonly marked: boolean;
  readonly focused: boolean;
  /** Called for a click on the field; undefined if the field cannot be focused. */
  readonly focus: (() => void) | undefined;
  dispatch(event: FormEvent): void;
  pick(value: string): void;
}

function FieldLine(props: FieldLineProps) {
  const { field, height, labelColumns, marked, focus } = props;
  const { columns } = useConsole();
  const box = useClicks(focus !== undefined && !marked, () => focus?.());
  const label = `${marked ? '>' : ' '} ${pad(fieldLabel(field), labelColumns - 2)}`;
  return (
    <Box ref={box} height={height} flexShrink={0}>
      <Box width={labelColumns} flexShrink={0}>
        <Line parts={[{ text: label, role: marked ? 'title' : 'dim' }]} />
      </Box>
      <FieldValue {...props} width={Math.max(1, columns - labelColumns)} />
    </Box>
  );
}

function FieldValue(props: FieldLineProps & { readonly width: number }): ReactNode {
  const { field, height, width, marked, focused, dispatch, pick } = props;
  const { redact, theme } = useConsole();
  if (field.choices !== undefined && marked)
    return <FieldPicker field={field} height={height} columns={width} active={focused} pick={pick} />;
  if (field.choices !== undefined) {
    const chosen = field.choices.find(({ value }) => value === field.value);
    return (
      <Box width={width} height={1} flexShrink={0} overflow="hidden">
        <Line parts={chosenParts(chosen ?? { label: field.value }, { columns: width, redact })} />
      </Box>
    );
  }
  // Text fields have a background, so that an empty field is visible. The background of the focused field is the strongest.
  const { backgroundColor, underline } = theme[marked ? 'field' : 'idleField'];
  // In high contrast and without colors, a background alone would not show an empty field.
  if (!marked && underline === true && field.value === '')
    return <Line parts={[{ text: ' '.repeat(width), role: 'idleField' }]} />;
  return (
    <Box
      width={width}
      height={1}
      flexShrink={0}
      {...(backgroundColor === undefined ? {} : { backgroundColor })}
    >
      <TextField
        value={field.value}
        width={width}
        focused={focused}
        hidden={field.hidden ?? false}
        multiline={field.multiline ?? false}
        onChange={(value) => dispatch({ type: 'typed', value })}
      />
    </Box>
  );
}

/** Returns the parts of a choice that is not focused: the chosen value between the marks of a choice. */
function chosenParts(choice: Pick<FieldChoice, 'label' | 'about'>, { columns, redact }: Surface): Part[] {
  const room = columns - choiceMarkColumns;
  const [explained = '', label = ''] = [explainedLabel(choice), choice.label].map((text) =>
    markText(redact(text)),
  );
  const shown = measureCharacter(explained) <= room ? explained : fitText(label, room);
  return [{ text: '‹ ', role: 'dim' }, { text: shown }, { text: ' ›', role: 'dim' }];
}
