import { setImmediate } from 'node:timers/promises';
import type { Task } from '../../../src/model/tasks/task.ts';
import { isMove } from '../../kit/keys/cursor.ts';
import { isMarkAction } from '../../kit/keys/marks.ts';
import { nextPage } from '../../kit/pages.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { ListNames } from '../forms/use-list-names.ts';
import { WorkController } from '../forms/work-controller.ts';
import type { DataAge } from '../status/age.ts';
import { followTaskEnds } from '../tasks/ends.ts';
import { toListEvent } from './action-events.ts';
import { actionNotice } from './action-notice.ts';
import type { ListAction } from './list-action.ts';
import { listNames } from './list-names.ts';
import { needsPage } from './list-pages.ts';
import type { ListSource, RowToRead } from './list-source.ts';
import {
  emptyListState,
  type ListCommand,
  type ListEvent,
  type ListOutcome,
  type ListState,
  reduceList,
} from './list-state.ts';
import { LiveList } from './live-list.ts';
import { stepBack } from './marks.ts';
import { isPicking } from './narrowing.ts';
import { type PagedList, selectedId, selectedRow } from './paged-list.ts';
import { eachRow } from './rows.ts';
import { rememberView, restoreList } from './saved-view.ts';
import { isGrowing, stepOut } from './tree.ts';
import { selectedFolder } from './tree-places.ts';

/** The height of the pane in rows, and whether it is on the screen. */
export interface Showing {
  readonly height: number;
  readonly visible: boolean;
}

/** The controller of a list of resources. Reads as many rows as needed, and runs the work of its pane. */
export class ListController<T> extends WorkController<ListState<T>, ListEvent<T>, ListOutcome, ListCommand> {
  readonly #source: ListSource<T>;
  readonly #live: LiveList<T>;
  /** The names in the list, for completion in forms. */
  readonly names: ListNames;
  #isPicking = false;
  #showing: Showing = { height: 1, visible: true };
  /** The listings in use, by generation: the listing that continues the loaded rows, and the listing of a refresh. */
  readonly #listings = new Map<number, { readonly end: AbortController; readonly pages: Pages<T> }>();

  /** The generation of the listing from which a page was last requested. */
  #reading = 0;

  constructor(parts: PaneParts, source: ListSource<T>) {
    const fresh = emptyListState<T>(source.kind, source);
    const empty = { ...fresh, list: restoreList(fresh.list, source, parts.memory.current) };
    super(reduceList<T>, withKnownRows(empty, source), parts);
    this.#source = source;
    this.names = listNames<T>(() => this.list, source);
    this.#live = new LiveList(parts, {
      list: () => this.list,
      extraRequests: source.extraRequests ?? 0,
      refresh: () => this.dispatchSilently({ type: 'refreshed', height: this.#showing.height }),
      mark: (ids) => this.dispatch({ type: 'freshened', ids }),
      switched: () => this.notify(),
    });
  }

  override close(): void {
    super.close();
    const { complete, rows, readAt } = this.list;
    if (complete && readAt !== undefined) this.#source.saved?.keep({ rows: [...eachRow(rows)], at: readAt });
    this.parts.memory.change((memory) => rememberView(this.list, this.#source.place, memory));
  }

  get list(): PagedList<T> {
    return this.state.list;
  }

  get selected(): T | undefined {
    return selectedRow(this.list);
  }

  /** A description of the running write that changes the selected row; undefined if no write changes the row. */
  get selectedWrite(): string | undefined {
    const id = selectedId(this.list);
    return this.state.writes?.find(({ row }) => row !== undefined && row === id)?.busy.words;
  }

  /** The state of automatic refreshing, for the header. */
  get liveWords(): string {
    return this.#live.words;
  }

  /** The time at which the rows were read, and the age below which the rows count as live. */
  get age(): DataAge {
    return { readAt: this.list.readAt, liveForMs: this.#isLive ? this.#live.liveForMs : undefined };
  }

  /** Whether the list and its preview may be refreshed now. */
  get mayRefresh(): boolean {
    return this.#live.mayRead;
  }

  /** Whether the list is refreshed automatically. */
  get #isLive(): boolean {
    const { refreshes = true, live } = this.#source;
    return refreshes && live === undefined;
  }

  protected override get isOnScreen(): boolean {
    return this.#showing.visible;
  }

  protected get showing(): Showing {
    return this.#showing;
  }

  /** Called when the screen is resized, and when the pane is shown or hidden. */
  show(showing: Showing): void {
    this.#showing = showing;
    this.follow();
  }

  /** Runs an action that every list has. */
  runAction(action: ListAction): void {
    const { height } = this.#showing;
    const before = this.list;
    if (isMove(action)) this.dispatch({ type: 'moved', move: action, height });
    else if (isMarkAction(action)) this.dispatch({ type: 'marked', how: action, height });
    else if (action === 'back') this.#stepBack();
    else if (action === 'out' && stepOut(this.list) === undefined) this.#stepBack();
    else this.dispatch(toListEvent(action, this.list));
    const notice = actionNotice(action, before, this.list);
    if (notice !== undefined) this.parts.notify(notice);
  }

  /** Opens or closes the selected folder of a tree. Returns false if no folder is selected. */
  toggleFolder(): boolean {
    if (selectedFolder(this.list) === undefined) return false;
    this.dispatch({ type: 'turned', what: 'folder' });
    return true;
  }

  #stepBack(): void {
    if (stepBack(this.list) === undefined) this.parts.back();
    else this.dispatch({ type: 'stepped-back' });
  }

  protected override runOwn(command: ListCommand): void {
    this.dispatch(command.does === 'list' ? { type: 'listing' } : { type: 'narrowed', only: command.only });
  }

  protected override apply({ change, ...rows }: ListOutcome): void {
    if (rows.unmark) this.dispatch({ type: 'unmarked' });
    if (rows.unfilter) this.dispatch({ type: 'unfiltered' });
    if (rows.outdated) this.dispatch({ type: 'outdated' });
    if (change !== undefined) this.parts.changes.announce(change);
  }

  protected override begin(): void {
    this.#isPicking = false;
    const { changes } = this.parts;
    this.onClose(
      changes.listen((change) => {
        const row = this.#source.rowChange(change);
        if (row !== undefined) this.dispatch({ type: 'changed', ...row });
        else if (this.#source.isOutdatedBy?.(change) === true) this.dispatch({ type: 'outdated' });
        else this.#readRow(this.#source.rowToRead?.(change));
      }),
    );
    this.onClose(() => this.#closeListings(() => false));
    if (this.#isLive) this.onClose(this.#live.open());
    const { live, tasks: own } = this.#source;
    if (live !== undefined) {
      const replace = () => this.dispatch({ type: 'replaced', rows: live.rows(), next: live.next?.() });
      this.onClose(live.subscribe(replace));
    }
    if (own === undefined) return;
    const isAbout = (task: Task) => own.isAbout(task);
    const ends = followTaskEnds(this.parts, { isAbout, isVisible: () => this.#showing.visible }, (task) => {
      if (own.changes(task)) this.dispatch({ type: 'outdated' });
    });
    this.onClose(ends);
  }

  /** Rereads one row. If the read fails, the row stays unchanged; the next read of the list shows the reason. */
  #readRow(wanted: RowToRead<T> | undefined): void {
    if (wanted === undefined) return;
    const { id } = wanted;
    this.run({
      name: `row ${id}`,
      work: (signal) => wanted.read(signal),
      done: (row) => this.dispatch({ type: 'changed', id, row }),
      failed: () => undefined,
    });
  }

  /** Requests the next page if the list needs it, in a new listing after a restart. */
  protected override follow(): void {
    const { list } = this;
    if (this.#isLive) this.#live.follow(this.state, this.#showing);
    const isRefresh = list.refill?.before !== undefined;
    this.#closeListings((at) => at === list.listing || (isRefresh && at === list.generation));
    if (isPicking(list) || isGrowing(list)) this.#searchMore();
    if (!needsPage(list, this.#showing.height)) return;
    const { generation } = list;
    const at = isRefresh ? generation : list.listing;
    const { pages } = this.#openListing(list, at);
    this.#reading = at;
    this.dispatchSilently({ type: 'loading', generation });
    this.run({
      name: 'page',
      work: () => nextPage(pages),
      done: (page) =>
        (isRefresh ? this.#takeQuietly : this.dispatchBatched)({
          type: 'page',
          generation,
          ...page,
          at: this.parts.world.now(),
        }),
      failed: (problem) => {
        if (!isRefresh) return this.dispatch({ type: 'failed', problem, command: { does: 'list' } });
        this.#live.failed(problem);
        this.dispatchSilently({ type: 'abandoned' });
      },
    });
  }

  /** Adds a page of a background refresh. The screen is redrawn only if the refresh has completed and found a change. */
  readonly #takeQuietly = (page: ListEvent<T>): void => {
    const { news } = this.list;
    this.dispatchSilently(page);
    if (this.list.news !== news) this.notify();
  };

  /** Continues the filter or sort after pending presses have been handled. */
  #searchMore(): void {
    if (this.#isPicking) return;
    this.#isPicking = true;
    this.run({
      name: 'pick',
      work: () => setImmediate(),
      done: () => {
        this.#isPicking = false;
        this.dispatchBatched({ type: 'picked' });
      },
      failed: () => undefined,
    });
  }

  #openListing({ generation, prefix }: PagedList<T>, at: number) {
    const open = this.#listings.get(at);
    if (open !== undefined) return open;
    const end = new AbortController();
    const tellTotal = (total: number) => this.dispatchSilently({ type: 'counted', generation, total });
    const listing = { end, pages: this.#source.pages(prefix, end.signal, { reportTotal: tellTotal }) };
    this.#listings.set(at, listing);
    return listing;
  }

  /** Closes unused listings, and aborts the read of a page from them. */
  #closeListings(isUsed: (generation: number) => boolean): void {
    for (const [generation, { end }] of this.#listings) {
      if (isUsed(generation)) continue;
      this.#listings.delete(generation);
      if (this.#reading === generation) this.abort('page');
      end.abort();
    }
  }
}

/** Returns the state with the rows that are known before the first read. */
function withKnownRows<T>(empty: ListState<T>, { live, saved }: ListSource<T>): ListState<T> {
  if (live !== undefined) return reduceList<T>(empty, { type: 'replaced', rows: live.rows() });
  const known = saved?.rows();
  if (known === undefined) return empty;
  const { rows: items, at } = known;
  const { generation } = empty.list;
  return reduceList<T>(empty, { type: 'page', generation, items, complete: true, at });
}

type Pages<T> = AsyncGenerator<readonly T[]>;
