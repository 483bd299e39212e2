import { setTimeout as wait } from 'node:timers/promises';
import type { HeldAnswer } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { asProblem, Problem } from '../../src/model/problem.ts';
import type { HeldDetail } from '../../src/services/guard/approvals.ts';
import { hasGuards } from '../../src/services/guard/guards-folder.ts';
import type { WriteQuestions } from '../../src/services/guard/write-questions.ts';
import type { World } from '../../src/world.ts';

/** Milliseconds between two reads. A guard counts a console as open for 4 s after the console's last read. */
const pollMs = 1000;

/**
 * Watches the requests that this user's guards hold, and this console's writes that require approval. Each read notifies the guards that a
 * person can answer in an open console.
 */
export class HeldWatch {
  readonly #world: Pick<World, 'folders' | 'sleep'>;
  readonly #note: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #own: WriteQuestions;
  #rows: readonly HeldRequest[] = [];
  #guarded: readonly HeldRequest[] = [];
  /** The guards' rows as text, to detect changes. */
  #seen = '[]';
  #latest: Promise<void> | undefined;

  constructor(world: Pick<World, 'folders' | 'sleep'>, note: (message: string) => void, own: WriteQuestions) {
    this.#world = world;
    this.#note = note;
    this.#own = own;
    own.subscribe(() => this.#show());
  }

  /** The requests: pending ones first, oldest first. The list is the same object until a request changes. */
  get rows(): readonly HeldRequest[] {
    return this.#rows;
  }

  /** Number of pending requests. */
  get waiting(): number {
    return this.#rows.filter(({ state }) => state === 'waiting').length;
  }

  /**
   * Returns this console's oldest pending write that does not belong to a task. The screen shows a question about this write until the user
   * answers.
   */
  readonly question = (): HeldRequest | undefined =>
    this.#rows.find(
      ({ number, state }) => state === 'waiting' && this.isOwn(number) && !this.#own.isBackground(number),
    );

  /** Returns whether the request is one of this console's own writes. */
  isOwn(number: string): boolean {
    return this.#own.has(number);
  }

  /** Calls a listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reads the guards repeatedly until the signal is aborted, or until a read fails. Loads no code if no guard has ever run. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!hasGuards(this.#world)) {
          await wait(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
          continue;
        }
        await this.#read();
      } catch (error) {
        // A read fails, for example, if other users are allowed to change the folder. Requests that guards hold then cannot be approved in
        // this console.
        this.#note(asProblem(error).message);
        return;
      }
      await this.#world.sleep(pollMs, signal).catch(() => undefined);
    }
  }

  /** Returns the facts for a decision about a request; undefined if the request is no longer held. */
  async detail(number: string): Promise<HeldDetail | undefined> {
    if (this.isOwn(number)) return this.#own.detail(number);
    const { readHeld } = await import('../../src/services/guard/approvals.ts');
    return readHeld(this.#world, number);
  }

  /** Answers a request. Throws a Problem if that is not possible, for example after a wrong passphrase. */
  async answer(number: string, given: HeldAnswer, passphrase?: string): Promise<void> {
    const { userName } = await import('../../src/services/guard/audit-log.ts');
    if (this.isOwn(number)) {
      const why = await this.#own.answer(number, given, userName());
      if (why !== undefined) throw new Problem('not-found', why);
      return;
    }
    const { answerHeld } = await import('../../src/services/guard/approvals.ts');
    try {
      await answerHeld(this.#world, number, given, { user: userName(), by: 'console', passphrase });
    } finally {
      await this.#read();
    }
  }

  /** Reads the guards. Resolves when the rows are at least as new as this call. */
  #read(): Promise<void> {
    const reading: Promise<void> = this.#list().then(({ rows, text }) => {
      // A newer read has replaced this one: wait until the newer rows are shown.
      if (reading !== this.#latest) return this.#latest;
      if (text === this.#seen) return undefined;
      this.#seen = text;
      this.#guarded = rows;
      this.#show();
      return undefined;
    });
    this.#latest = reading;
    return reading;
  }

  async #list() {
    const { listHeld } = await import('../../src/services/guard/approvals.ts');
    const rows = await listHeld(this.#world, 'console');
    return { rows, text: JSON.stringify(rows) };
  }

  #show(): void {
    this.#rows = [...this.#own.list(), ...this.#guarded];
    for (const listener of this.#listeners) listener();
  }
}
