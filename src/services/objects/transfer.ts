import { keepYoungHeap } from '../../heap.ts';
import type { Progress, Reporter } from '../../model/progress.ts';
import type { Session } from '../session/session.ts';

/** Counts the bytes of a transfer, of one object or of many side by side, and tells whoever watches. */
export class Transfer {
  readonly #session: Pick<Session, 'retries'>;
  readonly #reporter: Reporter;
  readonly #phase: string;
  readonly #total: number | undefined;
  #done = 0;

  constructor(
    session: Pick<Session, 'retries'>,
    reporter: Reporter,
    phase: string,
    total: number | undefined,
  ) {
    keepYoungHeap();
    this.#session = session;
    this.#reporter = reporter;
    this.#phase = phase;
    this.#total = total;
  }

  /** Bytes that have gone through. */
  get done(): number {
    return this.#done;
  }

  /** An opener whose bytes are counted; what an earlier try counted is taken back when it opens again. */
  tracked(open: () => AsyncIterable<Uint8Array>): () => AsyncIterable<Uint8Array> {
    const { over, restart } = this.track();
    return () => {
      restart();
      return over(open());
    };
  }

  /** The same bytes, counted as they are read. What was counted for an earlier try is taken back by `restart`. */
  track(): { over(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>; restart(): void } {
    let counted = 0;
    const add = (bytes: number) => {
      counted += bytes;
      this.#done += bytes;
      this.#reporter.progress(this.#state());
    };
    return {
      async *over(body) {
        for await (const chunk of body) {
          add(chunk.length);
          yield chunk;
        }
      },
      restart: () => add(-counted),
    };
  }

  /** Counts bytes that need not go through here; gives `result` back. */
  skip<T>(bytes: number, result: T): T {
    this.#done += bytes;
    this.#reporter.progress(this.#state());
    return result;
  }

  #state(): Progress {
    return {
      phase: this.#phase,
      unit: 'bytes',
      done: this.#done,
      total: this.#total,
      retries: this.#session.retries(),
      failed: 0,
    };
  }
}
