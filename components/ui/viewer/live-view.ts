import { isProblem } from '../../../src/model/problem.ts';
import { escapeText } from '../../../src/text/escape.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { LiveReading } from '../live/live-reading.ts';
import { isSource, type Lines } from './source.ts';

/** Milliseconds for which changes are highlighted. */
const glow = 3000;

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
  #may = false;
  #glow = new AbortController();

  constructor(parts: Pick<PaneParts, 'world' | 'pulse' | 'notify'>, options: Options) {
    this.#parts = parts;
    this.#options = options;
    this.#reading = new LiveReading({
      ...parts,
      cost: () => 1 + Math.floor((bytesOf(options.shown())?.length ?? 0) / largeBytes),
      read: () => void this.#read(),
      told: () => options.mark(undefined),
    });
  }

  get words(): string {
    return this.#reading.words;
  }

  toggle(): void {
    this.#reading.toggle();
  }

  /** Called after each event with whether a reading is allowed: it must not disturb the user. */
  follow(may: boolean): void {
    this.#may = may;
    this.#reading.follow(may && !this.#isReading);
  }

  stop(): void {
    this.#reading.stop();
    this.#glow.abort();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const before = bytesOf(this.#options.shown());
    try {
      await this.#options.read();
      const after = bytesOf(this.#options.shown());
      const changed = before && after && changedStretch(before, after);
      if (changed !== undefined) this.#show(changed);
    } catch (error) {
      if (!isProblem(error)) throw error;
      this.#reading.pause();
      this.#parts.notify(`No longer live: ${escapeText(error.message)} Press r to reload.`, 'failed');
    } finally {
      this.#isReading = false;
      this.follow(this.#may);
    }
  }

  #show(changed: Range): void {
    this.#glow.abort();
    this.#glow = new AbortController();
    this.#options.mark(changed);
    this.#parts.world
      .sleep(glow, this.#glow.signal)
      .then(() => this.#options.mark(undefined))
      .catch(() => undefined);
  }
}

function bytesOf(lines: Lines | undefined): Uint8Array | undefined {
  return lines !== undefined && isSource(lines) ? lines.bytes : undefined;
}

/** Returns the range of bytes that changed; undefined if nothing changed. */
export function changedStretch(before: Uint8Array, after: Uint8Array): Range | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return head === after.length - tail ? undefined : [head, after.length - tail];
}
