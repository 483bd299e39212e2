import { oneColumn } from '../one-column.ts';

/**
 * In the bundle, replaces Ink's module of the same name. Returns the output that changes a line of the screen from `previous` to `next`.
 * Ink rewrites the line starting at the first change, including the panes to the right; this function writes only the changed cells. The
 * cursor must be on the line, and stays on it.
 */
export default function lineUpdate(previous: string, next: string, columns: number | undefined): string {
  const fullLine = `${cursorTo(0)}${eraseToEnd}${next}`;
  const before = cachedCells(previous);
  const after = cachedCells(next);
  if (before === undefined || after === undefined || columns === undefined) return fullLine;
  if (Math.max(before.text.length, after.text.length) > columns) return fullLine;
  const end = countComparable(before, after);
  let changed = drawRanges(after, changedRanges(before, after, end));
  if (tailAfter(previous, before, end) !== tailAfter(next, after, end)) {
    changed += `${cursorTo(end)}${eraseToEnd}${tailAfter(next, after, end)}`;
  }
  return changed.length < fullLine.length ? changed : fullLine;
}

/** A line as cells of one column each, up to the first character of uncertain width. */
interface Cells {
  readonly text: string;
  /** The style of each cell; `shown` is the part that is visible in this cell, because an empty cell shows fewer attributes. */
  readonly styles: readonly CellStyle[];
  /** The position of each cell in the line, and the position after the last cell. */
  readonly starts: readonly number[];
  /** Whether the rest of the line contains only the end of a style. */
  readonly isComplete: boolean;
}

/** A style as the codes that set it; an empty string for no style. */
interface CellStyle {
  readonly set: string;
  readonly shown: string;
  /** The codes of the part that is visible in an empty cell. */
  readonly empty: string;
  /** The attributes that the style sets. Another style with the same attributes can replace it without a reset. */
  readonly slots: string;
}

const eraseToEnd = '\u001b[K';
const unstyled: CellStyle = { set: '', shown: '', empty: '', slots: '' };

function cursorTo(column: number): string {
  return `\u001b[${column + 1}G`;
}

/** A cache of parsed lines, most of which recur in the next frame. */
const cache = new Map<string, Cells | undefined>();
const maxCachedLines = 1024;

function cachedCells(line: string): Cells | undefined {
  if (cache.has(line)) return cache.get(line);
  if (cache.size >= maxCachedLines) cache.clear();
  const cells = parseCells(line);
  cache.set(line, cells);
  return cells;
}

const singleColumnPattern = new RegExp(`[${oneColumn}]`);
const stylePattern = /\u001b\[([\d;]*)m/y;

/** Parses a line into cells; undefined if it contains a sequence that is not a known style. */
function parseCells(line: string): Cells | undefined {
  const style = new Style();
  const styles: CellStyle[] = [];
  const starts: number[] = [];
  let text = '';
  let at = 0;
  for (; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '\u001b') {
      stylePattern.lastIndex = at;
      const [sequence, codes] = stylePattern.exec(line) ?? [];
      if (sequence === undefined || !style.apply(codes ?? '')) return undefined;
      at += sequence.length - 1;
      continue;
    }
    if (!isOneColumn(letter)) break;
    text += letter;
    styles.push(letter === ' ' ? style.emptyStyle : style.letterStyle);
    starts.push(at);
  }
  starts.push(at);
  styles.push(style.letterStyle);
  return { text, styles, starts, isComplete: at >= line.length };
}

function isOneColumn(letter: string): boolean {
  return (letter >= ' ' && letter <= '~') || singleColumnPattern.test(letter);
}

/** Reset codes and the attributes that each code resets; 22 resets two attributes. */
const resetCodes: Readonly<Record<number, readonly string[]>> = {
  22: ['1', '2'],
  23: ['3'],
  24: ['4'],
  25: ['5'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
  39: ['fore'],
  49: ['back'],
  55: ['53'],
};

/** Attributes that are invisible in an empty cell, unless it is inverse. */
const letterOnlySlots: ReadonlySet<string> = new Set(['fore', '1', '2', '3']);

/** The style that the sequences of a line have set so far. */
class Style {
  letterStyle = unstyled;
  emptyStyle = unstyled;
  readonly #set = new Map<string, string>();

  /** Applies the codes of one sequence. Returns false if the sequence sets an unknown attribute. */
  apply(codes: string): boolean {
    const code = Number.parseInt(codes, 10) || 0;
    const isSingle = /^\d*$/.test(codes);
    const ended = isSingle ? resetCodes[code] : undefined;
    if (ended !== undefined) for (const slot of ended) this.#set.delete(slot);
    else if (isSingle && code === 0) this.#set.clear();
    else {
      const slot = styleSlot(code, isSingle);
      if (slot === undefined) return false;
      this.#set.set(slot, codes);
    }
    const all = [...this.#set].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const seen = this.#set.has('7') ? all : all.filter(([slot]) => !letterOnlySlots.has(slot));
    const set = all.map(([, code]) => code).join(';');
    const empty = seen.map(([, code]) => code).join(';');
    const slots = all.map(([slot]) => slot).join();
    this.letterStyle = { set, shown: set, empty, slots };
    this.emptyStyle = { set, shown: empty, empty, slots };
    return true;
  }
}

/** Returns the attribute that a code sets: one of the styles, or the foreground or background color. */
function styleSlot(code: number, isSingle: boolean): string | undefined {
  if (code === 38 && !isSingle) return 'fore';
  if (code === 48 && !isSingle) return 'back';
  if (!isSingle) return undefined;
  if ((code >= 1 && code <= 9 && code !== 6) || code === 53) return String(code);
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return 'fore';
  return (code >= 40 && code <= 47) || (code >= 100 && code <= 107) ? 'back' : undefined;
}

/**
 * Returns the number of cells that can be compared one by one. If a character of uncertain width follows, the last cell is excluded,
 * because that character can change how the cell looks.
 */
function countComparable(before: Cells, after: Cells): number {
  const sure = [before, after].map(({ text, isComplete }) =>
    isComplete ? Number.POSITIVE_INFINITY : Math.max(0, text.length - 1),
  );
  return Math.min(...sure, Math.max(before.text.length, after.text.length));
}

/** Returns the rest of a line after the comparable cells, with its style; empty if the line has no further cells. */
function tailAfter(line: string, { styles, starts }: Cells, end: number): string {
  const start = starts[end];
  const tail = start === undefined ? '' : line.slice(start);
  const { set } = styles[end] ?? unstyled;
  return tail === '' ? '' : `${set === '' ? '' : `\u001b[${set}m`}${tail}`;
}

/** Maximum number of unchanged cells that are rewritten instead of skipped: a cursor movement takes as many bytes. */
const maxRewrittenGap = 5;

/** Returns the ranges of cells that differ; the end is exclusive. */
function changedRanges(before: Cells, after: Cells, end: number): [number, number][] {
  const found: [number, number][] = [];
  for (let cell = 0; cell < end; cell++) {
    const isSame = styleAt(before, cell).shown === styleAt(after, cell).shown;
    if (isSame && letterAt(before, cell) === letterAt(after, cell)) continue;
    const last = found.at(-1);
    if (last !== undefined && cell - last[1] <= maxRewrittenGap) last[1] = cell + 1;
    else found.push([cell, cell + 1]);
  }
  return found;
}

function letterAt({ text }: Cells, cell: number): string {
  return text[cell] ?? ' ';
}

function styleAt({ text, styles }: Cells, cell: number): CellStyle {
  return cell < text.length ? (styles[cell] ?? unstyled) : unstyled;
}

/** Writes ranges of cells, and erases the cells after the end of the line. */
function drawRanges(cells: Cells, all: readonly [number, number][]): string {
  const pen = new Pen();
  for (const [from, to] of all) {
    for (let cell = from; cell < to; ) {
      const empty = countEmpty(cells, cell, to);
      const isLast = cell + empty === to;
      if (isLast && to > cells.text.length) pen.erase(cell, eraseToEnd);
      else if (empty > (isLast ? 4 : 9)) pen.erase(cell, `\u001b[${empty}X`);
      else pen.write(cell, letterAt(cells, cell), styleAt(cells, cell));
      cell += pen.at === cell ? empty : 1;
    }
  }
  return pen.finish();
}

/** Returns the number of consecutive cells without visible content in a range. */
function countEmpty(cells: Cells, from: number, to: number): number {
  let cell = from;
  while (cell < to && letterAt(cells, cell) === ' ' && styleAt(cells, cell).shown === '') cell++;
  return cell - from;
}

/** Writes cells of one line in as few bytes as possible. */
class Pen {
  /** The cell under the cursor; undefined if unknown. */
  at: number | undefined;
  #style = unstyled;
  #written = '';

  write(cell: number, letter: string, style: CellStyle): void {
    this.#goTo(cell);
    const isShown = letter === ' ' ? this.#style.empty === style.shown : this.#style.set === style.set;
    if (!isShown) this.#setStyle(style);
    this.#written += letter;
    this.at = cell + 1;
  }

  /** Writes a sequence that erases cells, starting at `cell`; the cursor stays on this cell. */
  erase(cell: number, sequence: string): void {
    this.#goTo(cell);
    if (this.#style.empty !== '') this.#setStyle(unstyled);
    this.#written += sequence;
  }

  finish(): string {
    this.#setStyle(unstyled);
    return this.#written;
  }

  #goTo(cell: number): void {
    if (this.at === cell) return;
    const forth = this.at === undefined || this.at > cell ? undefined : `\u001b[${cell - this.at}C`;
    const there = cursorTo(cell);
    this.#written += forth !== undefined && forth.length < there.length ? forth : there;
    this.at = cell;
  }

  #setStyle(style: CellStyle): void {
    if (style.set === this.#style.set) return;
    const isOver = this.#style.set === '' || style.set === '' || style.slots === this.#style.slots;
    this.#written += `\u001b[${isOver ? '' : '0;'}${style.set}m`;
    this.#style = style;
  }
}
