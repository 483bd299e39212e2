import type { RequestsLeft } from '../../src/model/budget.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { Send } from '../../src/v4/send.ts';

/** How a session stands with its platform: `retrying` while a call is being repeated, `offline` after one had no answer. */
export type Connectivity = 'ok' | 'retrying' | 'offline';

/** Watches the calls of a session. */
export class Pulse {
  readonly #session: Pick<Session, 'retries' | 'requestsLeft'>;
  readonly #listeners = new Set<() => void>();
  #calls = 0;
  #isOffline = false;
  #settledRetries = 0;

  constructor(session: Pick<Session, 'retries' | 'requestsLeft'>) {
    this.#session = session;
  }

  get connectivity(): Connectivity {
    if (this.#calls > 0 && this.#session.retries() > this.#settledRetries) return 'retrying';
    return this.#isOffline ? 'offline' : 'ok';
  }

  /** Undefined where nothing limits them. */
  requestsLeft(): RequestsLeft | undefined {
    return this.#session.requestsLeft?.();
  }

  /** Calls a listener when calls have ended, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The same calls, watched. */
  watch(send: Send): Send {
    return async (call) => {
      this.#calls++;
      try {
        const answer = await send(call);
        this.#isOffline = false;
        return answer;
      } catch (error) {
        if (isProblem(error) && error.code === 'unreachable') this.#isOffline = true;
        throw error;
      } finally {
        this.#calls--;
        this.#settledRetries = this.#session.retries();
        for (const listener of this.#listeners) listener();
      }
    };
  }
}
