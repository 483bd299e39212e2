import { Box } from 'ink';
import { useCallback, useEffect, useState } from 'react';
import { listProfiles } from '../../../src/services/session/profiles.ts';
import { markText } from '../../../src/text/mark.ts';
import { fitText, measureCharacter, pad } from '../../../src/text/width.ts';
import { hasRule } from '../../kit/danger.ts';
import { type Busy, saving, waitReason } from '../../kit/keys/busy.ts';
import type { Surface } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useClicks } from '../input/use-clicks.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import { completeField } from './completion.ts';
import { DangerRule } from './DangerRule.tsx';
import { FieldPicker, type TypedInPicker } from './FieldPicker.tsx';
import { type FormRow, fitForm, formRows, remarkColumn } from './form-layout.ts';
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
  const [typed, setTyped] = useState<TypedInPicker>({ query: '', place: '' });
  const labelWidth = Math.max(...form.fields.map((field) => fieldLabel(field).length));
  const { danger = 'change' } = form;
  // On a small screen, a form without danger has no rule, to leave a row for the remark of the focused field.
  const isTight = danger === 'change' && formRows(form, { columns, redact }).length > height - 1;
  const isRuled = hasRule(danger, isFramed) && !isTight;
  const rows = fitForm(form, { columns, redact }, isRuled ? height - 1 : height, isTitled);
  const picker = rows.findIndex(({ type }) => type === 'choice');
  const focused = focusedField(form);
  return (
    <>
      {isRuled && <DangerRule danger={danger} />}
      {rows.map((row, index) => {
        if (row.type === 'text') {
          if (isText(rows[index - 1])) return null;
          const { above, lines } = findText(form, rows, index);
          return <TextLines key={`text below ${above}`} lines={lines} />;
        }
        const field = row.type === 'field' ? form.fields[row.index] : focused;
        if (field === undefined || (row.type === 'choice' && index !== picker)) return null;
        if (row.type === 'choice')
          return (
            <FieldPicker
              key={`${field.name} picker`}
              field={field}
              height={rows.filter(({ type }) => type === 'choice').length}
              indent={remarkColumn(form, columns)}
              active={active && !form.saving}
              pick={pick}
              onTyped={setTyped}
            />
          );
        const marked = row.index === form.focus;
        return (
          <FieldLine
            key={field.name}
            field={field}
            labelWidth={labelWidth}
            marked={marked}
            typed={marked ? typed : undefined}
            focused={active && marked && !form.saving}
            focus={active && !form.saving ? () => dispatch({ type: 'focused', index: row.index }) : undefined}
            dispatch={dispatch}
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

/** Returns the names of the profiles; empty until the names are read, and if no field completes a profile. */
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
  readonly labelWidth: number;
  readonly marked: boolean;
  /** The letters typed in the field's picker. */
  readonly typed: TypedInPicker | undefined;
  readonly focused: boolean;
  /** Called for a click on the field; undefined if the field cannot be focused. */
  readonly focus: (() => void) | undefined;
  dispatch(event: FormEvent): void;
}

function FieldLine({ field, labelWidth, marked, typed, focused, focus, dispatch }: FieldLineProps) {
  const { columns, redact, theme } = useConsole();
  const box = useClicks(focus !== undefined && !marked, () => focus?.());
  const label = `${marked ? '>' : ' '} ${pad(fieldLabel(field), labelWidth)}  `;
  const width = Math.max(1, columns - label.length);
  // Text fields have a background, so that an empty field is visible. The focused choice has the same background.
  const { backgroundColor } = marked || field.choices === undefined ? theme.field : {};
  const tint = backgroundColor === undefined ? {} : { backgroundColor };
  const chosen = field.choices?.find(({ value }) => value === field.value);
  return (
    <Box ref={box} height={1} flexShrink={0}>
      <Box width={label.length} flexShrink={0}>
        <Line parts={[{ text: label, role: marked ? 'title' : 'dim' }]} />
      </Box>
      {field.choices === undefined ? (
        <Box width={width} height={1} flexShrink={0} {...tint}>
          <TextField
            value={field.value}
            width={width}
            focused={focused}
            hidden={field.hidden ?? false}
            multiline={field.multiline ?? false}
            onChange={(value) => dispatch({ type: 'typed', value })}
          />
        </Box>
      ) : (
        <Box width={width} height={1} flexShrink={0} overflow="hidden" {...tint}>
          <Line parts={chosenParts(chosen ?? { label: field.value }, { width, redact, marked }, typed)} />
        </Box>
      )}
    </Box>
  );
}

/** The hint after the value of the focused choice. */
const changeHint = '  ←→ change';

/** Returns the parts of a choice: the typed letters, then the chosen value between the marks of a choice, and its position. */
function chosenParts(
  choice: Pick<FieldChoice, 'label' | 'about'>,
  { width, redact, marked }: Pick<Surface, 'redact'> & { readonly width: number; readonly marked: boolean },
  { query, place }: TypedInPicker = { query: '', place: '' },
): Part[] {
  const letters: Part[] =
    query === '' ? [] : [{ text: query }, { text: ' ', role: 'cursor' }, { text: '  ', role: 'dim' }];
  const [explained = '', label = ''] = [explainedLabel(choice), choice.label].map((text) =>
    markText(redact(text)),
  );
  const shown = measureCharacter(explained) <= width - 4 ? explained : fitText(label, width - 4);
  const used = [...letters, { text: `‹ ${shown} ›  ${place}` }].reduce(
    (sum, { text }) => sum + measureCharacter(text),
    0,
  );
  const hint: Part[] =
    marked && used + changeHint.length <= width
      ? [
          { text: '  ←→', role: 'press' },
          { text: ' change', role: 'dim' },
        ]
      : [];
  return [
    ...letters,
    { text: '‹ ', role: 'dim' },
    { text: shown },
    { text: ' ›', role: 'dim' },
    { text: place === '' ? '' : `  ${place}`, role: 'dim' },
    ...hint,
  ];
}
