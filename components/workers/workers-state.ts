import type { Problem } from '../../src/model/problem.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Dialog } from '../forms/dialog.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';

/** What the pane asks the services for. */
export interface WorkersCommand {
  readonly does: 'list';
}

export interface WorkersState {
  readonly workers: readonly WorkerSummary[];
  readonly loading: boolean;
  readonly stopped: boolean;
  readonly cursor: Cursor;
  readonly contains: string;
  readonly dialog?: Dialog<WorkersCommand, never, never> | undefined;
}

export type WorkersEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'closed' | 'kept' | 'unfiltered' | 'listing' }
  | { readonly type: 'listed'; readonly workers: readonly WorkerSummary[] }
  | { readonly type: 'failed'; readonly problem: Problem };

export const noWorkers: WorkersState = {
  workers: [],
  loading: true,
  stopped: false,
  cursor: atStart,
  contains: '',
};

/** The state after an event. */
export function reduceWorkers(state: WorkersState, event: WorkersEvent): WorkersState {
  switch (event.type) {
    case 'moved': {
      const length = shownWorkers(state).length;
      return { ...state, cursor: moveCursor(state.cursor, event.move, length, event.height) };
    }
    case 'filtered':
      return select({ ...state, contains: event.text, dialog: { kind: 'filter', text: event.text } }, state);
    case 'closed': {
      const contains = state.dialog?.kind === 'filter' ? '' : state.contains;
      return select({ ...state, contains, dialog: undefined }, state);
    }
    case 'kept':
      return { ...state, dialog: undefined };
    case 'unfiltered':
      return select({ ...state, contains: '' }, state);
    case 'listing':
      return { ...state, loading: true, stopped: false, dialog: undefined };
    case 'listed': {
      const workers = event.workers.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return select({ ...state, workers, loading: false }, state);
    }
    case 'failed': {
      const dialog = { kind: 'problem', problem: event.problem, command: { does: 'list' } } as const;
      return { ...state, loading: false, stopped: true, dialog };
    }
  }
}

/** The workers that the filter lets through. */
export function shownWorkers({ workers, contains }: WorkersState): readonly WorkerSummary[] {
  return contains === '' ? workers : workers.filter(({ name }) => name.includes(contains.toLowerCase()));
}

/** The worker under the cursor, or undefined in an empty list. */
export function selectedWorker(state: WorkersState): WorkerSummary | undefined {
  return shownWorkers(state)[state.cursor.index];
}

/** How many there are, for the header. */
export function workerCounts(state: WorkersState): string {
  const all = groupDigits(state.workers.length);
  if (state.loading) return '';
  if (state.stopped) return 'stopped: r reads the list again';
  if (state.contains !== '') return `${groupDigits(shownWorkers(state).length)} of ${all}`;
  return `${all} ${all === '1' ? 'worker' : 'workers'}`;
}

/** The state with the worker selected that was selected before. */
function select(state: WorkersState, before: WorkersState): WorkersState {
  const name = selectedWorker(before)?.name;
  const shown = shownWorkers(state);
  const found = shown.findIndex((worker) => worker.name === name);
  const index = found === -1 ? state.cursor.index : found;
  return { ...state, cursor: putCursor(state.cursor, index, shown.length) };
}
