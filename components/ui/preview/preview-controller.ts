import { isScarce } from '../../../src/model/budget.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { Controller } from '../../kit/controller.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { LiveReading } from '../live/live-reading.ts';
import { hasSameLines } from '../viewer/source.ts';
import type { PreviewContent, Previewed } from './previewed.ts';

/** The state of a preview. The previous preview stays on the screen, with its own title, until the next one can be shown. */
export type PreviewState = { readonly of?: Previewed } & (
  | { readonly is: 'empty' | 'reading' }
  | { readonly is: 'shown'; readonly content: PreviewContent }
  | { readonly is: 'failed'; readonly problem: Problem }
  /** Nothing is read, to save the `left` remaining requests for the user's actions. */
  | { readonly is: 'resting'; readonly left: number }
);

/** Milliseconds without a cursor movement before a request is sent. */
const debounceMs = 120;

/** Milliseconds that a read may take before the previous preview is cleared. */
const readingNoticeMs = 250;

/** Milliseconds during which a cached preview is shown without a new request. */
const freshMs = 30_000;

/** Maximum number of cached previews. */
const maxCached = 24;

interface CachedPreview {
  readonly content: PreviewContent;
  readonly at: number;
}

/** The parts of the console that a preview needs. */
type PreviewParts = Pick<PaneParts, 'changes' | 'pulse' | 'live'> & {
  readonly notes: PaneParts['notes'];
  readonly world: Pick<PaneParts['world'], 'now' | 'sleep'>;
};

/**
 * The preview of a list: read after a delay, canceled when the cursor moves, cached for recent rows, and refreshed while it is on the
 * screen.
 */
export class PreviewController extends Controller<PreviewState, PreviewState> {
  readonly #parts: PreviewParts;
  readonly #cache = new Map<string, CachedPreview>();
  #row: unknown;
  #selected: Previewed | undefined;
  #reloads: number | undefined;
  #giveUp = new AbortController();
  readonly #live: LiveReading;
  #mayRefresh = false;

  constructor(parts: PreviewParts) {
    super((_, next) => next, { is: 'empty' }, parts.notes);
    this.#parts = parts;
    this.#live = new LiveReading({
      ...parts,
      cost: () => 1,
      readAt: () => this.#readAt,
      read: () => this.#refresh(),
      changed: () => undefined,
    });
  }

  /** Sets whether the preview may be refreshed: only while the preview is on the screen and the user is not busy with the list. */
  allowRefresh(mayRefresh: boolean): void {
    this.#mayRefresh = mayRefresh;
    this.follow();
  }

  protected override follow(): void {
    const { of, is } = this.state;
    const isRead = is === 'shown' && of !== undefined && of === this.#selected && 'read' in of;
    this.#live.follow(this.#mayRefresh && isRead);
  }

  /** When the selected preview was read, in milliseconds; undefined if it was not read. */
  get #readAt(): number | undefined {
    return this.#selected && this.#cache.get(this.#selected.id)?.at;
  }

  /**
   * Sets the selected row. `null` means that no row is selected; `undefined` means that the preview is hidden and keeps its last row. A
   * change of `reloads` clears the cache.
   */
  select<Row>(row: Row | null | undefined, reloads: number, preview: (row: Row) => Previewed): void {
    const isReload = reloads !== this.#reloads;
    if (!isReload && row === this.#row) return;
    const wanted = row === undefined || row === null ? undefined : preview(row);
    const isSame = wanted?.id === this.#selected?.id;
    this.#reloads = reloads;
    this.#row = row;
    // A list may return a new object for the same row, which must not cause a new read.
    if (!isReload && isSame && wanted !== undefined && 'read' in wanted) return;
    if (isReload) this.#cache.clear();
    this.#selected = wanted;
    this.#giveUp.abort();
    this.#endRefresh('failed');
    this.#live.restart();
    if (row === null) this.dispatch({ is: 'empty' });
    else this.#show();
  }

  protected override begin(): void {
    this.onClose(() => this.#giveUp.abort());
    this.onClose(this.#live.open());
    this.onClose(
      this.#parts.changes.listen(() => {
        this.#cache.clear();
        this.#show();
      }),
    );
  }

  #show(): void {
    const of = this.#selected;
    if (of === undefined) return;
    const content = 'content' in of ? of.content : this.#cachedContent(of.id);
    if (content !== undefined) this.dispatch({ of, is: 'shown', content });
    else if ('read' in of) this.#read(of);
  }

  #cachedContent(id: string): PreviewContent | undefined {
    const found = this.#cache.get(id);
    return found && this.#parts.world.now() - found.at < freshMs ? found.content : undefined;
  }

  #read(of: Extract<Previewed, { read: unknown }>): void {
    const { sleep } = this.#parts.world;
    this.#giveUp.abort();
    this.#giveUp = new AbortController();
    const { signal } = this.#giveUp;
    sleep(debounceMs + readingNoticeMs, signal)
      .then(() => !signal.aborted && this.dispatch({ of, is: 'reading' }))
      .catch(() => undefined);
    this.run({
      name: 'preview',
      work: async () => {
        await sleep(debounceMs, signal);
        const budget = this.#parts.pulse?.requestsLeft();
        if (budget !== undefined && isScarce(budget)) return budget;
        return of.read(signal);
      },
      done: (found) => {
        if ('left' in found) return this.#end(of, { of, is: 'resting', left: found.left });
        this.#store(of.id, found);
        this.#end(of, { of, is: 'shown', content: found });
      },
      failed: (problem) => this.#end(of, { of, is: 'failed', problem }),
    });
  }

  /** Rereads the preview in the background. If the read fails, the preview stays unchanged. */
  #refresh(): void {
    const of = this.#selected;
    if (of === undefined || !('read' in of)) {
      this.#live.ended('failed');
      return;
    }
    this.run({
      name: 'refresh',
      work: (signal) => of.read(signal),
      done: (content) => {
        const { state } = this;
        this.#store(of.id, content);
        const isSame = state.is === 'shown' && state.of === of && hasSameContent(state.content, content);

        if (!isSame) this.dispatch({ of, is: 'shown', content });
        this.#endRefresh(isSame ? 'same' : 'changed');
      },
      failed: () => this.#endRefresh('failed'),
    });
  }

  #endRefresh(result: 'same' | 'changed' | 'failed'): void {
    this.abort('refresh');
    this.#live.ended(result);
  }

  /** Shows the result of a read, unless another row has been selected meanwhile. */
  #end(of: Previewed, state: PreviewState): void {
    if (of !== this.#selected) return;
    this.#giveUp.abort();
    this.dispatch(state);
  }

  #store(id: string, content: PreviewContent): void {
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= maxCached && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(id, { content, at: this.#parts.world.now() });
  }
}

function hasSameContent(one: PreviewContent, other: PreviewContent): boolean {
  const surface = { columns: 80, redact: (text: string) => text };
  const details = [one.details, other.details].map((each) => each?.lines(surface));
  return (
    one.counts === other.counts &&
    hasSameLines(one.lines(surface, true), other.lines(surface, true)) &&
    (details[0] === undefined || details[1] === undefined
      ? details[0] === details[1]
      : hasSameLines(details[0], details[1]))
  );
}
