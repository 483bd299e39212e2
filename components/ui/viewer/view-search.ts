import { ByteSearch } from '../../../src/text/search/byte-search.ts';
import { createMatcher, type Range, readPattern } from '../../../src/text/search/pattern.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { isSource, type Lines } from './source.ts';

/** Maximum number of bytes to search, and of matches to find, before presses and frames are handled. */
const maxTurnBytes = 512 * 1024;
const maxTurnHits = 4000;

/** The matches of a search. */
export interface Found {
  /** Returns the matches that overlap the bytes from `from` to `to`, in ascending order. */
  within(from: number, to: number): readonly Range[];
  /** The current match. */
  readonly current: Range | undefined;
}

/** A request for the next or previous match, starting at an offset. The search wraps around at the ends. */
export interface SeekTarget {
  readonly from: number;
  readonly way: 'next' | 'previous';
}

/** The result of a request: the offset of the match (undefined without a match), and a notice for the user. */
export interface SeekResult {
  readonly offset: number | undefined;
  readonly notice?: string;
}

interface Options {
  /** Called when the search has new results to draw. */
  progressed(): void;
  found(at: SeekResult): void;
}

/** Searches a document for a pattern, in bounded steps between presses. Delivers a requested match as soon as it is found. */
export class ViewSearch implements Found {
  readonly #options: Options;
  #typed = '';
  #scan: ByteSearch | undefined;
  #fault: string | undefined;
  #target: SeekTarget | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  #current: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The error in the pattern, or a message that the expression takes too long; undefined if there is no error. */
  get fault(): string | undefined {
    return this.#fault ?? this.#scan?.fault;
  }

  /** Searches lines for the typed pattern. If bytes and pattern are unchanged, continues the running search. */
  search(typed: string, lines: Lines | undefined): void {
    const bytes = lines !== undefined && isSource(lines) ? lines.bytes : undefined;
    if (typed === this.#typed && bytes === this.#scan?.bytes) return;
    if (typed === this.#typed && this.#fault !== undefined) return;
    this.#typed = typed;
    this.#begin(typed, bytes);
  }

  #begin(typed: string, bytes: Uint8Array | undefined): void {
    this.stop();
    this.#scan = undefined;
    this.#fault = undefined;
    this.#current = undefined;
    const pattern = readPattern(typed);
    if (pattern.text === '' || bytes === undefined) return;
    const matcher = createMatcher(pattern);
    if ('fault' in matcher) this.#fault = matcher.fault;
    else {
      this.#scan = new ByteSearch(bytes, matcher);
      this.#searchMore();
    }
  }

  /** Requests a match, which `found` receives as soon as it is known. */
  seek(wanted: SeekTarget): void {
    this.#target = wanted;
    this.#deliver();
  }

  stop(): void {
    clearImmediate(this.#nextTurn);
    this.#nextTurn = undefined;
    this.#target = undefined;
  }

  within(from: number, to: number): readonly Range[] {
    return this.#scan?.within(from, to) ?? [];
  }

  get current(): Range | undefined {
    const offset = this.#current;
    return offset === undefined
      ? undefined
      : this.within(offset, offset + 1).find(([from]) => from === offset);
  }

  /** The number of matches and the current match, as text; empty without a search. */
  get summary(): string {
    const scan = this.#scan;
    if (scan === undefined) return '';
    const { length } = scan.hits;
    const { how, isNegated } = scan.matcher.pattern;
    const [one, many] = how === 'fuzzy' || isNegated ? ['line', 'lines'] : ['match', 'matches'];
    const count = `${groupDigits(length)}${scan.isFull ? '+' : ''}`;
    if (scan.fault !== undefined) return 'search stopped: the expression takes too long';
    if (!scan.isDone)
      return `searching ${Math.floor((100 * scan.reached) / scan.bytes.length)}%, ${count} ${many}`;
    const index = this.#current === undefined ? length : scan.hits.lowest(this.#current);
    if (index < length) return `${one} ${groupDigits(index + 1)} of ${count}`;
    return length === 0 ? `no ${one}` : `${count} ${length === 1 ? one : many}`;
  }

  #searchMore(): void {
    const scan = this.#scan;
    if (scan === undefined) return;
    const until = scan.reached + maxTurnBytes;
    const maxHits = scan.hits.length + maxTurnHits;
    // A step with a regular expression can take long, so presses are handled after each step.
    const isSlow = scan.matcher.pattern.how === 'expression';
    do scan.step();
    while (!scan.isDone && !isSlow && scan.reached < until && scan.hits.length < maxHits);
    this.#nextTurn = scan.isDone ? undefined : setImmediate(() => this.#continue());
  }

  #continue(): void {
    this.#searchMore();
    this.#options.progressed();
    this.#deliver();
  }

  #deliver(): void {
    const at = this.#target && this.#findTarget(this.#target);
    if (at === undefined) return;
    this.#target = undefined;
    this.#current = at.offset;
    this.#options.found(at);
  }

  /** Returns the result of a request; undefined until it is known. */
  #findTarget({ from, way }: SeekTarget): SeekResult | undefined {
    const scan = this.#scan;
    if (scan === undefined) return { offset: undefined };
    const { hits, isDone, reached } = scan;
    const next = hits.lowest(from);
    const index = way === 'next' ? next : next - 1;
    const isKnown = way === 'next' ? index < hits.length : index >= 0 && (isDone || reached > from);
    if (isKnown) return { offset: hits.at(index) };
    if (!isDone) return undefined;
    if (scan.fault !== undefined)
      return { offset: undefined, notice: 'The search was stopped, because the expression takes too long.' };
    if (hits.length === 0) return { offset: undefined, notice: `No match for ${this.#typed} in this view.` };
    return way === 'next'
      ? { offset: hits.at(0), notice: 'Continued from the beginning.' }
      : { offset: hits.at(hits.length - 1), notice: 'Continued from the end.' };
  }
}
