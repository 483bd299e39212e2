/** Asks a terminal whether it is well: it answers when it has drawn all that was written before. */
export const statusRequest = '\u001b[5n';

const statusAnswer = '\u001b[0n';

/** Milliseconds after which a terminal that has not answered is taken to have drawn the question. */
const patience = 500;

/**
 * Tells what was typed before a question was on the screen from what answers it. The terminal is asked whether it is
 * well just before the question is written: what was typed before comes before its answer, however long the line to it
 * is, and what is typed at the sight of the question comes behind.
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
   * Resolves when no answer is under way any more, or is late: whoever reads the terminal next would take one for something
   * typed. Undefined where none is.
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
