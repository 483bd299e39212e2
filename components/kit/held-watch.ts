import { setTimeout as wait } from 'node:timers/promises';
import type { HeldAnswer } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { asProblem, Problem } from '../../src/model/problem.ts';
import type { HeldDetail } from '../../src/services/guard/approvals.ts';
import { hasGuards } from '../../src/services/guard/guards-folder.ts';
import type { WriteQuestions } from '../../src/services/guard/write-questions.ts';
import type { World } from '../../src/world.ts';

/** Milliseconds between two readings. A guard counts a console as open for 4 s after the last one. */
const pollMs = 1000;

/**
 * The requests that the guards of this user hold, and the writes of this console for which a policy asks. Reading the guards
 * notifies them that a person can answer.
 */
export class HeldWatch {
  readonly #world: Pick<World, 'folders' | 'sleep'>;
  readonly #note: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #own: WriteQuestions;
  #rows: readonly HeldRequest[] = [];
  #guarded: readonly HeldRequest[] = [];
  /** The rows of the guards as text, to notice changes. */
  #seen = '[]';
  #latest: Promise<void> | undefined;

  constructor(world: Pick<World, 'folders' | 'sleep'>, note: (message: string) => void, own: WriteQuestions) {
    this.#world = world;
    this.#note = note;
    this.#own = own;
    own.subscribe(() => this.#show());
  }

  /** Waiting requests first, oldest first. The same list as long as nothing changes. */
  get rows(): readonly HeldRequest[] {
    return this.#rows;
  }

  /** Number of requests that wait for an answer. */
  get waiting(): number {
    return this.#rows.filter(({ state }) => state === 'waiting').length;
  }

  /** The writes of this console that block the screen until they are answered, oldest first. The same list as `rows`. */
  readonly question = (): HeldRequest | undefined =>
    this.#rows.find(
      ({ number, state }) => state === 'waiting' && this.isOwn(number) && !this.#own.isBackground(number),
    );

  /** Whether a request is a write of this console. */
  isOwn(number: string): boolean {
    return this.#own.has(number);
  }

  /** Calls a listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Follows the guards until the signal is aborted. Loads nothing as long as no guard has ever run. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!hasGuards(this.#world)) {
          await wait(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
          continue;
        }
        await this.#read();
      } catch (error) {
        // For example, a folder that other users can change. Without it, nothing is approved here.
        this.#note(asProblem(error).message);
        return;
      }
      await this.#world.sleep(pollMs, signal).catch(() => undefined);
    }
  }

  /** What a person needs to decide about a request; undefined if it is no longer held. */
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
      // A later reading knows more, and its rows are not shown yet.
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
