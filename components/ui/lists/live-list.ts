import type { Problem } from '../../../src/model/problem.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { DialogState } from '../forms/dialog-state.ts';
import { LiveReading, type ReadingResult } from '../live/live-reading.ts';
import { freshRows, rowsNear } from './fresh-rows.ts';
import { countRowsToRefresh, needsPage } from './list-pages.ts';
import type { PagedList } from './paged-list.ts';

/** Milliseconds for which new and changed rows are highlighted. */
const highlightMs = 3000;

interface Options<T> {
  list(): PagedList<T>;
  /** Number of requests per read, in addition to the requests for pages. */
  readonly extraRequests: number;
  /** Rereads the list in the background. */
  refresh(): void;
  /** Highlights only these rows. */
  mark(ids: ReadonlySet<string>): void;
  /** Called when refreshing has been paused or resumed, or has started or stopped saving requests. */
  switched(): void;
}

const noIds: ReadonlySet<string> = new Set();

/** Keeps a list up to date while it is on the screen, and briefly highlights new and changed rows. */
export class LiveList<T> {
  readonly #reading: LiveReading;
  readonly #options: Options<T>;
  readonly #parts: Pick<PaneParts, 'world' | 'notify'>;
  #height = 1;
  #mayRead = false;
  #before: { readonly news: number; readonly rows: ReadonlyMap<string, string> } | undefined;
  #hasFailed = false;
  #highlight = new AbortController();

  constructor(parts: Pick<PaneParts, 'world' | 'pulse' | 'live' | 'notify'>, options: Options<T>) {
    this.#options = options;
    this.#parts = parts;
    this.#reading = new LiveReading({
      ...parts,
      cost: () => this.#cost(),
      readAt: () => options.list().readAt,
      read: () => this.#read(),
      changed: options.switched,
    });
  }

  get words(): string {
    return this.#reading.words;
  }

  get liveForMs(): number | undefined {
    return this.#reading.liveForMs;
  }

  /** Whether a refresh is allowed now: no row is marked, and no form or question is open. */
  get mayRead(): boolean {
    return this.#mayRead;
  }

  /** Follows the switch for automatic refreshing until the returned function is called. */
  open(): () => void {
    const close = this.#reading.open();
    return () => {
      close();
      this.#highlight.abort();
    };
  }

  /** Called after each event, and when the pane is shown or hidden. */
  follow(
    { dialog, busy, writes }: DialogState<unknown>,
    { height, visible }: { readonly height: number; readonly visible: boolean },
  ): void {
    this.#height = height;
    const list = this.#options.list();
    const isStill = list.refill === undefined && !list.loading && !list.stopped && !needsPage(list, height);
    if (isStill && this.#before !== undefined)
      this.#end(list.news === this.#before.news ? 'same' : 'changed');
    this.#mayRead = visible && (dialog ?? busy ?? writes) === undefined && list.marks.names.size === 0;
    this.#reading.follow(this.#mayRead && isStill);
  }

  /**
   * Reports that the list could not be reread; must be called after each such failure. Only the first of several consecutive failures is
   * reported, because the age of the rows shows that reading fails.
   */
  failed({ message }: Problem): void {
    if (!this.#hasFailed) this.#parts.notify(`Not refreshed: ${message} Press r to reload.`, 'refused');
    this.#end('failed');
  }

  /** Returns the number of requests for one refresh. */
  #cost(): number {
    const { list, extraRequests } = this.#options;
    return 1 + extraRequests + Math.floor(countRowsToRefresh(list(), this.#height) / list().pageSize);
  }

  #read(): void {
    const list = this.#options.list();
    this.#before = { news: list.news, rows: rowsNear(list, this.#height) };
    this.#options.refresh();
  }

  #end(result: ReadingResult): void {
    const before = this.#before;
    this.#before = undefined;
    this.#hasFailed = result === 'failed';
    if (before !== undefined && result === 'changed') this.#show(before.rows);
    this.#reading.ended(result);
  }

  #show(before: ReadonlyMap<string, string>): void {
    const fresh = freshRows(before, this.#options.list(), this.#height);
    if (fresh.size === 0) return;
    this.#highlight.abort();
    this.#highlight = new AbortController();
    this.#options.mark(fresh);
    this.#parts.world
      .sleep(highlightMs, this.#highlight.signal)
      .then(() => this.#options.mark(noIds))
      .catch(() => undefined);
  }
}
