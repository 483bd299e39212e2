import type { Problem } from '../../src/model/problem.ts';
import { formatAdvice } from '../../src/text/problem.ts';
import { remedyWords } from './remedy-words.ts';

/** The tone of a message: success, information, an unavailable action, or a failure. */
export type Tone = 'done' | 'told' | 'refused' | 'failed';

/** A line about the last action. */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
}

/** One message. */
export interface Message {
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly tone: Tone;
  /** The first line. A line feed in this text is part of a name. */
  readonly text: string;
  /** Further lines of a failure. */
  readonly more?: readonly string[];
  readonly hint?: string | undefined;
  /** The platform's id of the failed request. */
  readonly requestId?: string | undefined;
  /** How often the message occurred in succession; `at` is then the time of the last occurrence. */
  readonly times: number;
}

/** Maximum number of messages; older messages are dropped. */
const maxMessages = 500;

/** The notices shown since the console was opened, oldest first, up to `maxMessages`. */
export class Messages {
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #all: readonly Message[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** All messages; the same array until a message is added. */
  get all(): readonly Message[] {
    return this.#all;
  }

  /** Adds a message; for a repetition of the last message, increases its count and updates its time. */
  add(message: Omit<Message, 'at' | 'times'>): void {
    const last = this.#all.at(-1);
    const repeats = last !== undefined && isSameMessage(last, message);
    const before = repeats ? this.#all.slice(0, -1) : this.#all.slice(1 - maxMessages);
    this.#all = [...before, { ...message, at: this.#now(), times: repeats ? last.times + 1 : 1 }];
    for (const listener of this.#listeners) listener();
  }

  /** Adds a failure with its remedy and request id. Ignores an interrupted call, which is not a failure. */
  addProblem(problem: Problem): void {
    if (problem.code === 'interrupted') return;
    const { message, requestId, platformCode, status } = problem;
    const details = [platformCode && `code ${platformCode}`, status && `HTTP ${status}`].filter(Boolean);
    const whole = details.length === 0 ? message : `${message} [${details.join(', ')}]`;
    const [text = '', ...more] = whole.split('\n');
    this.add({ tone: 'failed', text, more, hint: formatAdvice(problem, remedyWords), requestId });
  }

  /** Calls a listener after each message, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function isSameMessage(one: Omit<Message, 'at' | 'times'>, other: Omit<Message, 'at' | 'times'>): boolean {
  return one.text === other.text && one.tone === other.tone && one.requestId === other.requestId;
}
