import type { Problem } from '../../src/model/problem.ts';
import type { Messages } from './messages.ts';

/**
 * Progress notes from sessions. If nobody listens, the last note is kept for the next listener. A note sent during calls is
 * cleared when the last of these calls ends, or when one fails and its problem is shown instead. All notes and all failed calls
 * are recorded as messages.
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

  /** Listens until the returned function is called. The listener receives undefined when the note is cleared. */
  listen(listener: (message: string | undefined) => void): () => void {
    this.#listener = listener;
    if (this.#missed !== undefined) listener(this.#missed);
    this.#missed = undefined;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Messages about interrupted writes, printed after the console has exited. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** Saves a message to print on the terminal after the console has exited. */
  leave(message: string): void {
    this.#left.push(message);
  }

  /** Counts a call as running until the returned function is called, with the problem if the call failed. */
  begin(): (failure?: Problem) => void {
    this.#calls++;
    return (failure) => {
      this.#calls--;
      if (failure !== undefined) this.#messages.addProblem(failure);
      if (failure !== undefined || (this.#passing && this.#calls === 0)) this.#listener?.(undefined);
    };
  }
}
