import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../../src/world.ts';
import { changedLines, type SpokenLine } from './changed-lines.ts';
import { ScreenStream, type WindowSize, type WriteCallback } from './screen-stream.ts';

/** Milliseconds within which the frames of one change arrive. */
const settleMs = 60;

/** Milliseconds after which a number that changes automatically is read aloud again. */
const numberIntervalMs = 10_000;

/**
 * The standard output for a screen reader. For each frame from Ink, the stream writes the new lines and the selected
 * line. Nothing is erased, and the cursor stays after the last line.
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

  /** A width that fits long names and values, because nothing is drawn side by side. */
  protected override windowSize(): WindowSize {
    return { columns: 240, rows: 24 };
  }

  /** Called when the user types: the next change is the response to the input. */
  readonly onInput = (): void => {
    this.#hasInput = true;
  };

  /** Reads everything aloud again. */
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

/** Ink's text for `aria-state`, after the mark of a choice. */
const selectedPattern = /^(?:> )?\(selected\) /;

/** Returns a line of a frame as text, without borders. A field's cursor is inverse. */
function toSpokenLine(line: string): SpokenLine {
  const text = stripVTControlCharacters(line)
    .replaceAll(/[\u2500-\u257f]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isMarked = selectedPattern.test(text) || line.includes('\u001b[7m');
  return { text: text.replace(selectedPattern, '').replace(/^> /, ''), isMarked };
}
