/** Asks a terminal whether it is well: it answers when it has drawn all that was written before. */
export const statusRequest = '\u001b[5n';

const statusAnswer = '\u001b[0n';

/** Milliseconds after which a terminal that has not answered is taken to have drawn the question. */
const patience = 500;

/**
 * Distinguishes input typed before a question was on the screen from answers to it. The terminal receives a status query just
 * before the question is written: earlier input arrives before its answer, however slow the line, and input typed at the sight
 * of the question after it.
 */
export class TypedAhead {
  readonly #request: () => void;
  /** Questions that are not on the screen yet, each with the number of its request. */
  readonly #undrawn = new Map<unknown, number>();
  #requests = 0;
  #answers = 0;
  #settled: (() => void) | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(request: () => void) {
    this.#request = request;
  }

  /** Whether what comes now was typed before a question. */
  get isNow(): boolean {
    return this.#undrawn.size > 0;
  }

  /**
   * Resolves when no answer is pending, or it is late: the next reader of the terminal would take one for input. Undefined if
   * none is pending.
   */
  settled(): Promise<void> | undefined {
    if (this.#answers >= this.#requests) return undefined;
    return new Promise((resolve) => {
      this.#settled = resolve;
      setTimeout(resolve, patience);
    });
  }

  /** To be called before the question is written. The returned function ends it. */
  begin(question: unknown): () => void {
    this.#requests++;
    this.#undrawn.set(question, this.#requests);
    this.#request();
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#settle(), patience).unref();
    const end = () => void this.#undrawn.delete(question);
    const timer = setTimeout(end, patience).unref();
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  /** Whether a press is the terminal's answer. */
  takes(press: string): boolean {
    if (press !== statusAnswer) return false;
    if (this.#answers < this.#requests) this.#answers++;
    if (this.#answers === this.#requests) this.#settle();
    for (const [question, number] of this.#undrawn)
      if (number <= this.#answers) this.#undrawn.delete(question);
    return true;
  }

  /** A terminal that has not answered by now may never. */
  #settle(): void {
    this.#answers = this.#requests;
    this.#settled?.();
  }
}
