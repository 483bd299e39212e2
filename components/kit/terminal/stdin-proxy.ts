import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { InputStream } from '../../../src/world.ts';
import { createTokenizer, type InputToken, type Report } from './input-tokens.ts';
import { type MouseAction, readMouse } from './mouse.ts';
import { TypedAhead } from './typed-ahead.ts';

/** Receives the queued tokens before they become presses. Returns the number of tokens, from the front, that it has consumed. */
export type Capture = (waiting: readonly InputToken[]) => number;

/**
 * Called for each press as soon as it is read, before all queued presses. Returns `taken` if it has handled the press, `overtakes` if
 * queued presses must also be dropped, as a terminal driver does for Ctrl-C and Ctrl-Z.
 */
export type UrgentHandler = (press: string) => 'taken' | 'overtakes' | undefined;

type TerminalInput = InputStream & { setRawMode(on: boolean): unknown };

const esc = '\u001b';

/** Escape in the kitty protocol's form. Ink handles this form immediately, but delays a bare ESC. */
const kittyEscape = '\u001b[27u';

/** Maximum number of queued tokens behind which Esc waits for its turn: more than a person types ahead. Esc drops a longer queue. */
const maxWaitingBeforeEsc = 32;

/** Returns whether this input supports raw mode. */
export function isTerminalInput(input: InputStream): input is TerminalInput {
  return input.isTTY === true && 'setRawMode' in input && typeof input.setRawMode === 'function';
}

/**
 * The standard input that Ink reads: one key press at a time, each in a separate turn of the event loop. Ink treats a whole read as one
 * event, and applies several arrow keys to the same state, so that fast typing over SSH or tmux would lose keys. A paste goes only to a
 * component that captures it, because pasted text must not trigger shortcuts. The proxy delivers input only between `ref` and `unref`,
 * which Ink calls together with raw mode. After `begin`, the proxy queues typed input.
 */
export class StdinProxy extends Readable {
  readonly isTTY = true;
  readonly #source: TerminalInput;
  readonly #tokenizer = createTokenizer();
  readonly #decoder = new StringDecoder('utf8');
  readonly #typedAhead: TypedAhead;
  #waiting: InputToken[] = [];
  #current: InputToken | undefined;
  #capture: Capture | undefined;
  #urgent: UrgentHandler | undefined;
  #isReading = false;
  #isLost = false;
  #onLost: (() => void) | undefined;
  #onFirstInput: (() => void) | undefined;
  #onAnswer: ((answer: string) => void) | undefined;
  readonly #mouseListeners = new Set<(move: MouseAction) => void>();
  #nextTurn: NodeJS.Immediate | undefined;
  #flushTimer: NodeJS.Timeout | undefined;

  /** `requestStatus` sends a status query to the terminal. */
  constructor(source: TerminalInput, requestStatus: () => void) {
    super({ objectMode: true, read() {} });
    this.#source = source;
    this.#typedAhead = new TypedAhead(requestStatus);
    for (const event of ['end', 'close', 'error']) source.on(event, () => this.#markLost());
  }

  /** Called when the input has ended or failed, for example because the connection was closed or the terminal program has exited. */
  #markLost(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#onLost?.();
  }

  /** Offers queued tokens to a function until the returned function is called. Only the last registered function receives them. */
  capture(capture: Capture): () => void {
    this.#capture = capture;
    return () => {
      if (this.#capture === capture) this.#capture = undefined;
    };
  }

  /** Sets the handler that receives each press first, until the returned function is called. */
  watch(urgent: UrgentHandler): () => void {
    this.#urgent = urgent;
    return () => {
      if (this.#urgent === urgent) this.#urgent = undefined;
    };
  }

  /**
   * Drops input typed before a question is drawn, up to an Esc, because this input cannot be meant as an answer. If the question is
   * withdrawn earlier, the returned function must be called.
   */
  dropTypedAhead(question: unknown): () => void {
    const first = this.#waiting.findIndex(isEscape);
    this.#waiting.splice(0, first === -1 ? this.#waiting.length : first);
    return this.#typedAhead.begin(question);
  }

  /**
   * Returns a promise that resolves when the terminal has answered all queries or a timeout has passed; undefined if no answer is pending.
   */
  settled(): Promise<void> | undefined {
    return this.#isLost ? undefined : this.#typedAhead.settled();
  }

  /** Removes queued presses that repeat the current press, and returns their number. */
  takeRepeats(): number {
    const current = this.#current?.text;
    const other = this.#waiting.findIndex(({ kind, text }) => kind !== 'press' || text !== current);
    const count = other === -1 ? this.#waiting.length : other;
    this.#waiting.splice(0, count);
    return count;
  }

  /** Adds a press that was not typed, such as a click on the hint of a key. */
  press(text: string): void {
    this.#take([{ kind: 'press', text }]);
  }

  /** Calls a listener when the terminal is lost (immediately if it already is), until the returned function is called. */
  onLost(listener: () => void): () => void {
    this.#onLost = listener;
    if (this.#isLost) listener();
    return () => {
      this.#onLost = undefined;
    };
  }

  /** Sets the function that receives the terminal's answers to queries. */
  onAnswer(listener: (answer: string) => void): void {
    this.#onAnswer = listener;
  }

  /** Calls a listener for mouse events, until the returned function is called. */
  onMouse(listener: (move: MouseAction) => void): () => void {
    this.#mouseListeners.add(listener);
    return () => void this.#mouseListeners.delete(listener);
  }

  /**
   * Passes a mouse event to the listeners. Drops the event if presses are queued, because these presses will change the screen that the
   * user has clicked.
   */
  #deliverMouse(text: string): void {
    const move = readMouse(text);
    if (move === undefined || this.#waiting.length > 0 || this.#typedAhead.isPending) return;
    for (const listener of [...this.#mouseListeners]) listener(move);
  }

  /** Sets the mode, unless the terminal is lost: the call would fail. */
  setRawMode(on: boolean): this {
    if (!this.#isLost) this.#source.setRawMode(on);
    return this;
  }

  /** Starts reading before the screen exists, so that the terminal does not echo the input. Calls `typed` at the first input. */
  begin(typed: () => void): void {
    this.#onFirstInput = typed;
    this.setRawMode(true);
    this.#listen();
  }

  /** Stops reading and turns off raw mode. Also reverts `begin` if no screen was opened. */
  end(): void {
    this.unref();
    this.setRawMode(false);
  }

  ref(): this {
    this.#isReading = true;
    this.#listen();
    this.#schedule();
    return this;
  }

  #listen(): void {
    this.#source.off('data', this.#onData);
    this.#source.on('data', this.#onData);
    this.#source.resume();
  }

  unref(): this {
    this.#isReading = false;
    this.#source.off('data', this.#onData);
    this.#source.pause();
    this.#waiting = [];
    clearTimeout(this.#flushTimer);
    return this;
  }

  /** Does nothing, because tokens are strings already. */
  override setEncoding(): this {
    return this;
  }

  readonly #onData = (chunk: Buffer | string): void => {
    clearTimeout(this.#flushTimer);
    this.#take(this.#tokenizer.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    const flushDelayMs = this.#tokenizer.flushDelayMs();
    if (flushDelayMs === undefined) return;
    this.#flushTimer = setTimeout(() => this.#take(this.#tokenizer.flush()), flushDelayMs);
  };

  #take(tokens: readonly (InputToken | Report)[]): void {
    for (const token of tokens) {
      if (token.kind === 'answer') {
        this.#onAnswer?.(token.text);
        continue;
      }
      if (token.kind === 'mouse') {
        this.#deliverMouse(token.text);
        continue;
      }
      if (token.kind === 'press' && this.#typedAhead.consumeAnswer(token.text)) continue;
      this.#onFirstInput?.();
      this.#onFirstInput = undefined;
      const urgency = token.kind === 'press' ? this.#urgent?.(token.text) : undefined;
      if (urgency === 'overtakes' || (isEscape(token) && this.#waiting.length > maxWaitingBeforeEsc))
        this.#waiting = [];
      if (urgency === undefined && !this.#isTypedAhead(token)) this.#waiting.push(token);
    }
    this.#schedule();
  }

  /**
   * Returns whether a token was typed before the question was drawn and must be dropped. Input after an Esc is for the pane behind the
   * question.
   */
  #isTypedAhead(token: InputToken): boolean {
    return this.#typedAhead.isPending && this.#waiting.length === 0 && !isEscape(token);
  }

  #schedule(): void {
    if (!this.#isReading || this.#nextTurn !== undefined || this.#waiting.length === 0) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#deliverNext();
      this.#schedule();
    });
  }

  /** Delivers one token per turn, because its effect can depend on the previous token. */
  #deliverNext(): void {
    const taken = this.#capture?.(this.#waiting) ?? 0;
    if (taken > 0) {
      this.#waiting.splice(0, taken);
      return;
    }
    this.#current = this.#waiting.shift();
    if (this.#current?.kind !== 'press') return;
    this.push(isEscape(this.#current) ? kittyEscape : this.#current.text);
  }
}

function isEscape({ kind, text }: InputToken): boolean {
  return kind === 'press' && (text === esc || text === kittyEscape);
}
