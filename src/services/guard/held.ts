import { setMaxListeners } from 'node:events';
import {
  describeSameRequests,
  findSameRequests,
  type HeldAnswer,
  type HeldRefusal,
  isBoundToBody,
  listShownNames,
  maxWaiting,
  type WaitLimit,
} from '../../model/guard/held.ts';
import type { HeldRequest } from '../../model/guard/held-shape.ts';
import { type Decided, type RequestFacts, unlockAgain } from '../../model/guard/policy.ts';
import { truncate } from '../../model/long-text.ts';
import type { World } from '../../world.ts';
import type { SessionLock } from '../session/lock.ts';

/** A request that requires approval by a policy rule. */
export interface HeldQuestion {
  readonly facts: RequestFacts;
  readonly decided: Decided;
  /** The path with its query, as it will be forwarded. */
  readonly path: string;
  /** The headers of the request, with lower-case names. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** SHA-256 of the body. Without this digest, a later approval cannot be applied to a repeated request. */
  readonly digest: string | undefined;
  readonly bytes: number;
  /** The start of the body, for the person who decides; empty if the body was not read. */
  readonly start: Uint8Array;
  /** Whether the body is a stream of unknown length, which is not read before the request is sent. */
  readonly isStreamed?: boolean | undefined;
  /** The program name that the client sent. */
  readonly agent: string | undefined;
  /** Why undo cannot restore what the request deletes or overwrites, if the reason is known. */
  readonly lost?: string | undefined;
  /** Whether undo can restore what the request deletes or overwrites; false if unknown. */
  readonly undoable: boolean;
  /** Description, for the user, of the platform and account (default: the guard's description). */
  readonly place?: string | undefined;
}

/** The person who answers, and the interface used for the answer. */
export interface Approver {
  readonly user: string;
  readonly by: 'terminal' | 'console' | 'command';
  /** The passphrase that the approver typed, if any. */
  readonly passphrase?: string | undefined;
}

/** The parts of a question that determine whether an approval for the guard's whole run covers the question. */
type SameQuestion = Pick<HeldQuestion, 'facts' | 'decided' | 'place'> & Partial<Pick<HeldQuestion, 'digest'>>;

export interface Approval {
  /** The number of the approved request; undefined if an approval for the guard's whole run covers the request. */
  readonly number: string | undefined;
  readonly approver: string;
  /** Whether the approver knew that undo cannot restore the change. */
  readonly withoutUndo?: true;
}

/** The result of asking for approval. The number identifies the request in messages and the log. */
export type HeldVerdict =
  | Approval
  | {
      readonly number: string;
      readonly refusal: HeldRefusal;
      /** Set if the request was refused immediately, because too many requests of the guard or of the program were already waiting. */
      readonly tooMany?: WaitLimit;
      /** Set if the request cannot be approved later, because a repeated request could have a different body. */
      readonly isFinal?: true;
    };

export interface HeldOptions {
  /** Prefix of the request numbers, unique among the user's running guards. */
  readonly name: string;
  readonly place: string;
  /** Maximum time that a request waits for approval, in milliseconds. */
  readonly waitMs: number;
  readonly world: Pick<World, 'now' | 'sleep'>;
  /** Whether the guard ends with the program that it runs (default: no). */
  readonly endsWithProgram?: boolean | undefined;
  /** Set if the profile is locked: an approver must type the passphrase of the profile. */
  readonly lock: Pick<SessionLock, 'profile' | 'check' | 'auth'> | undefined;
}

/** How long an approval is valid, and how long a refused request can still be approved for its next attempt, in milliseconds. */
const repetitionMs = 10 * 60_000;
/** Maximum extension of a request's wait while a person types a passphrase for the request, in milliseconds. */
const maxPauseMs = 120_000;
/** How long a dropped request stays listed, in milliseconds: the list shows a person why the request no longer waits. */
const droppedMs = 60_000;
/** How long a console counts as open after its last poll, in milliseconds. */
const presenceMs = 4000;
/** How long a new guard waits for consoles to find it, in milliseconds. Consoles look for guards every second. */
const discoveryMs = 1500;
const maxEntries = 300;
const maxDisconnected = 20;

interface Entry {
  readonly question: HeldQuestion;
  readonly number: string;
  readonly at: number;
  state: HeldRequest['state'];
  until: number;
  approver?: string;
  settle?: ((verdict: HeldVerdict) => void) | undefined;
  /** Restarts the timer of the wait after a change of `until`. */
  restart?: (() => void) | undefined;
  /** Milliseconds by which the wait may still be extended. */
  pauseLeft: number;
}

/** The requests that a guard holds, and the approvals that it has received. */
export class HeldRequests {
  readonly #options: HeldOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #sameApproved = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #ended = new AbortController();
  #last = 0;
  #consoleSeenAt = Number.NEGATIVE_INFINITY;
  readonly #openedAt: number;
  /** Whether the guard has a terminal that can ask for approval. */
  hasTerminal = false;

  constructor(options: HeldOptions) {
    this.#options = options;
    this.#openedAt = options.world.now();
    setMaxListeners(0, this.#ended.signal);
  }

  /** Prefix of the request numbers. */
  get name(): string {
    return this.#options.name;
  }

  get waitMs(): number {
    return this.#options.waitMs;
  }

  get endsWithProgram(): boolean {
    return this.#options.endsWithProgram ?? false;
  }

  /** The profile whose passphrase an approver must type; undefined if no profile is locked. */
  get lockedProfile(): string | undefined {
    return this.#options.lock?.profile;
  }

  /** Why no request can be approved; undefined unless the profile is locked. */
  get blocked(): string | undefined {
    const { lock } = this.#options;
    if (lock === undefined || lock.auth() !== undefined) return undefined;
    return `Not approved: profile "${lock.profile}" is locked, so the guard cannot send the request. ${unlockAgain}`;
  }

  /** Records that a console which lists held requests is open. */
  noticeConsole(): void {
    this.#consoleSeenAt = this.#options.world.now();
  }

  /** Calls a function after each change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns the approval that covers all requests of this kind. Returns undefined if one of the rules that ask about this request has no
   * such approval, or if the approval depends on a body that was not read.
   */
  findSameApproval(question: SameQuestion): Approval | undefined {
    const approvers = identifySame(question).map((same) => this.#sameApproved.get(same));
    const [approver] = approvers;
    return approver === undefined || approvers.includes(undefined)
      ? undefined
      : { number: undefined, approver };
  }

  /** Applies an earlier approval, or waits for a person. `gone` is aborted when the client disconnects. */
  async ask(question: HeldQuestion, gone: AbortSignal): Promise<HeldVerdict> {
    const same = this.findSameApproval(question);
    if (same !== undefined) return same;
    this.#dropOld();
    const earlier = this.#findEarlier(question);
    if (earlier !== undefined) this.#entries.delete(earlier.number);
    if (earlier?.approver !== undefined) {
      this.#changed();
      const { number, approver, question: approved } = earlier;
      return { number, approver, ...knowledge(approved) };
    }
    const { name, waitMs, world } = this.#options;
    const at = world.now();
    this.#last += 1;
    const entry: Entry = {
      question,
      number: `${name}-${this.#last}`,
      at,
      state: 'waiting',
      until: at + waitMs,
      pauseLeft: maxPauseMs,
    };
    this.#entries.set(entry.number, entry);
    if (!this.#hasPerson() && this.#discoveryLeft() <= 0) return this.#end(entry, refuse(entry, 'nobody'));
    if (waitMs <= 0) return this.#end(entry, refuse(entry, 'unanswered'));
    const tooMany = this.#findExceeded(question);
    if (tooMany !== undefined) return this.#end(entry, { ...refuse(entry, 'unanswered'), tooMany });
    return this.#wait(entry, gone);
  }

  /** Ends the wait of a request, if any. Returns the verdict. */
  #end(entry: Entry, verdict: HeldVerdict): HeldVerdict {
    const now = this.#options.world.now();
    const refusal = 'refusal' in verdict ? verdict.refusal : undefined;
    entry.settle = undefined;
    entry.restart = undefined;
    if ((refusal === 'nobody' || refusal === 'unanswered') && entry.question.digest !== undefined) {
      entry.state = 'refused';
      entry.until = now + repetitionMs;
    } else if (refusal === 'disconnected') {
      entry.state = 'disconnected';
      entry.until = now + droppedMs;
    } else this.#entries.delete(entry.number);
    this.#changed();
    return verdict;
  }

  /** Lists waiting requests first. In each group, the newest request is last. */
  list(): HeldRequest[] {
    this.#dropOld();
    const all = [...this.#entries.values()].map((entry) => this.#describe(entry));
    return [
      ...all.filter(({ state }) => state === 'waiting'),
      ...all.filter(({ state }) => state !== 'waiting'),
    ];
  }

  /** Returns the question of a held request; undefined if the request is no longer held. */
  find(number: string): HeldQuestion | undefined {
    this.#dropOld();
    return this.#entries.get(number)?.question;
  }

  /** Answers a held request. Returns undefined on success, otherwise why the request cannot be answered. */
  async answer(number: string, answer: HeldAnswer, approver: Approver): Promise<string | undefined> {
    const { lock } = this.#options;
    if (answer !== 'refuse' && this.blocked !== undefined) return this.blocked;
    if (answer !== 'refuse' && lock !== undefined) {
      const { passphrase } = approver;
      if (passphrase === undefined || !(await lock.check(passphrase)))
        return `Not approved: the approver must type the passphrase of profile "${lock.profile}".`;
    }
    this.#dropOld();
    const entry = this.#entries.get(number);
    if (entry === undefined) return `Request ${number} is no longer held.`;
    const { question, settle, state } = entry;
    if (state === 'disconnected')
      return `Request ${number} was dropped: its program has closed the connection.`;
    if (answer === 'approve-same') {
      const all = identifySame(question);
      if (all.length === 0)
        return `Request ${number} can only be approved individually, because its body is unknown.`;
      for (const same of all) this.#sameApproved.set(same, approver.user);
    }
    if (settle !== undefined)
      settle(
        answer === 'refuse'
          ? refuse(entry, 'refused')
          : { number, approver: approver.user, ...knowledge(question) },
      );
    else {
      if (answer === 'approve') {
        entry.state = 'approved';
        entry.approver = approver.user;
        entry.until = this.#options.world.now() + repetitionMs;
      } else this.#entries.delete(number);
      this.#changed();
    }
    if (answer === 'approve-same') this.#approveWaiting();
    return undefined;
  }

  /**
   * Extends the wait of a request while a person types a passphrase for it, so that the wait does not end before the answer. All extensions
   * together last up to two minutes. Returns a function that ends the extension.
   */
  pauseWait(number: string): () => void {
    const { world } = this.#options;
    const entry = this.#entries.get(number);
    if (entry?.restart === undefined) return () => undefined;
    const left = entry.pauseLeft;
    const end = world.now() + left;
    entry.pauseLeft = 0;
    entry.until += left;
    entry.restart();
    this.#changed();
    return () => {
      if (entry.restart === undefined) return;
      entry.pauseLeft = Math.max(0, end - world.now());
      entry.until -= entry.pauseLeft;
      entry.restart();
      this.#changed();
    };
  }

  /** Refuses all waiting requests. */
  close(): void {
    this.#ended.abort();
  }

  /** Approves the waiting requests that are covered by an approval for the guard's whole run. */
  #approveWaiting(): void {
    for (const { number, question, settle } of this.#entries.values()) {
      const same = this.findSameApproval(question);
      if (same !== undefined) settle?.({ ...same, number });
    }
  }

  #hasPerson(): boolean {
    return this.hasTerminal || this.#options.world.now() - this.#consoleSeenAt < presenceMs;
  }

  /** Returns how much longer a console may need to find this guard, in milliseconds, up to the maximum wait of a request. */
  #discoveryLeft(): number {
    const { waitMs, world } = this.#options;
    return Math.min(waitMs, this.#openedAt + discoveryMs - world.now());
  }

  /** Returns the limit that another waiting request of this program would exceed. The name that a program sends is not verified. */
  #findExceeded({ facts, agent }: HeldQuestion): WaitLimit | undefined {
    const waiting = [...this.#entries.values()].filter(({ settle }) => settle !== undefined);
    if (waiting.length >= maxWaiting.guard) return 'guard';
    const own = waiting.filter(
      ({ question }) => question.facts.client === facts.client && question.agent === agent,
    );
    return own.length >= maxWaiting.program ? 'program' : undefined;
  }

  async #wait(entry: Entry, gone: AbortSignal): Promise<HeldVerdict> {
    const settled = new AbortController();
    let timer = new AbortController();
    const ended = this.#ended.signal;
    const verdict = new Promise<HeldVerdict>((resolve) => {
      const settle = (one: HeldVerdict) => {
        settled.abort();
        timer.abort();
        // Removes both listeners here, because the signals can outlive many requests. With the option `signal`, Node keeps the last
        // listener, and may not remove earlier listeners.
        gone.removeEventListener('abort', leave);
        ended.removeEventListener('abort', end);
        resolve(this.#end(entry, one));
      };
      const leave = () => settle(refuse(entry, 'disconnected'));
      const end = () => settle(refuse(entry, 'ended'));
      entry.settle = settle;
      if (gone.aborted) return leave();
      if (ended.aborted) return end();
      gone.addEventListener('abort', leave, { once: true });
      ended.addEventListener('abort', end, { once: true });
      const { world } = this.#options;
      if (!this.#hasPerson())
        world.sleep(this.#discoveryLeft(), settled.signal).then(
          () => this.#hasPerson() || settle(refuse(entry, 'nobody')),
          () => undefined,
        );
      entry.restart = () => {
        timer.abort();
        timer = new AbortController();
        world.sleep(Math.max(0, entry.until - world.now()), timer.signal).then(
          () => settle(refuse(entry, 'unanswered')),
          () => undefined,
        );
      };
      entry.restart();
      return undefined;
    });
    this.#changed();
    return verdict;
  }

  /** Finds an earlier, identical request that no longer waits. */
  #findEarlier(question: HeldQuestion): Entry | undefined {
    if (question.digest === undefined) return undefined;
    const repeated = identifyRepetition(question);
    return [...this.#entries.values()].find(
      (entry) => entry.settle === undefined && identifyRepetition(entry.question) === repeated,
    );
  }

  #dropOld(): void {
    const now = this.#options.world.now();
    for (const entry of this.#entries.values())
      if (entry.settle === undefined && entry.until <= now) this.#entries.delete(entry.number);
    this.#dropOldest('disconnected', this.#inState('disconnected').length - maxDisconnected);
    // Approvals are dropped last: programs that disconnect or are refused must not evict them.
    for (const state of ['disconnected', 'refused', 'approved'] as const)
      this.#dropOldest(state, this.#entries.size - maxEntries);
  }

  #inState(state: Entry['state']): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.state === state);
  }

  #dropOldest(state: Entry['state'], count: number): void {
    for (const { number } of this.#inState(state).slice(0, Math.max(0, count))) this.#entries.delete(number);
  }

  #describe({ number, state, at, until, question }: Entry): HeldRequest {
    const { facts, decided, agent, bytes, lost, undoable, place = this.#options.place } = question;
    const { client, effect, method, path, query, source, jurisdiction, noun, name, count } = facts;
    const names = listShownNames(facts, decided);
    return {
      number,
      state,
      at: new Date(at).toISOString(),
      until: new Date(until).toISOString(),
      client,
      ...(agent !== undefined && { agent: truncate(agent, 200) }),
      place,
      effect,
      method,
      path,
      ...(query !== undefined && { query }),
      ...(source !== undefined && { source }),
      ...(jurisdiction !== undefined && { jurisdiction: truncate(jurisdiction, 100) }),
      ...(noun !== undefined && { noun }),
      ...(name !== undefined && { name }),
      ...(names.length > 0 && { names: names.map((one) => truncate(one, 200)) }),
      ...(count !== undefined && { count }),
      bytes,
      undoable,
      ...(lost !== undefined && { lost }),
      rules: decided.asking.map(({ rule }) => rule.name),
      policy: decided.policy.path ?? decided.policy.source,
      same:
        identifySame(question).length === 0
          ? 'only this request, because its body is unknown'
          : describeSameRequests(facts, decided),
      ...(this.lockedProfile !== undefined && { locked: this.lockedProfile }),
      ...(this.blocked !== undefined && { blocked: this.blocked }),
    };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function identifySame({ facts, decided, place, digest }: SameQuestion): string[] {
  if (isBoundToBody(facts) && digest === undefined) return [];
  const all = findSameRequests(facts, decided, digest);
  return all.map((same) => JSON.stringify([place, facts.target, same]));
}

/**
 * Headers that determine what a request does: the source of a copy and its options, the jurisdiction, conditions, and what is stored with
 * an object. Other headers, such as the time and the attempt number, change when the request is repeated.
 */
const effectiveHeaders =
  /^(?:x-amz-(?!(?:content-sha256|date|security-token|user-agent)$)|cf-|if-|content-(?!length$)|cache-control$|expires$)/;

/**
 * Returns a string that is the same for all repetitions of a request: requests with the same method, path, query, body, jurisdiction and
 * effective headers.
 */
function identifyRepetition({ facts, path, headers, digest }: HeldQuestion): string {
  const effective = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && effectiveHeaders.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([facts.method, path, facts.jurisdiction, digest, effective]);
}

/** Returns the `withoutUndo` mark of an approval, which is set if the question states that undo cannot restore the change. */
function knowledge({ lost }: HeldQuestion): { readonly withoutUndo?: true } {
  return lost === undefined ? {} : { withoutUndo: true };
}

function refuse({ number, question }: Entry, refusal: HeldRefusal): HeldVerdict & { refusal: HeldRefusal } {
  return { number, refusal, ...(question.digest === undefined && { isFinal: true }) };
}
