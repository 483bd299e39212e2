import { isProblem } from '../../../src/model/problem.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { LiveReading } from '../live/live-reading.ts';
import { isSource, type Lines } from './source.ts';

/** Milliseconds for which changes are highlighted. */
const highlightMs = 3000;

/** Number of bytes that count as an additional request. */
const largeBytes = 1024 * 1024;

interface Options {
  /** Returns the document on the screen; undefined if there is none. */
  shown(): Lines | undefined;
  /** Returns when the document was read, in milliseconds; undefined if unknown. */
  readAt(): number | undefined;
  /** Rereads the document, shows the result, and resolves with whether it has changed. */
  read(): Promise<boolean>;
  /** Highlights these bytes; undefined for none. */
  mark(changed: Range | undefined): void;
  /** Called when refreshing is paused or resumed, or starts or stops saving requests. */
  switched(): void;
}

/** Keeps a document up to date while it is on the screen, and briefly highlights changes. */
export class LiveView {
  readonly #reading: LiveReading;
  readonly #options: Options;
  readonly #parts: Pick<PaneParts, 'world' | 'notify'>;
  #hasFailed = false;
  #highlight = new AbortController();

  constructor(parts: Pick<PaneParts, 'world' | 'pulse' | 'live' | 'notify'>, options: Options) {
    this.#parts = parts;
    this.#options = options;
    this.#reading = new LiveReading({
      ...parts,
      cost: () => 1 + Math.floor((bytesIn(options.shown())?.length ?? 0) / largeBytes),
      readAt: options.readAt,
      read: () => void this.#read(),
      changed: options.switched,
    });
  }

  get words(): string {
    return this.#reading.words;
  }

  get liveForMs(): number | undefined {
    return this.#reading.liveForMs;
  }

  /** Follows the switch for automatic refreshing until the returned function is called. */
  open(): () => void {
    const close = this.#reading.open();
    return () => {
      close();
      this.#highlight.abort();
    };
  }

  /** Must be called after each event. `mayRead`: whether a read is allowed, because it would not disturb the user. */
  follow(mayRead: boolean): void {
    this.#reading.follow(mayRead);
  }

  async #read(): Promise<void> {
    const before = bytesIn(this.#options.shown());
    try {
      const isNew = await this.#options.read();
      const after = bytesIn(this.#options.shown());
      const changed = before && after && changedRange(before, after);
      if (changed !== undefined) this.#show(changed);
      this.#hasFailed = false;
      this.#reading.ended(isNew ? 'changed' : 'same');
    } catch (error) {
      if (!isProblem(error)) throw error;
      // Reports only the first of several consecutive failures, because the age of the document shows that reading fails.
      if (!this.#hasFailed)
        this.#parts.notify(`Not refreshed: ${error.message} Press r to reload.`, 'refused');
      this.#hasFailed = true;
      this.#reading.ended('failed');
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

/** Returns the range of bytes in `after` that contains all changes; undefined if nothing has changed. */
export function changedRange(before: Uint8Array, after: Uint8Array): Range | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return head === after.length - tail ? undefined : [head, after.length - tail];
}
