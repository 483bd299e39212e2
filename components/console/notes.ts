/**
 * Messages that sessions give while they work. The last one that nobody listened to is kept for the next listener.
 * Messages during calls end with the last of these calls, or as soon as one fails: its problem is shown instead.
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
