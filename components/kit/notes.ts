import type { Problem } from '../../src/model/problem.ts';
import type { Messages } from './messages.ts';

/**
 * Passes notes of sessions to a listener. Without a listener, keeps the last note for the next listener. A note sent during calls is
 * cleared when all running calls have ended, or when a call fails and its problem is shown instead. All notes and all failed calls are
 * recorded as messages.
 */
export class Notes {
  readonly #messages: Messages;
  #unseen: string | undefined;
  #listener: ((message: string | undefined) => void) | undefined;
  #calls = 0;
  #passing = false;
  readonly #afterExit: string[] = [];

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  add(message: string): void {
    this.#messages.add({ tone: 'told', text: message });
    this.#passing = this.#calls > 0;
    if (this.#listener === undefined) this.#unseen = message;
    else this.#listener(message);
  }

  /** Calls a listener with each note, or with undefined when the note is cleared, until the returned function is called. */
  listen(listener: (message: string | undefined) => void): () => void {
    this.#listener = listener;
    if (this.#unseen !== undefined) listener(this.#unseen);
    this.#unseen = undefined;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Messages about interrupted writes, printed after the console has exited. */
  get afterExit(): readonly string[] {
    return this.#afterExit;
  }

  /** Adds a message to print on the terminal after the console has exited. */
  leave(message: string): void {
    this.#afterExit.push(message);
  }

  /**
   * Counts a call as running until the returned function is called. If the call has failed, the returned function must be called with the
   * problem.
   */
  begin(): (failure?: Problem) => void {
    this.#calls++;
    return (failure) => {
      this.#calls--;
      if (failure !== undefined) this.#messages.addProblem(failure);
      if (failure !== undefined || (this.#passing && this.#calls === 0)) this.#listener?.(undefined);
    };
  }
}
