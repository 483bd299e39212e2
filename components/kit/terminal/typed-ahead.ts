/** The device status query, which a terminal answers after it has drawn everything written earlier. */
export const statusRequest = '\u001b[5n';

const statusAnswer = '\u001b[0n';

/** Milliseconds after which a terminal that has not answered is assumed to have drawn the question. */
const answerTimeoutMs = 500;

/**
 * Distinguishes input typed before a question was on the screen from answers to the question. A status query is sent to the terminal just
 * before the question. However slow the connection is, earlier input arrives before the answer to the query, and later input after it.
 */
export class TypedAhead {
  readonly #request: () => void;
  /** Questions that are not yet on the screen, each with the number of its status query. */
  readonly #undrawn = new Map<unknown, number>();
  #requests = 0;
  #answers = 0;
  #settled: (() => void) | undefined;
  #timeout: NodeJS.Timeout | undefined;

  constructor(request: () => void) {
    this.#request = request;
  }

  /** Whether input that arrives now was typed before a question was drawn. */
  get isPending(): boolean {
    return this.#undrawn.size > 0;
  }

  /**
   * Returns a promise that resolves when no answer is pending or a timeout has passed; undefined if no answer is pending. Without this
   * wait, the next program on the terminal would read the answer as input.
   */
  settled(): Promise<void> | undefined {
    if (this.#answers >= this.#requests) return undefined;
    return new Promise((resolve) => {
      this.#settled = resolve;
      setTimeout(resolve, answerTimeoutMs);
    });
  }

  /** Must be called before the question is written. The returned function stops waiting for the question to be drawn. */
  begin(question: unknown): () => void {
    this.#requests++;
    this.#undrawn.set(question, this.#requests);
    this.#request();
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(() => this.#settle(), answerTimeoutMs).unref();
    const end = () => void this.#undrawn.delete(question);
    const timer = setTimeout(end, answerTimeoutMs).unref();
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  /** Returns whether a press is the terminal's answer to a status query, and if so, counts the answer. */
  consumeAnswer(press: string): boolean {
    if (press !== statusAnswer) return false;
    if (this.#answers < this.#requests) this.#answers++;
    if (this.#answers === this.#requests) this.#settle();
    for (const [question, number] of this.#undrawn)
      if (number <= this.#answers) this.#undrawn.delete(question);
    return true;
  }

  /** Stops waiting for answers: the terminal may never answer. */
  #settle(): void {
    this.#answers = this.#requests;
    this.#settled?.();
  }
}
