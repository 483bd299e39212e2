import { markText } from '../../../src/text/mark.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText, measureCharacter, pad } from '../../../src/text/width.ts';
import { dangerStyles, hasRule } from '../../kit/danger.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';
import type { Part } from '../lines/Line.tsx';
import { type DialogRow, fitLines, foldLines, isExample, isFlexible } from './dialog-lines.ts';
import {
  explainedLabel,
  type Field,
  type FieldChoice,
  type Form,
  fieldLabel,
  focusedField,
  formTitle,
} from './form-state.ts';
import { choiceMarkColumns } from './picker-state.ts';

/** One row of a form on the screen: text, the field with this index, or a row of a picker. */
export type FormRow =
  | TextRow
  | { readonly type: 'field'; readonly index: number }
  /** One more row of the list of values, which starts in the row of the focused field. */
  | { readonly type: 'choice' };

interface TextRow {
  readonly type: 'text';
  readonly text: string;
  readonly role: Role;
  /** The text in parts, if it has several styles. */
  readonly parts?: readonly Part[];
}

/** Columns by which a remark is indented on a narrow screen. On a wider screen, remarks are aligned with the values. */
const narrowIndent = 4;

/** Minimum width, in columns, of a screen on which remarks are aligned with the values. */
const minColumnsForAligned = 60;

/** Columns of the cursor before a label, and of the gap after the label. */
const labelMargins = 4;

/** Returns the column where the values of a form start. */
export function valueColumn({ fields }: Form): number {
  return Math.max(...fields.map((field) => fieldLabel(field).length)) + labelMargins;
}

/** Returns the column where the remarks of a form start. */
function remarkColumn(form: Form, columns: number): number {
  return columns < minColumnsForAligned ? narrowIndent : valueColumn(form);
}

/** Filters that decide which fields show their error or note, in order of preference. */
const remarkFilters: ReadonlyArray<Shown['shows']> = [
  () => true,
  (field, focused) => focused || field.error !== undefined,
  (_, focused) => focused,
];

/** Maximum number of rows for the values of the focused field; more values scroll. */
const maxChoiceRows = 8;

/** Maximum number of rows for the values of a field whose values scroll anyway, on a screen with few rows. */
const fewChoiceRows = 4;

/** The contents of a form, in order of preference: the first with which the form fits is used. */
function shownContents(form: Form): readonly Shown[] {
  const count = focusedField(form)?.choices?.length ?? 0;
  const limits = count > maxChoiceRows ? [maxChoiceRows, fewChoiceRows] : [maxChoiceRows];
  const open = limits.flatMap((choiceRows) => remarkFilters.map((shows) => ({ shows, choiceRows })));
  return [
    ...open,
    ...remarkFilters.map((shows) => ({ shows, choiceRows: 1 })),
    { shows: (_, focused) => focused, choiceRows: 1, isShort: true },
    { shows: (field, focused) => focused && field.error !== undefined, choiceRows: 1 },
  ];
}

/** Returns all rows of a form, without the rule above it. */
export function formRows(form: Form, surface: Surface): FormRow[] {
  return buildRows(form, surface, { shows: () => true, choiceRows: maxChoiceRows });
}

/** How a form is drawn in a number of rows. */
interface FormLayout {
  readonly rows: readonly FormRow[];
  /** Whether a rule is above the rows. */
  readonly isRuled: boolean;
  /** The position of the focused field if not all fields are visible, such as `2 of 7 ↓`; otherwise empty. */
  readonly position: string;
}

/** Returns the layout of a form. `isFramed`: whether the form has borders; `isTitled`: whether the upper border contains the title. */
export function layOutForm(
  form: Form,
  surface: Surface,
  {
    height,
    isFramed,
    isTitled,
  }: { readonly height: number; readonly isFramed: boolean; readonly isTitled: boolean },
): FormLayout {
  const { danger = 'change' } = form;
  // On a small screen, a form for a safe action has no rule, which leaves a row for the remark about the focused field.
  const isTight = danger === 'change' && formRows(form, surface).length > height - 1;
  const isRuled = hasRule(danger, isFramed) && !isTight;
  const rows = fitForm(form, surface, isRuled ? height - 1 : height, isTitled);
  return { rows, isRuled, position: formatPosition(form, rows) };
}

function formatPosition({ fields, focus }: Form, rows: readonly FormRow[]): string {
  const visible = new Set(rows.map((row) => (row.type === 'field' ? row.index : -1)));
  const hidden = fields.map((_, index) => index).filter((index) => !visible.has(index));
  if (hidden.length === 0) return '';
  const isHiddenAbove = hidden.some((index) => index < focus);
  const isHiddenBelow = hidden.some((index) => index > focus);
  return `${focus + 1} of ${fields.length} ${isHiddenAbove ? '↑' : ''}${isHiddenBelow ? '↓' : ''}`;
}

/**
 * Returns up to `height` rows of a form. If not all rows fit, remarks are omitted first, then the list of values is reduced to the chosen
 * value, then long parts of lines are shortened or lines are hidden, then examples are omitted, then rows far from the focused field; `…`
 * replaces omitted lines above the focused field, and the title is followed by the position of the focused field. `isTitled`: whether the
 * border already contains the title.
 */
export function fitForm(form: Form, surface: Surface, height: number, isTitled = false): FormRow[] {
  const rows = cutForm(form, surface, height, isTitled);
  const position = formatPosition(form, rows);
  const [title, ...rest] = rows;
  if (isTitled || position === '' || title?.type !== 'text') return rows;
  return [addPosition(title, position, surface.columns), ...rest];
}

/** Adds the position of the focused field at the right of a title. */
function addPosition({ text, role }: TextRow, position: string, columns: number): TextRow {
  const left = fitText(text, Math.max(1, columns - measureCharacter(position) - 2));
  const right = pad(position, Math.max(0, columns - measureCharacter(left)), 'right');
  return {
    type: 'text',
    text: left + right,
    role,
    parts: [
      { text: left, role },
      { text: right, role: 'dim' },
    ],
  };
}

function cutForm(form: Form, surface: Surface, height: number, isTitled: boolean): FormRow[] {
  const tries = shownContents(form).map((shown) => buildRows(form, surface, { ...shown, isTitled }));
  const fitting = tries.find((rows) => rows.length <= height);
  if (fitting !== undefined) return fitting;
  if (form.lines.some(isFlexible)) {
    const shown: Shown = { shows: (_, focused) => focused, choiceRows: 1, isTitled };
    const lineRows = height - buildRows({ ...form, lines: [] }, surface, shown).length;
    if (lineRows > 0) return buildRows(form, surface, { ...shown, lineRows });
  }
  const essential = { ...form, lines: form.lines.filter((line) => !isExample(line)) };
  const rows = buildRows(essential, surface, {
    shows: (_, focused) => focused,
    choiceRows: 1,
    isTitled,
  });
  if (rows.length <= height) return rows;
  const at = rows.findIndex((row) => row.type === 'field' && row.index === form.focus);
  const head = isTitled ? [] : rows.slice(0, 1);
  const room = height - head.length;
  const start = Math.max(head.length, Math.min(at, rows.length - room));
  if (height <= 1) return rows.slice(at, at + 1);
  const isTextHidden = start < at && rows.slice(head.length, start).some(({ type }) => type === 'text');
  const hidden = rows.slice(head.length, isTextHidden ? start + 1 : start);
  // The first required field shows what the form is about, for example a hostname.
  const required = hidden.find((row) => row.type === 'field' && form.fields[row.index]?.isRequired === true);
  const kept = [...(isTextHidden ? [cutMark] : []), ...(required === undefined ? [] : [required])];
  const next = rows.findIndex((row, index) => index > at && row.type === 'field');
  const focusedRows = (next === -1 ? rows.length : next) - at;
  if (required !== undefined && room >= kept.length + focusedRows) {
    const from = Math.min(at, rows.length - (room - kept.length));
    return [...head, ...kept, ...rows.slice(from, from + room - kept.length)];
  }
  const shown = rows.slice(start, start + room);
  return [...head, ...(isTextHidden ? [cutMark, ...shown.slice(1)] : shown)];
}

/** The row that replaces omitted lines above. */
const cutMark: FormRow = { type: 'text', text: '…', role: 'dim' };

interface Shown {
  /** Returns whether a field shows its error or note. */
  readonly shows: (field: Field, focused: boolean) => boolean;
  /** Maximum number of rows for the values of the focused field. */
  readonly choiceRows: number;
  /** Whether a remark of the focused field is shortened to one row. */
  readonly isShort?: boolean;
  /** Whether the border contains the title. */
  readonly isTitled?: boolean;
  /** Maximum number of rows of the form's lines (default: all rows). */
  readonly lineRows?: number;
}

function buildRows(form: Form, surface: Surface, shown: Shown): FormRow[] {
  const { shows, isTitled = false, lineRows, isShort = false } = shown;
  const values = { ...surface, columns: surface.columns - valueColumn(form) };
  const remarks = { indent: remarkColumn(form, surface.columns), isShort };
  const fields = form.fields.flatMap((field, index): FormRow[] => {
    const isFocused = index === form.focus;
    const rows = isFocused ? countChoiceRows(field, values, shown.choiceRows) : 1;
    const explained = isFocused ? explanation(field, values, rows) : undefined;
    return [
      { type: 'field', index },
      ...Array.from({ length: rows - 1 }, (): FormRow => ({ type: 'choice' })),
      ...(shows(field, isFocused) ? remarkRows(field, surface, remarks, explained) : []),
    ];
  });
  return [...(isTitled ? [] : titleRows(form, surface)), ...headRows(form, surface, lineRows), ...fields];
}

/** Maximum number of rows of a title, which can quote a name longer than the screen. */
const maxTitleRows = 2;

function titleRows(form: Form, { columns, redact }: Surface): FormRow[] {
  const lines = foldText(markText(redact(formTitle(form))), columns);
  const shown =
    lines.length > maxTitleRows
      ? [...lines.slice(0, maxTitleRows - 1), fitText(lines.slice(1).join(' '), columns)]
      : lines;
  const role = form.danger === undefined ? 'title' : dangerStyles[form.danger].title;
  return shown.map((text) => ({ type: 'text', text, role }));
}

function headRows(form: Form, surface: Surface, lineRows?: number): FormRow[] {
  const problem = form.problem === undefined ? [] : problemLines(form.problem, remedyWords, (text) => text);
  return [
    ...textRows(
      lineRows === undefined ? foldLines(form.lines, surface) : fitLines(form.lines, surface, lineRows),
      'plain',
    ),
    ...textRows(foldLines(problem, surface), 'fault'),
  ];
}

/**
 * Returns the number of rows for the values of the focused field, up to `limit`. If there is no room for an explanation next to its value,
 * only the chosen value is shown, with its explanation below.
 */
function countChoiceRows({ choices = [] }: Field, values: Surface, limit: number): number {
  const rows = Math.max(1, Math.min(choices.length, limit));
  const list = { count: choices.length, rows };
  return choices.every((choice) => fitsExplanation(choice, values, list)) ? rows : 1;
}

/** Maximum number of rows of a remark, which can quote text longer than the screen. */
const maxRemarkRows = 4;

function remarkRows(
  field: Field,
  surface: Surface,
  { indent, isShort }: { readonly indent: number; readonly isShort: boolean },
  explained: string | undefined,
): FormRow[] {
  const remark = field.error ?? linesRemark(field) ?? field.hint ?? field.note ?? explained;
  if (remark === undefined) return [];
  const width = surface.columns - indent;
  const marked = markText(surface.redact(remark));
  const folded = isShort && field.error === undefined ? [fitText(marked, width)] : foldText(marked, width);
  const shown = folded.length > maxRemarkRows ? [...folded.slice(0, maxRemarkRows - 1), '…'] : folded;
  const role = field.error === undefined ? 'dim' : 'fault';
  return shown.map((line) => ({ type: 'text', text: ' '.repeat(indent) + line, role }));
}

/**
 * Returns whether a choice without an explanation, or a choice with its explanation, fits in the columns of the values. `list`: the number
 * of choices, and the rows in which they are drawn; if not all choices are visible, the position needs room too.
 */
export function fitsExplanation(
  choice: FieldChoice,
  { columns, redact }: Surface,
  { count, rows }: { readonly count: number; readonly rows: number },
): boolean {
  if (choice.about === undefined) return true;
  const place = count > rows ? `  ${count} of ${count}`.length : 0;
  return measureCharacter(markText(redact(explainedLabel(choice)))) <= columns - choiceMarkColumns - place;
}

/** Returns the explanation of the chosen value if there is no room for it next to the value. */
function explanation({ choices = [], value }: Field, values: Surface, rows: number): string | undefined {
  const chosen = choices.find((choice) => choice.value === value);
  if (chosen === undefined || fitsExplanation(chosen, values, { count: choices.length, rows }))
    return undefined;
  return chosen.about;
}

/** Formats the numbers of lines and characters of a multi-line value, of which the field shows only a part; undefined for one line. */
function linesRemark({ multiline, value }: Field): string | undefined {
  if (multiline !== true || !value.includes('\n')) return undefined;
  const lines = value.split('\n').length - (value.endsWith('\n') ? 1 : 0);
  const [counted, characters] = [lines, [...value].length].map(groupDigits);
  return `${counted} ${lines === 1 ? 'line' : 'lines'}, ${characters} characters.`;
}

function textRows(lines: readonly DialogRow[], role: Role): FormRow[] {
  return lines.map((line) => ({ type: 'text', text: line.text, role: line.role ?? role }));
}
