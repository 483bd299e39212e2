import type { Problem } from '../../src/model/problem.ts';
import type { Messages } from './messages.ts';

/**
 * Notes of sessions while they work. The last note without a listener is kept for the next listener. Notes during calls end
 * with the last of these calls, or when one fails: its problem is shown instead. All notes and all failures of calls are kept
 * as messages.
 */
export class Notes {
  readonly #messages: Messages;
  #missed: string | undefined;
  #listener: ((message: string | undefined) => void) | undefined;
  #calls = 0;
  #passing = false;
  readonly #left: string[] = [];

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  tell(message: string): void {
    this.#messages.add({ tone: 'told', text: message });
    this.#passing = this.#calls > 0;
    if (this.#listener === undefined) this.#missed = message;
    else this.#listener(message);
  }

  /** Listens until the returned function is called; undefined says that the note has ended. */
  listen(listener: (message: string | undefined) => void): () => void {
    this.#listener = listener;
    if (this.#missed !== undefined) listener(this.#missed);
    this.#missed = undefined;
    return () => {
      this.#listener = undefined;
    };
  }

  /** The writes that the console's end cut short, printed after it. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** Keeps a message for the reader of the terminal after the console has ended. */
  leave(message: string): void {
    this.#left.push(message);
  }

  /** Counts a call as under way until the returned function is called, with its failure if it failed. */
  begin(): (failure?: Problem) => void {
    this.#calls++;
    return (failure) => {
      this.#calls--;
      if (failure !== undefined) this.#messages.addProblem(failure);
      if (failure !== undefined || (this.#passing && this.#calls === 0)) this.#listener?.(undefined);
    };
  }
}
