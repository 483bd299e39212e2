import { freezeYoungHeap } from '../../heap.ts';
import type { Progress, Reporter } from '../../model/progress.ts';
import type { Session } from '../session/session.ts';

/** A counter of the transferred bytes of one or more objects, which also reports the progress. */
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
    freezeYoungHeap();
    this.#session = session;
    this.#reporter = reporter;
    this.#phase = phase;
    this.#total = total;
  }

  /** Number of transferred bytes. */
  get done(): number {
    return this.#done;
  }

  /** Returns a function that opens a body and counts its bytes. Each call subtracts the bytes of the previous call. */
  tracked(open: () => AsyncIterable<Uint8Array>): () => AsyncIterable<Uint8Array> {
    const { over, restart } = this.track();
    return () => {
      restart();
      return over(open());
    };
  }

  /** Returns `over`, which counts the bytes of a body as they are read, and `restart`, which subtracts the bytes counted so far. */
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

  /** Counts bytes that do not pass through this machine. Returns `result`. */
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
