import { isDeepStrictEqual } from 'node:util';
import { asProblem } from '../../../src/model/problem.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import { isMove, type Move } from '../../kit/keys/cursor.ts';
import type { Surface } from '../../kit/surface.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { WorkController } from '../forms/work-controller.ts';
import type { DataAge } from '../status/age.ts';
import { followTaskEnds } from '../tasks/ends.ts';
import { LiveView } from './live-view.ts';
import { clampAnchor, isSameAnchor, lineAtRow } from './scroll.ts';
import { Searching } from './searching.ts';
import { shiftSideways, translatePosition } from './shifting.ts';
import type { Anchor, Lines } from './source.ts';
import type { ViewWork } from './view-source.ts';
import { selectsLines, type ViewOutcome, type ViewSource } from './view-source.ts';
import { initialView, reduceView, searchText, type ViewEvent, type ViewState } from './view-state.ts';

interface Showing extends Surface {
  /** Number of rows for the document. */
  readonly height: number;
  readonly visible: boolean;
}

const viewActions = [
  'search',
  'next-match',
  'previous-match',
  'wrap',
  'shift-left',
  'shift-right',
  'next',
  'copy',
  'back',
] as const;

/**
 * The actions that every viewer supports; `next` jumps to the next stop. Each pane has shortcuts only for the actions that are useful in
 * the pane.
 */
type ViewAction = Move | (typeof viewActions)[number];

/** Returns whether every viewer supports an action. */
export function isViewAction(action: string): action is ViewAction {
  return isMove(action) || viewActions.some((own) => own === action);
}

/** The controller of a document: scrolls and searches the document, and runs the work of its pane. */
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
  /** Whether this pane is announcing a change. If so, the pane must not react to the change. */
  #isAnnouncing = false;
  #clock: NodeJS.Timeout | undefined;
  #cached: { readonly from: readonly unknown[]; readonly lines: Lines | undefined } | undefined;

  constructor(parts: PaneParts, source: ViewSource<Content>) {
    const { content, selects, fromEnd, first } = source;
    const busy = first?.busy;
    super(
      reduceView<Content>,
      initialView<Content>(content, { selects: selectsLines(selects, content), fromEnd, busy }),
      parts,
    );
    this.#source = source;
    this.searching = new Searching<Content>({
      state: () => this.state,
      shown: () => this.#shown,
      columns: () => this.#showing?.columns ?? 1,
      dispatch: this.dispatch,
      dispatchBatched: this.dispatchBatched,
      refuse: (notice) => parts.notify(notice, 'refused'),
      reveal: (offset) => this.#reveal(offset),
    });
    this.#live = new LiveView(parts, {
      shown: () => this.#shown,
      readAt: () => this.#readAt,
      read: () => this.#reread(),
      mark: (changed) => this.dispatch({ type: 'glowed', changed }),
      switched: () => this.notify(),
    });
  }

  /** The time at which the content was read, and the age below which the content counts as live. */
  get age(): DataAge {
    return { readAt: this.#readAt, liveForMs: this.#isLive ? this.#live.liveForMs : undefined };
  }

  /** Whether the document is refreshed automatically. */
  get #isLive(): boolean {
    return this.#source.refreshes === true;
  }

  get content(): Content {
    return this.state.content;
  }

  /** Returns the lines for a surface; undefined if there is no content. Caches the last lines, unless the document shows relative times. */
  lines({ columns, redact }: Surface): Lines | undefined {
    const { sideways } = this.state;
    const from = [this.content, columns, redact, sideways];
    const isMade = this.#cached?.from.every((part, index) => part === from[index]) === true;
    if (isMade && this.#source.hasRelativeTimes !== true) return this.#cached?.lines;
    const lines = this.#source.createLines(this.content, { columns, redact, sideways });
    this.#cached = { from, lines };
    return lines;
  }

  protected override get isOnScreen(): boolean {
    return this.isVisible;
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
  runAction(action: ViewAction): void {
    const lines = this.#shown;
    if (action === 'back') this.parts.back();
    else if (action === 'copy') this.#copy();
    else if (action === 'search') this.dispatch({ type: 'searching', text: searchText(this.state) });
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
    if (after !== undefined)
      this.dispatch({ type: 'placed', position: translatePosition(after, before, position) });
  }

  #shift(lines: Lines, direction: 'shift-left' | 'shift-right'): void {
    const { sideways: left, position } = this.state;
    const { columns = 1, height = 1 } = this.#showing ?? {};
    if (left === undefined) this.parts.notify('Lines are wrapped. Press W to unwrap them.', 'refused');
    else
      this.dispatch({
        type: 'shifted',
        sideways: shiftSideways(left, direction, { lines, position, columns, height }),
      });
  }

  /** The document on the screen; undefined if there is none. */
  get #shown(): Lines | undefined {
    return this.#showing && this.lines(this.#showing);
  }

  /** Unfolds the lines that hide a match. */
  #reveal(offset: number): void {
    const shown = this.#shown;
    const content = shown && this.#source.reveal?.(this.content, shown, offset);
    if (content !== undefined && content !== this.content) this.#setContent(content, false);
  }

  #copy(): void {
    const { line } = this.state.position;
    const shown = this.#shown;
    const copied = line && shown?.segmentCopy?.(clampAnchor(shown, line).segment);
    const { notify, copy } = this.parts;
    if (copied === undefined) notify('This line has nothing to copy.', 'refused');
    else notify(copy(Buffer.from(copied.text), copied.what));
  }

  /** The state of automatic refreshing, for the header. */
  get liveWords(): string {
    return this.#isLive ? this.#live.words : '';
  }

  /** Runs a command that reads the content in the background. Resolves with whether the content has changed. */
  #reread(command: ViewWork<Content> | undefined = this.#source.first): Promise<boolean> {
    if (command === undefined) return Promise.resolve(false);
    return new Promise((done, failed) => {
      const take = ({ content, change }: ViewOutcome<Content>) => {
        const before = this.content;
        const after = content === undefined ? before : content(before);
        const isNew = !isDeepStrictEqual(before, after);
        if (content !== undefined) this.#readAt = this.parts.world.now();
        if (isNew) this.#setContent(after, false);
        if (isNew && change !== undefined) this.announce(change);
        done(isNew);
      };
      this.run({
        name: 'live',
        work: (signal) => command.run(signal),
        done: take,
        failed,
      });
    });
  }

  /** Rereads content that was changed in another pane of this console. */
  #followChange(change: Change): void {
    if (this.#isAnnouncing) return;
    const command = this.#source.follows?.(change, this.content);
    if (command === undefined) return;
    this.#reread(command).catch((error: unknown) => {
      this.dispatch({ type: 'failed', problem: asProblem(error), command });
    });
  }

  /** Announces a change by this pane to all other panes. */
  protected announce(change: Change): void {
    this.#isAnnouncing = true;
    try {
      this.parts.changes.announce(change);
    } finally {
      this.#isAnnouncing = false;
    }
  }

  /** Shows new content from its beginning. */
  readonly showContent = (content: Content): void => this.#setContent(content, true);

  /** Shows new content and selects a line of it. */
  showContentAt(content: Content, find: (lines: Lines | undefined) => Anchor): void {
    this.#setContent(content, false);
    this.dispatch({ type: 'selected', line: find(this.#shown) });
  }

  /** The document on the screen, and its selected line; both are undefined if there is no document. */
  get selection(): { readonly shown: Lines | undefined; readonly line: Anchor | undefined } {
    const shown = this.#shown;
    const { line } = this.state.position;
    return { shown, line: shown && line && clampAnchor(shown, line) };
  }

  /** Selects the line on a row of the screen, if lines can be selected. Returns whether the line was already selected. */
  select(row: number): boolean {
    const { shown, line } = this.selection;
    const clicked = shown && line && lineAtRow(shown, this.state.position, this.#showing?.height ?? 1, row);
    if (clicked !== undefined) this.dispatch({ type: 'selected', line: clicked });
    return clicked !== undefined && line !== undefined && isSameAnchor(clicked, line);
  }

  #setContent(content: Content, afresh: boolean): void {
    const selects = selectsLines(this.#source.selects, content);
    this.dispatch({ type: 'became', content, afresh, selects });
  }

  /** Updates the search, the automatic refreshing, and the timer for content that changes each second. */
  protected override follow(): void {
    this.searching.follow();
    const { dialog, busy, writes } = this.state;
    if (this.#isLive)
      this.#live.follow(this.#showing?.visible === true && (dialog ?? busy ?? writes) === undefined);
    const ticks = this.#showing?.visible === true && this.#source.ticks?.(this.content) === true;
    if (ticks) this.#clock ??= setInterval(() => this.dispatch({ type: 'ticked' }), 1000);
    else this.#stopClock();
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  protected override begin(): void {
    this.onClose(() => this.#stopClock());
    this.onClose(() => this.searching.stop());
    if (this.#isLive) this.onClose(this.#live.open());
    const { first, watch, tasks } = this.#source;
    if (watch !== undefined) this.onClose(watch((content) => this.dispatch({ type: 'became', content })));
    if (first !== undefined) this.perform(first);
    if (this.#source.follows !== undefined)
      this.onClose(this.parts.changes.listen((change) => this.#followChange(change)));
    if (tasks === undefined) return;
    const follower = { isAbout: tasks.isAbout, isVisible: () => this.isVisible };
    const ended = (task: Task): void => {
      if (tasks.closesPane(task)) this.parts.back();
      else if (tasks.changes?.(task)) this.#reread().catch(() => undefined);
    };
    this.onClose(followTaskEnds(this.parts, follower, ended));
  }

  protected override runOwn(): void {}

  protected override apply(outcome: ViewOutcome<Content>, busy: Busy | undefined): void {
    const { content, afresh = false, change } = outcome;
    if (busy?.kind === 'reading' && content !== undefined) this.#readAt = this.parts.world.now();
    if (content !== undefined) this.#setContent(content(this.content), afresh);
    if (change !== undefined) this.announce(change);
  }
}
