import { Controller } from '../console/controller.ts';
import type { PaneParts } from '../console/use-console.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import type { EntryRow } from './entries.ts';
import type { EntriesEvent, EntriesState } from './entries-state.ts';

/** What every pane of a text can do: `next` goes to the next place to jump to. */
export type EntriesAction = Move | 'copy' | 'back' | 'next';

/** Whether an action is one of every pane of a text. */
export function isEntriesAction(action: string): action is EntriesAction {
  return isMove(action) || action === 'copy' || action === 'back' || action === 'next';
}

/** A text on the screen, in rows of its width. */
export interface EntriesOnScreen {
  readonly rows: readonly EntryRow[];
  /** Rows of the screen. */
  readonly height: number;
}

/** A pane of a text that can be read and copied line by line, outside of React. `C` is what it asks the services for. */
export abstract class EntriesController<C, S extends EntriesState<C>, E> extends Controller<
  S,
  E | EntriesEvent<C>
> {
  protected readonly parts: PaneParts;
  #isVisible = true;

  constructor(reduce: (state: S, event: E | EntriesEvent<C>) => S, first: S, parts: PaneParts) {
    super(reduce, first, parts.notes);
    this.parts = parts;
  }

  abstract readonly perform: (command: C) => void;

  readonly dismiss = (): void => this.dispatch({ type: 'dismissed' });

  protected get isVisible(): boolean {
    return this.#isVisible;
  }

  /** Told when the pane comes and goes. */
  show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.follow();
  }

  /** What every pane of a text can do. */
  act(action: EntriesAction, { rows, height }: EntriesOnScreen): void {
    if (action === 'back') this.parts.back();
    else if (action === 'copy') this.#copy(rows[this.state.cursor.index]);
    else if (action === 'next') this.dispatch({ type: 'next-stop', rows });
    else this.dispatch({ type: 'moved', move: action, length: rows.length, height });
  }

  #copy(row: EntryRow | undefined): void {
    const copied = row?.entry.copied;
    const { notify, copy } = this.parts;
    if (copied === undefined) notify('This line holds nothing to copy.');
    else notify(copy(Buffer.from(copied.text), copied.what));
  }
}
