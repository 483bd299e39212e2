import type { HeldAnswer } from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import type { World } from '../../world.ts';
import type { HeldDetail } from './approvals.ts';
import type { AskedWrite, AskWrite } from './ask-write.ts';
import { describeHeld } from './describe-held.ts';
import { type HeldQuestion, HeldRequests } from './held.ts';

/** The part of the console that asks. */
export interface Asker {
  /** The name that the question shows instead of a program. */
  readonly who: string;
  /** Whether the write runs behind what is on the screen: its question waits in the list of held requests only. */
  readonly isBackground: boolean;
  /** Drops the question. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum milliseconds for which a question waits: a day. */
const waitMs = 24 * 60 * 60_000;

const noSignal = new AbortController().signal;

/** The writes of this console that wait for the approval of its user. */
export class WriteQuestions {
  readonly #held: HeldRequests;
  readonly #asked = new Map<HeldQuestion, AskedWrite & Asker>();

  constructor(world: Pick<World, 'now' | 'sleep'>) {
    this.#held = new HeldRequests({ name: 'console', place: '', waitMs, world, lock: undefined });
  }

  /** The screen can show questions. Before that, each write for which a rule asks is refused. */
  open(): void {
    this.#held.hasTerminal = true;
  }

  /** Drops all questions: their writes are not sent. */
  close(): void {
    this.#held.close();
  }

  /** Calls a listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#held.onChange(listener);
  }

  /** Returns the function with which the sessions of an asker ask. */
  by(asker: Asker): AskWrite {
    return async (asked) => {
      const { facts, decided, call, place, undoable } = asked;
      const same = this.#held.findSameApproval(facts, decided, place);
      if (same !== undefined) return { number: undefined, approver: same };
      const bytes = call.body instanceof Uint8Array ? call.body : new Uint8Array();
      const question: HeldQuestion = {
        facts: { ...facts, client: asker.who },
        decided,
        path: call.path,
        // The write waits until it is answered: it is never repeated with a later approval.
        digest: undefined,
        bytes: bytes.length,
        start: bytes.subarray(0, maxStart),
        agent: undefined,
        undoable,
        place,
      };
      this.#asked.set(question, { ...asked, ...asker });
      const signals = [asker.signal, call.signal].filter((one) => one !== undefined);
      try {
        return await this.#held.ask(question, signals.length === 0 ? noSignal : AbortSignal.any(signals));
      } finally {
        this.#asked.delete(question);
      }
    };
  }

  /** The waiting writes, oldest first. */
  list(): HeldRequest[] {
    return this.#held.list().filter(({ state }) => state === 'waiting');
  }

  /** Whether this is the number of a waiting write of this console. */
  has(number: string): boolean {
    return this.#find(number) !== undefined;
  }

  /** Whether a write runs behind what is on the screen. */
  isBackground(number: string): boolean {
    return this.#find(number)?.isBackground === true;
  }

  /** The facts that a person needs to decide about a write; undefined if it no longer waits. */
  async detail(number: string): Promise<HeldDetail | undefined> {
    const asked = this.#find(number);
    return asked && describeHeld(this.#held, asked, number);
  }

  /** Returns why the answer is not possible; undefined if it is done. */
  answer(number: string, given: HeldAnswer, user: string): Promise<string | undefined> {
    return this.#held.answer(number, given, { user, by: 'console' });
  }

  #find(number: string): (AskedWrite & Asker) | undefined {
    const question = this.#held.find(number);
    return question && this.#asked.get(question);
  }
}

/** Number of bytes of a body that a person can see. */
const maxStart = 16 * 1024 + 1;
