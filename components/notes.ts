/** What sessions tell of on their way. The last that was told while nobody listened is kept for who comes. */
export class Notes {
  #missed: string | undefined;
  #listener: ((message: string) => void) | undefined;

  tell(message: string): void {
    if (this.#listener === undefined) this.#missed = message;
    else this.#listener(message);
  }

  /** Listens until the returned function is called. */
  listen(listener: (message: string) => void): () => void {
    this.#listener = listener;
    if (this.#missed !== undefined) listener(this.#missed);
    this.#missed = undefined;
    return () => {
      this.#listener = undefined;
    };
  }
}
