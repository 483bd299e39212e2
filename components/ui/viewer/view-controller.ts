import { asProblem } from '../../../src/model/problem.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import { isMove, type Move } from '../../kit/keys/cursor.ts';
import type { Surface } from '../../kit/surface.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { WorkController } from '../forms/work-controller.ts';
import { followTaskEnds } from '../tasks/ends.ts';
import { LiveView } from './live-view.ts';
import { isSame, lineOn, settle } from './scroll.ts';
import { Searching } from './searching.ts';
import { placeIn, shifted } from './shifting.ts';
import type { Anchor, Lines } from './source.ts';
import type { ViewWork } from './view-source.ts';
import { isSelecting, type ViewOutcome, type ViewSource } from './view-source.ts';
import { openedView, reduceView, searchText, type ViewEvent, type ViewState } from './view-state.ts';

interface Showing extends Surface {
  /** Lines of the pane on the screen. */
  readonly height: number;
  readonly visible: boolean;
}

const ownActions = [
  'search',
  'next-match',
  'previous-match',
  'live',
  'wrap',
  'shift-left',
  'shift-right',
  'next',
  'copy',
  'back',
] as const;

/** Actions of every viewer; `next` jumps to the next stop. A pane has shortcuts for those that are useful in it. */
type ViewAction = Move | (typeof ownActions)[number];

/** Whether an action is shared by every viewer. */
export function isViewAction(action: string): action is ViewAction {
  return isMove(action) || ownActions.some((own) => own === action);
}

/** A document, outside React: scrolls and searches it, and runs the work of its pane. */
export class ViewController<Content> extends WorkController<
  ViewState<Content>,
  ViewEvent<Content>,
  ViewOutcome<Content>
> {
  readonly searching: Searching<Content>;
  readonly #source: ViewSource<Content>;
  readonly #live: LiveView;
  #showing: Showing | undefined;
  #readAt: number | undefined;
  /** Set while this pane announces a change, which it must not follow itself. */
  #isTelling = false;
  #clock: NodeJS.Timeout | undefined;
  #made: { readonly from: readonly unknown[]; readonly lines: Lines | undefined } | undefined;

  constructor(parts: PaneParts, source: ViewSource<Content>) {
    const { content, selects, fromEnd, first } = source;
    const busy = first?.busy;
    super(
      reduceView<Content>,
      openedView<Content>(content, { selects: isSelecting(selects, content), fromEnd, busy }),
      parts,
    );
    this.#source = source;
    this.searching = new Searching<Content>({
      state: () => this.state,
      shown: () => this.#shown,
      columns: () => this.#showing?.columns ?? 1,
      dispatch: this.dispatch,
      gather: this.gather,
      refuse: (notice) => parts.notify(notice, 'refused'),
      reveal: (offset) => this.#reveal(offset),
    });
    this.#live = new LiveView(parts, {
      shown: () => this.#shown,
      read: () => this.#readAgain(),
      mark: (changed) => this.dispatch({ type: 'glowed', changed }),
    });
  }

  /** When the content was read; undefined if it was not read, or is live. */
  get readAt(): number | undefined {
    return this.#readAt;
  }

  get content(): Content {
    return this.state.content;
  }

  /**
   * Returns the lines for a surface; undefined if there is no content. Cached for each content and surface, unless the document
   * shows relative times.
   */
  lines({ columns, redact }: Surface): Lines | undefined {
    const { sideways } = this.state;
    const from = [this.content, columns, redact, sideways];
    const isMade = this.#made?.from.every((part, index) => part === from[index]) === true;
    if (isMade && this.#source.ages !== true) return this.#made?.lines;
    const lines = this.#source.linesOf(this.content, { columns, redact, sideways });
    this.#made = { from, lines };
    return lines;
  }

  protected get isVisible(): boolean {
    return this.#showing?.visible ?? true;
  }

  /** Called when the screen is resized, and when the pane is shown or hidden. */
  show(showing: Showing): void {
    this.#showing = showing;
    this.follow();
  }

  /** Runs an action that every viewer has. */
  act(action: ViewAction): void {
    const lines = this.#shown;
    if (action === 'back') this.parts.back();
    else if (action === 'copy') this.#copy();
    else if (action === 'search') this.dispatch({ type: 'searching', text: searchText(this.state) });
    else if (action === 'live') this.#live.toggle();
    else if (action === 'next-match') this.searching.seek('next');
    else if (action === 'previous-match') this.searching.seek('previous');
    else if (lines === undefined) return;
    else if (action === 'wrap') this.#wrap(lines);
    else if (action === 'shift-left' || action === 'shift-right') this.#shift(lines, action);
    else if (action === 'next') this.dispatch({ type: 'jumped', lines });
    else this.dispatch({ type: 'moved', move: action, lines, height: this.#showing?.height ?? 1 });
  }

  #wrap(before: Lines): void {
    const { sideways, position } = this.state;
    this.dispatch({ type: 'shifted', sideways: sideways === undefined ? 0 : undefined });
    const after = this.#shown;
    if (after !== undefined) this.dispatch({ type: 'placed', position: placeIn(after, before, position) });
  }

  #shift(lines: Lines, way: 'shift-left' | 'shift-right'): void {
    const { sideways: left, position } = this.state;
    const { columns = 1, height = 1 } = this.#showing ?? {};
    if (left === undefined) this.parts.notify('Lines are wrapped. Press W to unwrap them.', 'refused');
    else
      this.dispatch({ type: 'shifted', sideways: shifted(left, way, { lines, position, columns, height }) });
  }

  /** The document on the screen. */
  get #shown(): Lines | undefined {
    return this.#showing && this.lines(this.#showing);
  }

  /** Unfolds what hides a match. */
  #reveal(offset: number): void {
    const shown = this.#shown;
    const content = shown && this.#source.reveal?.(this.content, shown, offset);
    if (content !== undefined && content !== this.content) this.#become(content, false);
  }

  #copy(): void {
    const { line } = this.state.position;
    const shown = this.#shown;
    const copied = line && shown?.copiedOf?.(settle(shown, line).segment);
    const { notify, copy } = this.parts;
    if (copied === undefined) notify('This line has nothing to copy.', 'refused');
    else notify(copy(Buffer.from(copied.text), copied.what));
  }

  /** The state of live reading, for the header. */
  get liveWords(): string {
    return this.#live.words;
  }

  /** Runs a reading command in the background, without disturbing the user. */
  #readAgain(command: ViewWork<Content> | undefined = this.#source.first): Promise<void> {
    if (command === undefined) return Promise.resolve();
    return new Promise((done, failed) => {
      const take = ({ content, change }: ViewOutcome<Content>) => {
        if (content !== undefined) {
          this.#readAt = this.parts.world.now();
          this.#become(content(this.content), false);
        }
        if (change !== undefined) this.tell(change);
        done();
      };
      this.run({
        name: 'live',
        work: (signal) => command.run(signal),
        done: take,
        failed,
      });
    });
  }

  /** Rereads content that was changed elsewhere in this console. */
  #followChange(change: Change): void {
    if (this.#isTelling) return;
    const command = this.#source.follows?.(change, this.content);
    if (command === undefined) return;
    this.#readAgain(command).catch((error: unknown) => {
      this.dispatch({ type: 'failed', problem: asProblem(error), command });
    });
  }

  /** Announces a change of this pane to the others. */
  protected tell(change: Change): void {
    this.#isTelling = true;
    try {
      this.parts.changes.tell(change);
    } finally {
      this.#isTelling = false;
    }
  }

  /** Shows other content from its beginning. */
  readonly turn = (content: Content): void => this.#become(content, true);

  /** Shows other content and selects a line of it. */
  turnAt(content: Content, find: (lines: Lines | undefined) => Anchor): void {
    this.#become(content, false);
    this.dispatch({ type: 'selected', line: find(this.#shown) });
  }

  /** The document on the screen, and the selected line in it. */
  get selection(): { readonly shown: Lines | undefined; readonly line: Anchor | undefined } {
    const shown = this.#shown;
    const { line } = this.state.position;
    return { shown, line: shown && line && settle(shown, line) };
  }

  /** Selects the line on a row of the screen, if lines are selectable; returns whether it was selected before. */
  select(row: number): boolean {
    const { shown, line } = this.selection;
    const clicked = shown && line && lineOn(shown, this.state.position, this.#showing?.height ?? 1, row);
    if (clicked !== undefined) this.dispatch({ type: 'selected', line: clicked });
    return clicked !== undefined && line !== undefined && isSame(clicked, line);
  }

  #become(content: Content, afresh: boolean): void {
    const selects = isSelecting(this.#source.selects, content);
    this.dispatch({ type: 'became', content, afresh, selects });
  }

  /** The timer runs only while the screen shows something that it changes. */
  protected override follow(): void {
    this.searching.follow();
    this.#live.follow(
      this.#showing?.visible === true && this.state.dialog === undefined && this.state.busy === undefined,
    );
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
    this.until(() => this.searching.stop());
    this.until(() => this.#live.stop());
    const { first, watch, tasks } = this.#source;
    if (watch !== undefined) this.until(watch((content) => this.dispatch({ type: 'became', content })));
    if (first !== undefined) this.perform(first);
    if (this.#source.follows !== undefined)
      this.until(this.parts.changes.listen((change) => this.#followChange(change)));
    if (tasks === undefined) return;
    const follower = { isAbout: tasks.isAbout, isVisible: () => this.isVisible };
    const ended = (task: Task): void => {
      if (tasks.leaves(task)) this.parts.back();
      else if (tasks.changes?.(task)) this.#readAgain().catch(() => undefined);
    };
    this.until(followTaskEnds(this.parts, follower, ended));
  }

  protected override runOwn(): void {}

  protected override apply(outcome: ViewOutcome<Content>, busy: Busy | undefined): void {
    const { content, afresh = false, change, next } = outcome;
    if (busy?.kind === 'reading' && content !== undefined) this.#readAt = this.parts.world.now();
    if (content !== undefined) this.#become(content(this.content), afresh);
    if (change !== undefined) this.tell(change);
    if (next !== undefined) this.perform(next);
  }
}
