/** The device status query. A terminal answers the query after drawing everything that was written earlier. */
export const statusRequest = '\u001b[5n';

const statusAnswer = '\u001b[0n';

/** Milliseconds after which a terminal without an answer is assumed to have drawn the question. */
const answerTimeoutMs = 500;

/**
 * Distinguishes input typed before a question was on the screen from answers to the question. The terminal receives a status query just
 * before the question is written. Input typed earlier arrives before the status answer, however slow the connection is; input typed later
 * arrives after the status answer.
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
   * Resolves when no answer is pending or the timeout has passed. Without this wait, the next program on the terminal would read the answer
   * as input. Returns undefined if no answer is pending.
   */
  settled(): Promise<void> | undefined {
    if (this.#answers >= this.#requests) return undefined;
    return new Promise((resolve) => {
      this.#settled = resolve;
      setTimeout(resolve, answerTimeoutMs);
    });
  }

  /** Call this before writing the question. The returned function cancels the query. */
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

  /** Consumes a press if it is the terminal's answer, and returns whether it was. */
  consumeAnswer(press: string): boolean {
    if (press !== statusAnswer) return false;
    if (this.#answers < this.#requests) this.#answers++;
    if (this.#answers === this.#requests) this.#settle();
    for (const [question, number] of this.#undrawn)
      if (number <= this.#answers) this.#undrawn.delete(question);
    return true;
  }

  /** Stops waiting: the terminal may never answer. */
  #settle(): void {
    this.#answers = this.#requests;
    this.#settled?.();
  }
}
