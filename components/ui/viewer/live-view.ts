import { isProblem } from '../../../src/model/problem.ts';
import { escapeText } from '../../../src/text/escape.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { LiveReading } from '../live/live-reading.ts';
import { isSource, type Lines } from './source.ts';

/** Milliseconds for which changes are highlighted. */
const highlightMs = 3000;

/** Bytes per additional request. */
const largeBytes = 1024 * 1024;

interface Options {
  /** The document on the screen. */
  shown(): Lines | undefined;
  /** Rereads the document and shows the result. */
  read(): Promise<void>;
  /** Highlights these bytes; undefined for none. */
  mark(changed: Range | undefined): void;
}

/** Keeps a document up to date at the user's request, and briefly highlights changes. */
export class LiveView {
  readonly #reading: LiveReading;
  readonly #options: Options;
  readonly #parts: Pick<PaneParts, 'world' | 'pulse' | 'notify'>;
  #isReading = false;
  #mayRead = false;
  #highlight = new AbortController();

  constructor(parts: Pick<PaneParts, 'world' | 'pulse' | 'notify'>, options: Options) {
    this.#parts = parts;
    this.#options = options;
    this.#reading = new LiveReading({
      ...parts,
      cost: () => 1 + Math.floor((bytesIn(options.shown())?.length ?? 0) / largeBytes),
      read: () => void this.#read(),
      changed: () => options.mark(undefined),
    });
  }

  get words(): string {
    return this.#reading.words;
  }

  toggle(): void {
    this.#reading.toggle();
  }

  /** Called after each event with whether a reading is allowed: it must not disturb the user. */
  follow(mayRead: boolean): void {
    this.#mayRead = mayRead;
    this.#reading.follow(mayRead && !this.#isReading);
  }

  stop(): void {
    this.#reading.stop();
    this.#highlight.abort();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const before = bytesIn(this.#options.shown());
    try {
      await this.#options.read();
      const after = bytesIn(this.#options.shown());
      const changed = before && after && changedRange(before, after);
      if (changed !== undefined) this.#show(changed);
    } catch (error) {
      if (!isProblem(error)) throw error;
      this.#reading.pause();
      this.#parts.notify(`No longer live: ${escapeText(error.message)} Press r to reload.`, 'failed');
    } finally {
      this.#isReading = false;
      this.follow(this.#mayRead);
    }
  }

  #show(changed: Range): void {
    this.#highlight.abort();
    this.#highlight = new AbortController();
    this.#options.mark(changed);
    this.#parts.world
      .sleep(highlightMs, this.#highlight.signal)
      .then(() => this.#options.mark(undefined))
      .catch(() => undefined);
  }
}

function bytesIn(lines: Lines | undefined): Uint8Array | undefined {
  return lines !== undefined && isSource(lines) ? lines.bytes : undefined;
}

/** Returns the range of bytes that changed; undefined if nothing changed. */
export function changedRange(before: Uint8Array, after: Uint8Array): Range | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return head === after.length - tail ? undefined : [head, after.length - tail];
}
