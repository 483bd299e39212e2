/**
 * A pool of parallel jobs, which limits the number of jobs and the number of bytes in memory. A single job may exceed the maximum number of
 * bytes. After a failure, `room` throws, so callers start no further jobs.
 */
export class InFlight {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { error: unknown } | undefined;

  constructor(maxCount: number, maxBytes: number) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
  }

  /** Waits until another job with this many bytes can start. Throws the first failure of a started job. */
  async room(bytes: number): Promise<void> {
    while (this.#running.size > 0 && !this.#hasRoom(bytes)) await Promise.race(this.#running);
    this.#throwFailure();
  }

  /** Starts a job. Callers must call `room` first. */
  start(bytes: number, work: () => Promise<void>): void {
    this.#bytes += bytes;
    const running = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytes -= bytes;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Waits for all running jobs. Never throws. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Waits for all running jobs. Throws the first failure. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  #hasRoom(bytes: number): boolean {
    return this.#running.size < this.#maxCount && this.#bytes + bytes <= this.#maxBytes;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
