import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../../src/world.ts';
import { changedLines, type SpokenLine } from './changed-lines.ts';
import { ScreenStream, type WindowSize, type WrittenTo } from './screen-stream.ts';

/** Milliseconds within which the frames of one change arrive. */
const settles = 60;

/** Milliseconds after which a number that changes automatically is read aloud again. */
const tellsAgain = 10_000;

/**
 * The standard output for a screen reader. Of each frame from Ink it writes the lines that are new and the selected line. Nothing
 * is erased, and the cursor stays after the last line.
 */
export class LinearStream extends ScreenStream {
  override readonly followsWindow = false;
  readonly #out: OutputStream;
  readonly #now: () => number;
  #before: readonly SpokenLine[] = [];
  #frame: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = true;
  #toldAt = 0;

  constructor(stdout: OutputStream, now: () => number) {
    super(stdout);
    this.#out = stdout;
    this.#now = now;
  }

  /** Wide enough for long names and values, because nothing is drawn side by side. */
  protected override windowSize(): WindowSize {
    return { columns: 240, rows: 24 };
  }

  /** Called when something is typed: the next change is the response to it. */
  readonly asked = (): void => {
    this.#isAsked = true;
  };

  /** Reads everything aloud again. */
  override erase(): void {
    this.#before = [];
    this.#isAsked = true;
  }

  override write(
    text: Uint8Array | string,
    encoding?: BufferEncoding | WrittenTo,
    written?: WrittenTo,
  ): boolean {
    const frame = text.toString();
    const done = typeof encoding === 'function' ? encoding : written;
    if (stripVTControlCharacters(frame).trim() === '') return this.#out.write(frame, done);
    this.#frame = frame;
    this.#timer ??= setTimeout(() => this.#tell(), settles);
    if (done !== undefined) queueMicrotask(done);
    return true;
  }

  #tell(): void {
    this.#timer = undefined;
    const lines = (this.#frame ?? '').split('\n').map(spoken);
    const isLate = this.#now() - this.#toldAt >= tellsAgain;
    const told = changedLines(this.#before, lines, { countsNumbers: this.#isAsked || isLate });
    if (told === undefined) return;
    this.#before = lines;
    this.#isAsked = false;
    this.#toldAt = this.#now();
    if (told.length > 0) this.#out.write(told.map((line) => `${line}\n`).join(''));
  }
}

/** Ink's text for `aria-state`, after the mark of a choice. */
const selected = /^(?:> )?\(selected\) /;

/** Returns a line of a frame as text, without borders. A field's cursor is inverse. */
function spoken(line: string): SpokenLine {
  const text = stripVTControlCharacters(line)
    .replaceAll(/[\u2500-\u257f]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isMarked = selected.test(text) || line.includes('\u001b[7m');
  return { text: text.replace(selected, '').replace(/^> /, ''), isMarked };
}
