/**
 * What sessions tell of on their way. The last that was told while nobody listened is kept for who comes. What is told
 * while calls are under way ends with the last of them, or as soon as one fails: the problem takes its place.
 */
export class Notes {
  #missed: string | undefined;
  #listener: ((message: string | undefined) => void) | undefined;
  #calls = 0;
  #passing = false;

  tell(message: string): void {
    this.#passing = this.#calls > 0;
    if (this.#listener === undefined) this.#missed = message;
    else this.#listener(message);
  }

  /** Listens until the returned function is called; undefined says that what was told has ended. */
  listen(listener: (message: string | undefined) => void): () => void {
    this.#listener = listener;
    if (this.#missed !== undefined) listener(this.#missed);
    this.#missed = undefined;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Counts a call as under way until the returned function is called with whether it failed. */
  begin(): (failed: boolean) => void {
    this.#calls++;
    return (failed) => {
      this.#calls--;
      if (failed || (this.#passing && this.#calls === 0)) this.#listener?.(undefined);
    };
  }
}
