/**
 * Work that runs side by side within bounds: at most so many pieces, and so many bytes of them in memory, but always
 * one. After the first failure nothing more is started.
 */
export class InFlight {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #failure: { error: unknown } | undefined;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /** Waits until there is room for so many bytes. Throws the first failure of what was started. */
  async room(bytes: number): Promise<void> {
    while (this.#running.size > 0 && !this.#hasRoom(bytes)) await Promise.race(this.#running);
    this.#throwFailure();
  }

  /** Starts a piece of work, for which there is room. */
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

  /** Waits for all that runs, never fails. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Waits for all that runs; throws the first failure. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  #hasRoom(bytes: number): boolean {
    return this.#running.size < this.#most && this.#bytes + bytes <= this.#mostBytes;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
