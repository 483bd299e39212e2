import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../../src/world.ts';
import { changedLines, type SpokenLine } from './changed-lines.ts';
import { ScreenStream, type WindowSize, type WriteCallback } from './screen-stream.ts';

/** Milliseconds to wait for further frames of the same change. */
const settleMs = 60;

/** Minimum number of milliseconds before numbers that change without input are read aloud again. */
const numberIntervalMs = 10_000;

/**
 * The standard output for a screen reader. After each change, writes the new lines and a newly selected line. Erases nothing, and leaves
 * the cursor after the last line.
 */
export class LinearStream extends ScreenStream {
  override readonly followsWindow = false;
  readonly #out: OutputStream;
  readonly #now: () => number;
  #before: readonly SpokenLine[] = [];
  #frame: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasInput = true;
  #printedAt = 0;

  constructor(stdout: OutputStream, now: () => number) {
    super(stdout);
    this.#out = stdout;
    this.#now = now;
  }

  /** Returns a size whose width fits long names and values, because nothing is drawn side by side. */
  protected override windowSize(): WindowSize {
    return { columns: 240, rows: 24 };
  }

  /** Must be called for typed input: the next change is then the response to the input. */
  readonly onInput = (): void => {
    this.#hasInput = true;
  };

  /** Makes the next frame count as new, so that it is read aloud completely. */
  override erase(): void {
    this.#before = [];
    this.#hasInput = true;
  }

  override write(
    text: Uint8Array | string,
    encoding?: BufferEncoding | WriteCallback,
    written?: WriteCallback,
  ): boolean {
    const frame = text.toString();
    const done = typeof encoding === 'function' ? encoding : written;
    if (stripVTControlCharacters(frame).trim() === '') return this.#out.write(frame, done);
    this.#frame = frame;
    this.#timer ??= setTimeout(() => this.#printChanges(), settleMs);
    if (done !== undefined) queueMicrotask(done);
    return true;
  }

  #printChanges(): void {
    this.#timer = undefined;
    const lines = (this.#frame ?? '').split('\n').map(toSpokenLine);
    const isLate = this.#now() - this.#printedAt >= numberIntervalMs;
    const changed = changedLines(this.#before, lines, { countsNumbers: this.#hasInput || isLate });
    if (changed === undefined) return;
    this.#before = lines;
    this.#hasInput = false;
    this.#printedAt = this.#now();
    if (changed.length > 0) this.#out.write(changed.map((line) => `${line}\n`).join(''));
  }
}

/** The prefix that Ink writes for `aria-state`, after the mark of a choice. */
const selectedPattern = /^(?:> )?\(selected\) /;

/** Converts a line of a frame to text without borders. An inverse part means that the line contains a field's cursor. */
function toSpokenLine(line: string): SpokenLine {
  const text = stripVTControlCharacters(line)
    .replaceAll(/[\u2500-\u257f]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isMarked = selectedPattern.test(text) || line.includes('\u001b[7m');
  return { text: text.replace(selectedPattern, '').replace(/^> /, ''), isMarked };
}
