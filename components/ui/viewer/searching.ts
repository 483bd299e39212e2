import { patternNote, readPattern } from '../../../src/text/search/pattern.ts';
import type { Role } from '../../kit/theme.ts';
import { anchorAt } from './scroll.ts';
import { leftColumnFor } from './shifting.ts';
import { isSource, type Lines } from './source.ts';
import { type Found, type SeekResult, ViewSearch } from './view-search.ts';
import { searchText, seekTarget, type ViewEvent, type ViewState } from './view-state.ts';

/** The viewer to search. */
interface SearchedView<Content> {
  state(): ViewState<Content>;
  /** Returns the document on the screen; undefined if there is none. */
  shown(): Lines | undefined;
  columns(): number;
  dispatch(event: ViewEvent<Content>): void;
  /** Handles one of many events in quick succession. */
  dispatchBatched(event: ViewEvent<Content>): void;
  refuse(notice: string): void;
  /** Unfolds the lines that hide an offset of the text. */
  reveal(offset: number): void;
}

/** The search of a viewer: the typed pattern, the matches, and the jumps to them. */
export class Searching<Content> {
  readonly #view: SearchedView<Content>;
  readonly #search: ViewSearch;

  constructor(view: SearchedView<Content>) {
    this.#view = view;
    this.#search = new ViewSearch({
      progressed: () => view.dispatchBatched({ type: 'looked' }),
      found: (at) => this.#goTo(at),
    });
  }

  /** The matches in the document. */
  get found(): Found {
    return this.#search;
  }

  /** The number of matches and the current match; empty without a search, and while the user types a pattern. */
  get summary(): string {
    return this.#view.state().dialog?.kind === 'search' ? '' : this.#search.summary;
  }

  /** The note next to the search field: a fault, a hint or the number of matches; undefined if the field is closed. */
  get note(): { readonly text: string; readonly role: Role } | undefined {
    const { dialog } = this.#view.state();
    if (dialog?.kind !== 'search') return undefined;
    const note = patternNote(dialog.text, this.#search.fault);
    if (note !== undefined) return { text: note.text, role: note.isFault ? 'fault' : 'dim' };
    return { text: this.#search.summary, role: 'dim' };
  }

  /**
   * Goes to the first match of the typed search, starting at the current line, or to the next match if the search has not changed. If the
   * pattern is invalid, the field stays open for correction.
   */
  readonly apply = (): void => {
    const typed = searchText(this.#view.state());
    const isEmpty = readPattern(typed).text === '';
    if (!isEmpty && this.#search.fault !== undefined) return;
    const isAgain = !isEmpty && typed === this.#view.state().search?.text;
    if (isAgain) this.#view.dispatch({ type: 'closed' });
    else this.#view.dispatch({ type: 'searched', text: isEmpty ? '' : typed });
    this.seek(isAgain ? 'next' : 'here');
  };

  seek(way: 'here' | 'next' | 'previous'): void {
    const state = this.#view.state();
    const shown = this.#view.shown();
    if (shown === undefined || !isSource(shown) || searchText(state) === '') return;
    this.#search.seek(seekTarget(state, shown, way));
  }

  /** Must be called after each event. Searches the current document for the current pattern. */
  follow(): void {
    this.#search.search(searchText(this.#view.state()), this.#view.shown());
  }

  stop(): void {
    this.#search.stop();
  }

  #goTo({ offset, notice }: SeekResult): void {
    const view = this.#view;
    if (notice !== undefined) view.refuse(notice);
    if (offset !== undefined) view.reveal(offset);
    const shown = view.shown();
    if (offset === undefined || shown === undefined || !isSource(shown)) return;
    const sideways = leftColumnFor(shown, offset, view.state().sideways, view.columns());
    view.dispatch({ type: 'found', offset, anchor: anchorAt(shown, offset), sideways });
  }
}
