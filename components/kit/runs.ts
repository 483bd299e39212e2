import { asProblem, type Problem } from '../../src/model/problem.ts';
import type { Notes } from './notes.ts';

/** One run of a service function, and the handlers of its result. */
export interface Run<T> {
  /** The name of the run. A new run aborts any unfinished run with the same name. */
  readonly name: string;
  /** A message to print after the console has exited if the run was still running. */
  readonly cutShort?: string | undefined;
  work(signal: AbortSignal): Promise<T>;
  done(value: T): void;
  failed(problem: Problem): void;
  /** Called instead of `done` if an aborted run succeeds anyway, because its writes have taken effect. */
  doneAfterAbort?(value: T): void;
}

export type RunNotes = Pick<Notes, 'begin' | 'leave'>;

/** Runs service functions for a pane. A result that arrives after an abort is passed only to `doneAfterAbort`. */
export class Runs {
  readonly #notes: RunNotes;
  readonly #running = new Map<string, { readonly run: Pick<Run<unknown>, 'cutShort'>; abort(): void }>();

  constructor(notes: RunNotes) {
    this.#notes = notes;
  }

  readonly start = <T>(run: Run<T>): void => {
    const controller = new AbortController();
    this.#running.get(run.name)?.abort();
    this.#running.set(run.name, { run, abort: () => controller.abort() });
    void this.#execute(run, controller.signal);
  };

  /** Aborts a run and drops its result. */
  abort(name: string): void {
    this.#running.get(name)?.abort();
    this.#running.delete(name);
  }

  abortAll(): void {
    for (const { run, abort } of this.#running.values()) {
      if (run.cutShort !== undefined) this.#notes.leave(run.cutShort);
      abort();
    }
    this.#running.clear();
  }

  async #execute<T>(run: Run<T>, signal: AbortSignal): Promise<void> {
    const end = this.#notes.begin();
    const outcome = await run.work(signal).then(
      (value) => ({ value }),
      (error: unknown) => ({ problem: asProblem(error) }),
    );
    end('problem' in outcome && !signal.aborted ? outcome.problem : undefined);
    if (signal.aborted) {
      if ('value' in outcome) run.doneAfterAbort?.(outcome.value);
      return;
    }
    this.#running.delete(run.name);
    if ('problem' in outcome) run.failed(outcome.problem);
    else run.done(outcome.value);
  }
}
