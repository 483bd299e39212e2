import type { Task } from '../../src/model/tasks/task.ts';
import type { Change } from '../console/changes.ts';
import { Controller } from '../console/controller.ts';
import type { Surface } from '../console/surface.ts';
import type { PaneParts } from '../console/use-console.ts';
import type { Dialog, FormDialog } from '../forms/dialog.ts';
import { formOf, waitedFor } from '../forms/dialog-state.ts';
import { type Busy, stoppedWords } from '../keymap/busy.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { followTaskEnds } from '../tasks/ends.ts';
import { settle } from './scroll.ts';
import type { Anchor, Lines } from './source.ts';
import {
  openedView,
  reduceView,
  searchIn,
  searchText,
  type ViewEvent,
  type ViewParts,
  type ViewState,
} from './view-state.ts';

type DialogOf<V extends ViewParts> = Dialog<V['command'], V['purpose'], V['subject']>;

/** The result of a command: effects on the pane. Those left out do not happen. */
export interface ViewOutcome<V extends ViewParts> {
  /** The dialog that follows: another question or form. */
  readonly dialog?: DialogOf<V>;
  /** Faults in the form that the command came from, by the names of its fields. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Escaped. */
  readonly notice?: string | undefined;
  readonly change?: Change | undefined;
  /** Returns the new content. */
  content?(before: V['content']): V['content'];
  /** It is shown from its beginning. */
  readonly afresh?: boolean;
  /** The command to carry out next. */
  readonly next?: V['command'];
  /** There is nothing more to show. */
  readonly leaves?: boolean;
}

/** Everything that sets one viewer apart from another: its content, commands and forms. */
export interface ViewSource<V extends ViewParts> {
  readonly content: V['content'];
  /** Whether a line is selected, or the screen moves as a whole; it may depend on what is shown. */
  readonly selects: boolean | ((content: V['content']) => boolean);
  /** Whether the text tells what time it is, and is made anew whenever it is drawn. */
  readonly ages?: boolean;
  /** Whether it is first shown at its end, and follows that until the reader moves. */
  readonly fromEnd?: boolean;
  /** Whether what is told of it changes each second by itself, as far as it is on the screen. */
  ticks?(content: V['content']): boolean;
  /** Carried out when the pane opens. */
  readonly first?: V['command'];
  /** The text of a content; undefined while there is none. */
  linesOf(content: V['content'], surface: Surface): Lines | undefined;
  /** Words for the header while a command runs. */
  readonly busyWith: Readonly<Record<V['command']['does'], Busy>>;
  carryOut(command: V['command'], signal: AbortSignal): Promise<ViewOutcome<V>>;
  readForm?(
    form: FormDialog<V['purpose'], V['subject']>,
  ): { readonly command: V['command'] } | { readonly errors: Readonly<Record<string, string>> };
  /** Content that comes by itself: calls the listener with it until the returned function is called. */
  watch?(became: (content: V['content']) => void): () => void;
  /** Tasks that are about it; `leaves` tells whether the end of one leaves nothing to show. */
  readonly tasks?: { isAbout(task: Task): boolean; leaves(task: Task): boolean };
}

interface Showing extends Surface {
  /** Lines of the pane on the screen. */
  readonly height: number;
  readonly visible: boolean;
}

const ownActions = ['search', 'next-match', 'next', 'copy', 'back'] as const;

/** Actions of every viewer; `next` jumps to the next stop. A pane has shortcuts for those that make sense in it. */
type ViewAction = Move | (typeof ownActions)[number];

/** Whether an action is one of every viewer. */
export function isViewAction(action: string): action is ViewAction {
  return isMove(action) || ownActions.some((own) => own === action);
}

/** Functions of the actions that only this pane has. A pane may also override one of every viewer. */
export type OwnViewActions<Action extends string> = Readonly<
  Record<Exclude<Action, ViewAction>, () => void> & Partial<Record<ViewAction, () => void>>
>;

function isSelecting<Content>(selects: boolean | ((content: Content) => boolean), content: Content): boolean {
  return typeof selects === 'boolean' ? selects : selects(content);
}

/** A text to read, outside of React: scrolls and searches it, and carries out what its pane asks for. */
export class ViewController<V extends ViewParts> extends Controller<ViewState<V>, ViewEvent<V>> {
  protected readonly parts: PaneParts;
  readonly #source: ViewSource<V>;
  /** The command that was begun last. */
  #doing = '';
  #showing: Showing | undefined;
  #clock: NodeJS.Timeout | undefined;
  #made: { readonly from: readonly unknown[]; readonly lines: Lines | undefined } | undefined;

  constructor(parts: PaneParts, source: ViewSource<V>) {
    const { content, selects, fromEnd, first, busyWith } = source;
    const does: V['command']['does'] | undefined = first?.does;
    const busy = does === undefined ? undefined : busyWith[does];
    super(
      reduceView<V>,
      openedView<V>(content, { selects: isSelecting(selects, content), fromEnd, busy }),
      parts.notes,
    );
    this.parts = parts;
    this.#source = source;
  }

  get content(): V['content'] {
    return this.state.content;
  }

  /** The text on a surface; undefined while there is none. Made once for each content and surface, unless it ages. */
  lines({ columns, redact }: Surface): Lines | undefined {
    const from = [this.content, columns, redact];
    const isMade = this.#made?.from.every((part, index) => part === from[index]) === true;
    if (isMade && this.#source.ages !== true) return this.#made?.lines;
    const lines = this.#source.linesOf(this.content, { columns, redact });
    this.#made = { from, lines };
    return lines;
  }

  protected get isVisible(): boolean {
    return this.#showing?.visible ?? true;
  }

  /** Told whenever the screen has another size, or the pane comes and goes. */
  show(showing: Showing): void {
    this.#showing = showing;
    this.follow();
  }

  /** Carries out an action of every viewer. */
  act(action: ViewAction): void {
    const lines = this.#shown;
    if (action === 'back') this.parts.back();
    else if (action === 'copy') this.#copy();
    else if (action === 'search') this.dispatch({ type: 'searching', text: searchText(this.state) });
    else if (action === 'next-match') this.search('match');
    else if (lines === undefined) return;
    else if (action === 'next') this.dispatch({ type: 'jumped', lines });
    else this.dispatch({ type: 'moved', move: action, lines, height: this.#showing?.height ?? 1 });
  }

  /** The text as it is on the screen. */
  get #shown(): Lines | undefined {
    return this.#showing && this.lines(this.#showing);
  }

  #copy(): void {
    const { line } = this.state.position;
    const shown = this.#shown;
    const copied = line && shown?.copiedOf?.(settle(shown, line).segment);
    const { notify, copy } = this.parts;
    if (copied === undefined) notify('This line holds nothing to copy.', 'refused');
    else notify(copy(Buffer.from(copied.text), copied.what));
  }

  readonly search = (from: 'top' | 'match'): void => {
    const { event, notice } = searchIn(this.state, this.#shown, from);
    if (notice !== undefined) this.parts.notify(notice, 'refused');
    this.dispatch(event);
  };

  /** Shows something else, from its beginning. */
  readonly turn = (content: V['content']): void => this.#become(content, true);

  /** Shows something else, with the line selected that is found in it. */
  turnAt(content: V['content'], find: (lines: Lines | undefined) => Anchor): void {
    this.#become(content, false);
    this.dispatch({ type: 'selected', line: find(this.#shown) });
  }

  /** The text as it is on the screen, and the selected line in it. */
  get selection(): { readonly shown: Lines | undefined; readonly line: Anchor | undefined } {
    const shown = this.#shown;
    const { line } = this.state.position;
    return { shown, line: shown && line && settle(shown, line) };
  }

  #become(content: V['content'], afresh: boolean): void {
    const selects = isSelecting(this.#source.selects, content);
    this.dispatch({ type: 'became', content, afresh, selects });
  }

  readonly ask = (dialog: DialogOf<V>): void => this.dispatch({ type: 'asked', dialog });

  readonly perform = (command: V['command']): void => {
    const does: V['command']['does'] = command.does;
    this.#doing = does;
    this.dispatch({ type: 'begun', busy: this.#source.busyWith[does] });
    this.run({
      name: does,
      work: (signal) => this.#source.carryOut(command, signal),
      done: (outcome) => this.#settle(outcome),
      failed: (problem) => this.dispatch({ type: 'failed', problem, command }),
    });
  };

  /** Gives up waiting for what is being written, and says what may have happened. Else closes what stands before the pane. */
  readonly stopWaiting = (): void => {
    const work = waitedFor(this.state);
    if (work === undefined) {
      this.dispatch({ type: 'closed' });
      return;
    }
    this.abort(this.#doing);
    this.dispatch({ type: 'given-up' });
    if (work.kind === 'writing') this.parts.notify(stoppedWords(work), 'refused');
  };

  /** Carries out what the open form asks for, or says in it what is wrong. */
  readonly save = (): void => {
    const form = formOf(this.state.dialog);
    const read = form && this.#source.readForm?.(form);
    if (read === undefined) return;
    if ('errors' in read) this.dispatch({ type: 'refused', errors: read.errors });
    else this.perform(read.command);
  };

  /** A timer runs only while there is something on the screen that it changes. */
  protected override follow(): void {
    const ticks = this.#showing?.visible === true && this.#source.ticks?.(this.content) === true;
    if (ticks) this.#clock ??= setInterval(() => this.dispatch({ type: 'ticked' }), 1000);
    else this.#stopClock();
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  protected override begin(): void {
    this.until(() => this.#stopClock());
    const { first, watch, tasks } = this.#source;
    if (watch !== undefined) this.until(watch((content) => this.dispatch({ type: 'became', content })));
    if (first !== undefined) this.perform(first);
    if (tasks === undefined) return;
    const follower = { isAbout: tasks.isAbout, isVisible: () => this.isVisible };
    this.until(followTaskEnds(this.parts, follower, (task) => tasks.leaves(task) && this.parts.back()));
  }

  #settle({ dialog, errors, notice, change, content, ...then }: ViewOutcome<V>): void {
    if (dialog !== undefined) this.ask(dialog);
    else if (errors !== undefined) this.dispatch({ type: 'refused', errors });
    else this.dispatch({ type: 'settled' });
    const { afresh = false, next, leaves } = then;
    if (content !== undefined) this.#become(content(this.content), afresh);
    if (change !== undefined) this.parts.changes.tell(change);
    if (notice !== undefined) this.parts.notify(notice);
    if (next !== undefined) this.perform(next);
    if (leaves) this.parts.back();
  }
}
