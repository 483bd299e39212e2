import type { PaneParts } from '../../kit/use-console.ts';
import type { DialogState } from '../forms/dialog-state.ts';
import { LiveReading } from '../live/live-reading.ts';
import { freshRows, rowsNear } from './fresh-rows.ts';
import { needsPage } from './list-pages.ts';
import type { PagedList } from './paged-list.ts';

/** Milliseconds for which new and changed rows are highlighted. */
const highlightMs = 3000;

interface Options<T> {
  list(): PagedList<T>;
  /** Rereads the list; the selection stays. */
  reread(): void;
  /** Highlights these rows, and no others. */
  mark(ids: ReadonlySet<string>): void;
}

/** Returns the number of requests for one reading: a list that is read to its end is reread completely. */
function requestsPerReading<T>({ whole, rows, cursor, pageSize }: PagedList<T>): number {
  return 1 + Math.floor((whole ? rows.length : cursor.index) / pageSize);
}

const noIds: ReadonlySet<string> = new Set();

/** Keeps a list up to date at the user's request, and briefly highlights new rows. */
export class LiveList<T> {
  readonly #reading: LiveReading;
  readonly #options: Options<T>;
  readonly #sleep: PaneParts['world']['sleep'];
  #height = 1;
  #before: ReadonlyMap<string, string> | undefined;
  #highlight = new AbortController();

  constructor({ world, pulse }: Pick<PaneParts, 'world' | 'pulse'>, options: Options<T>) {
    this.#options = options;
    this.#sleep = world.sleep;
    this.#reading = new LiveReading({
      world,
      pulse,
      cost: () => requestsPerReading(options.list()),
      read: () => this.#read(),
      changed: () => options.mark(noIds),
    });
  }

  get words(): string {
    return this.#reading.words;
  }

  toggle(): void {
    this.#reading.toggle();
  }

  /** Called after each event, and when the pane is shown or hidden. */
  follow(
    { dialog, busy }: DialogState<unknown>,
    { height, visible }: { readonly height: number; readonly visible: boolean },
  ): void {
    this.#height = height;
    const list = this.#options.list();
    const isStill = list.refill === undefined && !list.loading && !list.stopped && !needsPage(list, height);
    if (isStill && this.#before !== undefined) this.#compare(this.#before);
    this.#reading.follow(visible && isStill && dialog === undefined && busy === undefined);
  }

  stop(): void {
    this.#reading.stop();
    this.#highlight.abort();
  }

  #read(): void {
    this.#before = rowsNear(this.#options.list(), this.#height);
    this.#options.reread();
  }

  #compare(before: ReadonlyMap<string, string>): void {
    this.#before = undefined;
    const fresh = freshRows(before, this.#options.list(), this.#height);
    if (fresh.size === 0) return;
    this.#highlight.abort();
    this.#highlight = new AbortController();
    this.#options.mark(fresh);
    this.#sleep(highlightMs, this.#highlight.signal)
      .then(() => this.#options.mark(noIds))
      .catch(() => undefined);
  }
}
