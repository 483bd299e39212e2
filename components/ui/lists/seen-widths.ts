import { markText } from '../../../src/text/mark.ts';
import type { Redact } from '../../../src/text/redact.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { firstVisibleRow } from '../../kit/keys/cursor.ts';
import type { Column, NameColumn } from './columns.ts';
import { type PagedList, shownLength } from './paged-list.ts';
import { eachRow } from './rows.ts';
import { treeRow } from './tree-rows.ts';

/** The widths, in screen columns, that the rows of a list need. */
export interface Needs {
  /** `usual`: enough for nine of ten names. `max`: enough for all names. */
  readonly name: { readonly usual: number; readonly max: number };
  /**
   * The width of the longest cell of each column that grows or can be hidden, by heading. Columns in which all cells are empty are not
   * included.
   */
  readonly columns: ReadonlyMap<string, number>;
}

/** The needs of a list before any row is known. */
export const noNeeds: Needs = { name: { usual: 0, max: 0 }, columns: new Map() };

/**
 * Number of rows at the start of the list that are measured as soon as they are loaded, so that moving through these rows does not change
 * the widths.
 */
const measuredRows = 500;

/** The width of a name is rounded up to a multiple of this number, so that few new rows change the width. */
const step = 4;

/** The share of names that fit in the usual width. */
const usualShare = 0.9;

interface Measured<T> {
  readonly name: NameColumn<T>;
  readonly columns: readonly Column<T>[];
  readonly redact: Redact;
  readonly height: number;
}

/**
 * Remembers how much room the names and the columns of a list need. The room never shrinks, so that a list keeps its widths when it is
 * reread or scrolled.
 */
export class SeenWidths {
  #needs = noNeeds;
  /** The number of names of each width, with the width in units of `step` as the index. */
  readonly #names: number[] = [];
  #measured = 0;
  #generation: number | undefined;
  #rows: unknown;
  #tree: unknown;

  /** Returns the columns without those that no row needs. In a list whose rows are not all measured, every column is needed. */
  needed<T>(
    { rows, sort }: Pick<PagedList<T>, 'rows' | 'sort'>,
    columns: readonly Column<T>[],
  ): readonly Column<T>[] {
    if (rows.length === 0 || rows.length > measuredRows) return columns;
    const isNeeded = ({ heading, hidesEmpty = false }: Column<T>) =>
      !hidesEmpty || this.#needs.columns.has(heading) || sort?.heading === heading;
    return columns.filter(isNeeded);
  }

  /** Measures the rows that were added since the last call, and returns the room that all measured rows need. */
  measure<T>(list: PagedList<T>, { name, columns, redact, height }: Measured<T>): Needs {
    const until = Math.min(measuredRows, list.rows.length);
    const isAdded = this.#generation === list.generation && this.#measured < until;
    if (list.rows !== this.#rows && !isAdded) this.#measured = 0;
    this.#generation = list.generation;
    this.#rows = list.rows;
    if (this.#measured < until) {
      const measured = columns.filter(({ maxWidth, hidesEmpty }) => maxWidth !== undefined || hidesEmpty);
      for (const row of eachRow(list.rows, this.#measured)) {
        this.#noteName(redact(name.cell(row)));
        for (const { heading, cell } of measured) this.#noteCell(heading, redact(cell(row)));
        if (++this.#measured >= until) break;
      }
      this.#needs = { ...this.#needs, name: this.#nameNeeds() };
    }
    if (list.tree !== undefined && list.tree !== this.#tree) this.#measureTree(list, height);
    this.#tree = list.tree;
    return this.#needs;
  }

  /** Measures the visible lines of a tree, whose lines are indented, and whose folders are not rows. */
  #measureTree<T>(list: PagedList<T>, height: number): void {
    const length = shownLength(list);
    const top = firstVisibleRow(list.cursor, length, height);
    for (let index = top; index < Math.min(length, top + height); index++)
      this.#noteName(treeRow(list, index).text);
    this.#needs = { ...this.#needs, name: this.#nameNeeds() };
  }

  #noteName(text: string): void {
    const steps = Math.ceil(measureCharacter(markText(text)) / step);
    this.#names[steps] = (this.#names[steps] ?? 0) + 1;
  }

  #noteCell(heading: string, text: string): void {
    const width = measureCharacter(markText(text));
    const { columns } = this.#needs;
    if (width > (columns.get(heading) ?? 0))
      this.#needs = { ...this.#needs, columns: new Map(columns).set(heading, width) };
  }

  #nameNeeds(): Needs['name'] {
    const counts = Array.from(this.#names, (count = 0) => count);
    const wanted = counts.reduce((sum, count) => sum + count, 0) * usualShare;
    let seen = 0;
    const usual = counts.findIndex((count) => {
      seen += count;
      return seen >= wanted;
    });
    const { usual: before } = this.#needs.name;
    return { usual: Math.max(before, usual * step), max: (counts.length - 1) * step };
  }
}
