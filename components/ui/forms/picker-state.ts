import type { Range } from '../../../src/text/search/pattern.ts';
import { nameRanges, rankMatches } from '../../../src/text/search/ranking.ts';
import { graphemeLengthBefore } from '../../../src/text/width.ts';
import type { InputToken } from '../../kit/terminal/input-tokens.ts';

/** Columns of the indicator before an item. */
export const indicatorColumns = 2;

/** Columns of `‹ ` and ` ›`, the marks of a choice. */
export const choiceMarkColumns = 4;

/** The visible state of a picker. */
export interface ShownPicker {
  /** The typed letters. */
  readonly query: string;
  /** The indexes of the matching items, best match first; all indexes if no letters are typed. */
  readonly found: readonly number[];
  /** The position of the highlighted item in `found`. */
  readonly highlighted: number;
  /**
   * Number of times that the highlight was moved by something other than the list. After each of these moves, the list must start at the
   * highlighted item.
   */
  readonly jumps: number;
}

/** Presses that move by a page or to an end, which the list itself does not handle. */
const jumps: Readonly<Record<string, (at: number, count: number, page: number) => number>> = {
  '\u001b[5~': (at, _, page) => at - page,
  '\u001b[6~': (at, _, page) => at + page,
  '\u001b[H': () => 0,
  '\u001bOH': () => 0,
  '\u001b[1~': () => 0,
  '\u001b[F': (_, count) => count - 1,
  '\u001bOF': (_, count) => count - 1,
  '\u001b[4~': (_, count) => count - 1,
};

/** Presses that move by one item in a picker on the line of a field. */
const sidewaysJumps: typeof jumps = {
  '\u001b[D': (at) => at - 1,
  '\u001bOD': (at) => at - 1,
  '\u001b[C': (at) => at + 1,
  '\u001bOC': (at) => at + 1,
};

const backspaces = /^[\u007f\b]$/;
const clearLine = '\u0015';
const printable = /^[^\x00-\x1f\x7f]+$/;

/**
 * The state of a picker: the typed letters, and the items that match them. Input other than letters and `jumps` is left to the list and its
 * dialog. If nothing is typed, `j` and `k` move the highlight, unless they match an item.
 */
export class PickerState {
  #labels: readonly string[];
  #shown: ShownPicker;
  #first: number;
  #page = 1;
  readonly #jumps: typeof jumps;
  readonly #listeners = new Set<() => void>();

  constructor(labels: readonly string[], first: number, isSideways = false) {
    this.#jumps = isSideways ? { ...jumps, ...sidewaysJumps } : jumps;
    this.#labels = labels;
    this.#first = Math.max(0, first);
    this.#shown = { query: '', found: allIndexes(labels), highlighted: this.#first, jumps: 0 };
  }

  get shown(): ShownPicker {
    return this.#shown;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sets the labels of the items, and the number of visible items. */
  setItems(labels: readonly string[], page: number): void {
    this.#page = Math.max(1, page);
    if (labels.length === this.#labels.length && labels.every((label, at) => label === this.#labels[at]))
      return;
    this.#labels = labels;
    this.#search(this.#shown.query);
  }

  /** Must be called when the list itself has moved the highlight. */
  highlight(index: number): void {
    const highlighted = this.#shown.found.indexOf(index);
    if (highlighted !== -1 && highlighted !== this.#shown.highlighted)
      this.#show({ ...this.#shown, highlighted });
  }

  /** Clears the letters, and keeps the highlighted item. */
  clear(): void {
    const { query, found, highlighted } = this.#shown;
    this.#first = found[highlighted] ?? this.#first;
    if (query !== '') this.#search('');
  }

  /** Consumes the first token if it is for the picker. Returns the number of consumed tokens. */
  readonly take = ([first]: readonly InputToken[]): number => {
    if (first === undefined) return 0;
    const { query, found, highlighted } = this.#shown;
    const { kind, text } = first;
    if (kind === 'paste') {
      this.#type(text.split(/[\r\n]/, 1)[0] ?? '');
      return 1;
    }
    const jump = this.#jumps[text];
    if (jump !== undefined) {
      const target = Math.max(0, Math.min(jump(highlighted, found.length, this.#page), found.length - 1));
      this.#show({ ...this.#shown, highlighted: target, jumps: this.#shown.jumps + 1 });
      return 1;
    }
    if (backspaces.test(text))
      this.#search(query.slice(0, query.length - graphemeLengthBefore(query, query.length)));
    else if (text === clearLine) this.#search('');
    else if (!printable.test(text) || this.#moves(text)) return 0;
    else this.#type(text);
    return 1;
  };

  #moves(letter: string): boolean {
    if (this.#shown.query !== '' || (letter !== 'j' && letter !== 'k')) return false;
    return filterLabels(this.#labels, letter).length === 0;
  }

  #type(text: string): void {
    const typed = text.replaceAll(/[\x00-\x1f\x7f]/g, '');
    this.#search(`${this.#shown.query}${typed}`.trimStart());
  }

  #search(query: string): void {
    const found = filterLabels(this.#labels, query);
    const first = query === '' ? Math.max(0, found.indexOf(this.#first)) : 0;
    this.#show({ query, found, highlighted: first, jumps: this.#shown.jumps + 1 });
  }

  #show(shown: ShownPicker): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

function allIndexes(labels: readonly string[]): number[] {
  return labels.map((_, index) => index);
}

/** Returns the indexes of the matching labels, best match first. */
function filterLabels(labels: readonly string[], query: string): readonly number[] {
  const items = labels.map((name, index) => ({ name, index }));
  return rankMatches(items, query, { distance: ({ index }) => index }).map(({ index }) => index);
}

/** Returns the ranges of a label that match the typed letters. */
export function labelRanges(label: string, query: string): readonly Range[] {
  return nameRanges(query, label);
}
