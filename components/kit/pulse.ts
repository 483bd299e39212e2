import { isScarce, type RequestsLeft } from '../../src/model/budget.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { Send } from '../../src/v4/send.ts';

/**
 * The state of the connection. `retrying`: a call is being retried. `offline`: the last call got no response. `refused`: one of the last
 * calls was rejected as not signed in or not permitted. `slow`: one of the last calls was slow, or a running call is slow.
 */
export type Connectivity = 'ok' | 'slow' | 'retrying' | 'refused' | 'offline';

/** Milliseconds after which a response counts as slow. */
export const slowAfterMs = 3000;

/** Watches the calls of a session. Calls that overlap in time form a run, whose result is shown until a call of a newer run ends. */
export class Pulse {
  readonly #session: Pick<Session, 'retries' | 'requestsLeft'>;
  readonly #listeners = new Set<() => void>();
  #calls = 0;
  #questions = 0;
  /** Functions that restart the timers after which running calls count as slow. */
  readonly #restarts = new Set<() => void>();
  #isOffline = false;
  /** The current or last run, and the run whose result is shown. */
  #run: Run = { isRefused: false, isSlow: false };
  #shown: Run = this.#run;
  #settledRetries = 0;
  #shownLeft: RequestsLeft | undefined;

  constructor(session: Pick<Session, 'retries' | 'requestsLeft'>) {
    this.#session = session;
  }

  get connectivity(): Connectivity {
    if (this.#calls > 0 && this.#session.retries() > this.#settledRetries) return 'retrying';
    if (this.#isOffline) return 'offline';
    if (this.#shown.isRefused) return 'refused';
    return this.#shown.isSlow ? 'slow' : 'ok';
  }

  /** Returns the requests left; undefined if requests are not limited. */
  requestsLeft(): RequestsLeft | undefined {
    return this.#session.requestsLeft?.();
  }

  /**
   * Returns the requests left, for display. The number changes only in steps of a tenth of the limit, so that a refresh that finds nothing
   * new does not change the screen.
   */
  get shownRequestsLeft(): RequestsLeft | undefined {
    const now = this.requestsLeft();
    const before = this.#shownLeft;
    const isNear =
      now !== undefined &&
      before?.of === now.of &&
      Math.abs(now.left - before.left) < now.of / 10 &&
      isScarce(now) === isScarce(before);
    if (!isNear) this.#shownLeft = now;
    return this.#shownLeft;
  }

  /** Calls a listener when the state may have changed, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks the user during calls. The time that the user takes to answer does not count towards the calls' response time. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#questions++;
    try {
      return await ask();
    } finally {
      this.#questions--;
      if (this.#questions === 0) for (const restart of this.#restarts) restart();
    }
  }

  /** Wraps a send function to watch its calls. */
  watch(send: Send): Send {
    return async (call) => {
      const run = this.#begin();
      let late: NodeJS.Timeout | undefined;
      const restart = () => {
        clearTimeout(late);
        late = setTimeout(() => {
          if (this.#questions > 0) return;
          run.isSlow = true;
          this.#show(run);
        }, slowAfterMs);
      };
      restart();
      this.#restarts.add(restart);
      try {
        const answer = await send(call);
        this.#isOffline = false;
        if (answer.status === 401 || answer.status === 403) run.isRefused = true;
        return answer;
      } catch (error) {
        const code = isProblem(error) ? error.code : undefined;
        if (code === 'unreachable') this.#isOffline = true;
        if (code === 'not-signed-in' || code === 'not-permitted') run.isRefused = true;
        throw error;
      } finally {
        clearTimeout(late);
        this.#restarts.delete(restart);
        this.#calls--;
        this.#settledRetries = this.#session.retries();
        this.#show(run);
      }
    };
  }

  /** Joins the current run of calls, or starts a new run. */
  #begin(): Run {
    if (this.#calls === 0) this.#run = { isRefused: false, isSlow: false };
    this.#calls++;
    return this.#run;
  }

  #show(run: Run): void {
    this.#shown = run;
    for (const listener of this.#listeners) listener();
  }
}

/** The result of a run, which consists of calls that overlap in time. */
interface Run {
  isRefused: boolean;
  isSlow: boolean;
}
