import type { HeldAnswer } from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import type { World } from '../../world.ts';
import type { HeldDetail } from './approvals.ts';
import { describeHeld } from './describe-held.ts';
import { type HeldQuestion, HeldRequests } from './held.ts';
import type { AskedWrite, AskWrite } from './recorded-writes.ts';

/** The part of the console that asks for approval. */
export interface Asker {
  /** The name shown in the question instead of a program name. */
  readonly who: string;
  /** Whether the write runs in the background: its question then appears only in the list of held requests. */
  readonly isBackground: boolean;
  /** Aborting the signal drops the question. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum time that a question waits, in milliseconds: one day. */
const waitMs = 24 * 60 * 60_000;

const noSignal = new AbortController().signal;

/** The writes of this console that wait for approval by its user. */
export class WriteQuestions {
  readonly #held: HeldRequests;
  readonly #asked = new Map<HeldQuestion, AskedWrite & Asker>();

  constructor(world: Pick<World, 'now' | 'sleep'>) {
    this.#held = new HeldRequests({ name: 'console', place: '', waitMs, world, lock: undefined });
  }

  /** Called when the screen can show questions. Before this call, each write that requires approval is refused. */
  open(): void {
    this.#held.hasTerminal = true;
  }

  /** Drops all questions, so the writes are not sent. */
  close(): void {
    this.#held.close();
  }

  /** Calls a listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#held.onChange(listener);
  }

  /** Returns the function that the sessions of an asker call for approval. */
  by(asker: Asker): AskWrite {
    return async (asked) => {
      const { facts, decided, call, place, undoable } = asked;
      const bytes = call.body instanceof Uint8Array ? call.body : new Uint8Array();
      const isStreamed = call.body !== undefined && !(call.body instanceof Uint8Array);
      const question: HeldQuestion = {
        facts: { ...facts, client: asker.who },
        decided,
        path: call.path,
        headers: call.headers,
        // A repeated write cannot use a later approval: the write waits until the question is answered.
        digest: undefined,
        bytes: bytes.length,
        start: bytes,
        ...(isStreamed && { isStreamed }),
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

  /** Lists the waiting writes, oldest first. */
  list(): HeldRequest[] {
    return this.#held.list().filter(({ state }) => state === 'waiting');
  }

  /** Returns whether this number belongs to a waiting write of this console. */
  has(number: string): boolean {
    return this.#find(number) !== undefined;
  }

  /** Returns whether the write with this number runs in the background. */
  isBackground(number: string): boolean {
    return this.#find(number)?.isBackground === true;
  }

  /** Returns what a person needs to decide about a write; undefined if the write no longer waits. */
  async detail(number: string): Promise<HeldDetail | undefined> {
    const asked = this.#find(number);
    return asked && describeHeld(this.#held, asked, number);
  }

  /** Answers a question. Returns undefined on success, otherwise why the answer is not possible. */
  answer(number: string, given: HeldAnswer, user: string): Promise<string | undefined> {
    return this.#held.answer(number, given, { user, by: 'console' });
  }

  #find(number: string): (AskedWrite & Asker) | undefined {
    const question = this.#held.find(number);
    return question && this.#asked.get(question);
  }
}
