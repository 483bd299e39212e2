import type { Progress } from '../../src/model/progress.ts';
import { describeFault } from '../../src/services/kv/bulk/entries.ts';
import type { CheckedImport, ComparedImport } from '../../src/services/kv/bulk/import.ts';
import { groupDigits } from '../../src/text/size.ts';
import { atStart, type Cursor, type Move, moveCursor, moveCursorTo } from '../kit/keys/cursor.ts';
import type { PreviewFound } from '../kit/keys/shortcut.ts';
import type { Work } from '../ui/forms/dialog.ts';
import { type DialogEvent, type DialogState, reduceDialog } from '../ui/forms/dialog-state.ts';
import { appendRows, noRows, type Rows, rowAt } from '../ui/lists/rows.ts';

/** A command of the preview: `read` rereads the file; `Work` starts the task that writes the entries. */
export type ImportCommand = 'read' | Work;

/** A line of the preview. The text can contain untrusted data. */
export interface ImportRow {
  readonly effect: 'create' | 'change' | 'invalid' | '';
  readonly text: string;
}

export interface ImportState extends DialogState<ImportCommand> {
  readonly phase: 'reading' | 'ready' | 'stopped';
  /** The progress of reading the file, as text. */
  readonly progress: string;
  /** The checked file, once it has been read completely. */
  readonly checked?: CheckedImport | undefined;
  readonly create: number;
  readonly change: number;
  readonly same: number;
  /** The first rows of the preview. */
  readonly rows: Rows<ImportRow>;
  readonly cursor: Cursor;
}

export type ImportEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'chosen'; readonly index: number }
  | { readonly type: 'reading' | 'compared-all' }
  | { readonly type: 'progressed'; readonly words: string }
  | { readonly type: 'found'; readonly found: CheckedImport | ComparedImport }
  | DialogEvent<ImportCommand>;

/** Maximum number of rows in memory. A file can have any number of entries. */
export const maxRows = 10_000;

/** The state of a pane that has just been opened. */
export const noImport: ImportState = {
  phase: 'reading',
  progress: 'reading',
  create: 0,
  change: 0,
  same: 0,
  rows: noRows,
  cursor: atStart,
};

/** Returns the state after an event. */
export function reduceImport(state: ImportState, event: ImportEvent): ImportState {
  switch (event.type) {
    case 'moved': {
      const cursor = moveCursor(state.cursor, event.move, importLength(state), event.height);
      return { ...state, cursor };
    }
    case 'chosen':
      return { ...state, cursor: moveCursorTo(state.cursor, event.index, importLength(state)) };
    case 'reading':
      return noImport;
    case 'progressed':
      return state.progress === event.words ? state : { ...state, progress: event.words };
    case 'found':
      return event.found.step === 'checked' ? check(state, event.found) : compare(state, event.found);
    case 'compared-all':
      return { ...state, phase: 'ready' };
    case 'failed': {
      const next = reduceDialog(state, event);
      return event.command === 'read' ? { ...next, phase: 'stopped' } : next;
    }
    default:
      return reduceDialog(state, event);
  }
}

/** Formats the progress in a form that rarely changes: `checking 34%`. */
export function formatReading({ phase, done, total }: Progress): string {
  return total === undefined ? phase : `${phase} ${Math.floor((done / Math.max(1, total)) * 100)}%`;
}

/** Returns the number of visible rows, including the row that contains the number of omitted rows. */
export function importLength(state: ImportState): number {
  return state.rows.length + (leftOut(state) > 0 ? 1 : 0);
}

/** Returns a row of the preview; undefined if no row has this index. */
export function importRow(state: ImportState, index: number): ImportRow | undefined {
  const left = leftOut(state);
  if (index === state.rows.length && left > 0) return { effect: '', text: `… and ${groupDigits(left)} more` };
  return rowAt(state.rows, index);
}

/** Returns the facts about the preview that determine which shortcuts are available. */
export function foundIn({ phase, checked, create, change }: ImportState): PreviewFound {
  return { isReading: phase !== 'ready', wrong: checked?.faults.count ?? 0, changes: create + change };
}

/** Formats the progress and the counts: `1,200 new, 150 changed, 50 same, 3 invalid`. */
export function importCounts(state: ImportState): string {
  const { phase, progress, checked, create, change, same } = state;
  if (checked === undefined) return phase === 'stopped' ? '' : progress;
  const wrong = checked.faults.count;
  const repeated = checked.entries - wrong - create - change - same;
  return [
    ...(phase === 'reading' ? [formatComparing(state, checked)] : []),
    `${groupDigits(create)} new`,
    `${groupDigits(change)} changed`,
    `${groupDigits(same)} same`,
    ...(wrong > 0 ? [`${groupDigits(wrong)} invalid`] : []),
    ...(phase === 'ready' && repeated > 0 ? [`${groupDigits(repeated)} repeated`] : []),
    ...(phase === 'stopped' ? ['stopped: press r to read the file again'] : []),
  ].join(', ');
}

function formatComparing({ create, change, same }: ImportState, { entries, faults }: CheckedImport): string {
  const total = Math.max(1, entries - faults.count);
  return `comparing ${Math.floor(((create + change + same) / total) * 100)}%`;
}

function leftOut({ phase, checked, create, change, rows }: ImportState): number {
  if (checked === undefined || phase === 'reading') return 0;
  return checked.faults.count + create + change - rows.length;
}

/** Puts the invalid entries first, because the user must decide whether to import without them. */
function check(state: ImportState, checked: CheckedImport): ImportState {
  const wrong = checked.faults.first.map(
    (fault) => ({ effect: 'invalid', text: describeFault(fault) }) as const,
  );
  return { ...state, checked, rows: appendRows<ImportRow>(noRows, wrong) };
}

function compare(state: ImportState, { effects }: ComparedImport): ImportState {
  const counts = { create: state.create, change: state.change, same: state.same };
  const added: ImportRow[] = [];
  for (const { key, effect } of effects) {
    if (effect === 'delete' || effect === 'missing') continue;
    counts[effect]++;
    if (effect !== 'same' && state.rows.length + added.length < maxRows) added.push({ effect, text: key });
  }
  return { ...state, ...counts, rows: appendRows(state.rows, added) };
}
