import type { Problem } from '../../src/model/problem.ts';
import type { Messages } from './messages.ts';

/**
 * Messages that sessions give while they work. The last one that nobody listened to is kept for the next listener.
 * Messages during calls end with the last of these calls, or as soon as one fails: its problem is shown instead.
 * All are kept as messages, and so are the failures of calls.
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

  /** Listens until the returned function is called; undefined says that what was told has ended. */
  listen(listener: (message: string | undefined) => void): () => void {
    this.#listener = listener;
    if (this.#missed !== undefined) listener(this.#missed);
    this.#missed = undefined;
    return () => {
      this.#listener = undefined;
    };
  }

  /** What was cut short by the end of the console, to be told behind it. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** Keeps a message for whoever reads the terminal after the console has ended. */
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
