import { markText } from '../../../src/text/mark.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';
import { dangerStyles } from '../../kit/danger.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';
import { type DialogRow, fitLines, foldLines, isExample, isFlexible } from './dialog-lines.ts';
import { explainedLabel, type Field, type Form, fieldLabel, formTitle } from './form-state.ts';
import { indicatorColumns } from './picker-state.ts';

/** One row of a form on the screen: text, the field with this index, or a row of a picker. */
export type FormRow =
  | { readonly type: 'text'; readonly text: string; readonly role: Role }
  | { readonly type: 'field'; readonly index: number }
  /** One row of the field's picker, below the field. */
  | { readonly type: 'choice' };

/** Columns by which a remark is indented on a narrow screen. On a wider screen, remarks are aligned with the values. */
const narrowIndent = 4;

/** Minimum width, in columns, of a screen on which remarks are aligned with the values. */
const minColumnsForAligned = 60;

/** Columns of the cursor before a label, and of the gap after the label. */
const labelMargins = 4;

/** Returns the column where the remarks of a form, and the choices of a field, start. */
export function remarkColumn({ fields }: Form, columns: number): number {
  if (columns < minColumnsForAligned) return narrowIndent;
  return Math.max(...fields.map((field) => fieldLabel(field).length)) + labelMargins;
}

/** Filters that decide which fields show their error or note, in order of preference: the first with which the form fits is used. */
const remarkFilters: ReadonlyArray<(field: Field, focused: boolean) => boolean> = [
  () => true,
  (field, focused) => focused || field.error !== undefined,
  (_, focused) => focused,
  (field, focused) => focused && field.error !== undefined,
];

/** Returns all rows of a form, without the rule above it. */
export function formRows(form: Form, surface: Surface): FormRow[] {
  return buildRows(form, surface, { shows: () => true });
}

/**
 * Returns up to `height` rows of a form. If not all rows fit, remarks are omitted first, then long parts of lines are shortened or lines are
 * hidden, then examples are omitted, then rows far from the focused field; `…` replaces omitted rows above it. `isTitled`: whether the border
 * already contains the title.
 */
export function fitForm(form: Form, surface: Surface, height: number, isTitled = false): FormRow[] {
  const tries = remarkFilters.map((shows) => buildRows(form, surface, { shows, isTitled }));
  const fitting = tries.find((rows) => rows.length <= height);
  if (fitting !== undefined) return fitting;
  if (form.lines.some(isFlexible)) {
    const shown: Shown = { shows: (_, focused) => focused, isTitled };
    const lineRows = height - buildRows({ ...form, lines: [] }, surface, shown).length;
    if (lineRows > 0) return buildRows(form, surface, { ...shown, lineRows });
  }
  const essential = { ...form, lines: form.lines.filter((line) => !isExample(line)) };
  const rows = buildRows(essential, surface, { shows: (_, focused) => focused, isTitled });
  if (rows.length <= height) return rows;
  const at = rows.findIndex((row) => row.type === 'field' && row.index === form.focus);
  const head = isTitled ? [] : rows.slice(0, 1);
  const room = height - head.length;
  const start = Math.max(head.length, Math.min(at, rows.length - room));
  if (height <= 1) return rows.slice(at, at + 1);
  const isCutAbove = start > head.length && start < at;
  const shown = rows.slice(start, start + room);
  return [...head, ...(isCutAbove ? [cutMark, ...shown.slice(1)] : shown)];
}

/** The row that replaces omitted rows above. */
const cutMark: FormRow = { type: 'text', text: '…', role: 'dim' };

interface Shown {
  /** Returns whether a field shows its error or note. */
  shows(field: Field, focused: boolean): boolean;
  /** Whether the border contains the title. */
  readonly isTitled?: boolean;
  /** Maximum number of rows of the form's lines (default: all rows). */
  readonly lineRows?: number;
}

function buildRows(form: Form, surface: Surface, { shows, isTitled = false, lineRows }: Shown): FormRow[] {
  const indent = remarkColumn(form, surface.columns);
  const fields = form.fields.flatMap((field, index): FormRow[] => [
    { type: 'field', index },
    ...(index === form.focus ? choiceRows(field) : []),
    ...(shows(field, index === form.focus) ? remarkRows(field, surface, indent, index === form.focus) : []),
  ]);
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

/** Maximum number of rows for the values of a field; more values scroll. */
const maxChoiceRows = 8;

function choiceRows({ choices = [] }: Field): FormRow[] {
  return choices.slice(0, maxChoiceRows).map(() => ({ type: 'choice' }));
}

/** Maximum number of rows of a remark, which can quote text longer than the screen. */
const maxRemarkRows = 4;

function remarkRows(field: Field, surface: Surface, indent: number, isFocused: boolean): FormRow[] {
  const explained = isFocused ? explanation(field, surface, indent) : undefined;
  const remark = field.error ?? linesRemark(field) ?? field.hint ?? field.note ?? explained;
  if (remark === undefined) return [];
  const width = surface.columns - indent;
  const folded = foldText(markText(surface.redact(remark)), width);
  const shown = folded.length > maxRemarkRows ? [...folded.slice(0, maxRemarkRows - 1), '…'] : folded;
  const role = field.error === undefined ? 'dim' : 'fault';
  return shown.map((line) => ({ type: 'text', text: ' '.repeat(indent) + line, role }));
}

/** Returns whether the choices of a field have room for their explanations. */
export function fitsExplanations(
  { choices = [] }: Pick<Field, 'choices'>,
  { columns, redact }: Surface,
  indent: number,
): boolean {
  const room = columns - indent - indicatorColumns;
  return choices.every((choice) => measureCharacter(markText(redact(explainedLabel(choice)))) <= room);
}

/** Returns the explanation of the chosen value if there is no room for the explanations of all choices. */
function explanation(field: Field, surface: Surface, indent: number): string | undefined {
  if (fitsExplanations(field, surface, indent)) return undefined;
  return field.choices?.find(({ value }) => value === field.value)?.about;
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
