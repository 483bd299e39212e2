import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { InputStream } from '../../../src/world.ts';
import { createTokenizer, type InputToken, type Report } from './input-tokens.ts';
import { type MouseMove, readMouse } from './mouse.ts';
import { TypedAhead } from './typed-ahead.ts';

/** Takes tokens from the front of those that wait, before they become presses, and returns how many it took. */
export type Capture = (waiting: readonly InputToken[]) => number;

/**
 * Called for each press as soon as it is read, before all pending ones. `taken`: it was handled. `overtakes`: it was handled,
 * and pending presses are dropped, as a terminal's driver does for Ctrl-C and Ctrl-Z.
 */
export type Urgent = (press: string) => 'taken' | 'overtakes' | undefined;

type TerminalInput = InputStream & { setRawMode(on: boolean): unknown };

const esc = '\u001b';

/** Escape in the kitty protocol's form, which Ink handles immediately; it would delay a bare ESC. */
const escapeAtOnce = '\u001b[27u';

/** More tokens than hands leave waiting. Esc drops such a pile; behind less it keeps its place. */
const pile = 32;

/** Whether this input can be put into raw mode. */
export function isTerminalInput(input: InputStream): input is TerminalInput {
  return input.isTTY === true && 'setRawMode' in input && typeof input.setRawMode === 'function';
}

/**
 * The standard input as passed to Ink: one key press at a time, each in a separate turn of the event loop. Ink handles
 * everything in one read as one event, and several arrows as presses on the same state, so that fast typing over SSH or tmux
 * would lose keys. A paste reaches only a component that captures it: unrequested text must not run as shortcuts.
 *
 * It passes input on only between `ref` and `unref`, which Ink calls with raw mode; from `begin` on, typed input waits.
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
  #urgent: Urgent | undefined;
  #isRead = false;
  #isGone = false;
  #gone: (() => void) | undefined;
  #typed: (() => void) | undefined;
  #answered: ((answer: string) => void) | undefined;
  readonly #moused = new Set<(move: MouseMove) => void>();
  #turn: NodeJS.Immediate | undefined;
  #patience: NodeJS.Timeout | undefined;

  /** `requestStatus` asks the terminal whether it is well. */
  constructor(source: TerminalInput, requestStatus: () => void) {
    super({ objectMode: true, read() {} });
    this.#source = source;
    this.#typedAhead = new TypedAhead(requestStatus);
    for (const event of ['end', 'close', 'error']) source.on(event, () => this.#notice());
  }

  /** The line was hung up, or the terminal's program has ended. */
  #notice(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#gone?.();
  }

  /** Offers the waiting tokens to a function until the returned one is called. The latest one set is asked. */
  capture(capture: Capture): () => void {
    this.#capture = capture;
    return () => {
      if (this.#capture === capture) this.#capture = undefined;
    };
  }

  /** Sets the handler that receives each press first, until the returned function is called. */
  watch(urgent: Urgent): () => void {
    this.#urgent = urgent;
    return () => {
      if (this.#urgent === urgent) this.#urgent = undefined;
    };
  }

  /**
   * Drops what was typed before a question that is about to be written, up to an Esc: nobody can have meant it as an
   * answer. The returned function ends that, where the question is taken back.
   */
  dropTypedAhead(question: unknown): () => void {
    const first = this.#waiting.findIndex(isEscape);
    this.#waiting.splice(0, first === -1 ? this.#waiting.length : first);
    return this.#typedAhead.begin(question);
  }

  /** Resolves when the terminal has answered everything that it was asked, or is late; undefined where it has. */
  settled(): Promise<void> | undefined {
    return this.#isGone ? undefined : this.#typedAhead.settled();
  }

  /** Takes the presses that follow the one now being read and are the same: returns how many there were. */
  takeRepeats(): number {
    const current = this.#current?.text;
    const other = this.#waiting.findIndex(({ kind, text }) => kind !== 'press' || text !== current);
    const count = other === -1 ? this.#waiting.length : other;
    this.#waiting.splice(0, count);
    return count;
  }

  /** Takes a press that was not typed, as a click on its hint is. */
  press(text: string): void {
    this.#take([{ kind: 'press', text }]);
  }

  /** Calls a listener when the terminal is lost, until the returned function is called. */
  onGone(listener: () => void): () => void {
    this.#gone = listener;
    if (this.#isGone) listener();
    return () => {
      this.#gone = undefined;
    };
  }

  /** Sets the receiver of the terminal's answers: they are not input. */
  onAnswer(listener: (answer: string) => void): void {
    this.#answered = listener;
  }

  /** Calls a listener for what is done with the mouse, until the returned function is called. */
  onMouse(listener: (move: MouseMove) => void): () => void {
    this.#moused.add(listener);
    return () => void this.#moused.delete(listener);
  }

  /** Behind presses that wait it is dropped: it was meant for the screen before them. */
  #move(text: string): void {
    const move = readMouse(text);
    if (move === undefined || this.#waiting.length > 0 || this.#typedAhead.isNow) return;
    for (const listener of [...this.#moused]) listener(move);
  }

  /** A lost terminal has no modes: setting one there would fail. */
  setRawMode(on: boolean): this {
    if (!this.#isGone) this.#source.setRawMode(on);
    return this;
  }

  /** Reads before there is a screen: a terminal would write what is typed on it. Calls `typed` at the first of it. */
  begin(typed: () => void): void {
    this.#typed = typed;
    this.setRawMode(true);
    this.#listen();
  }

  /** Takes `begin` back where no screen came. */
  end(): void {
    this.unref();
    this.setRawMode(false);
  }

  ref(): this {
    this.#isRead = true;
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
    this.#isRead = false;
    this.#source.off('data', this.#onData);
    this.#source.pause();
    this.#waiting = [];
    clearTimeout(this.#patience);
    return this;
  }

  /** Tokens are text already. */
  override setEncoding(): this {
    return this;
  }

  readonly #onData = (chunk: Buffer | string): void => {
    clearTimeout(this.#patience);
    this.#take(this.#tokenizer.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    const patience = this.#tokenizer.patience();
    if (patience === undefined) return;
    this.#patience = setTimeout(() => this.#take(this.#tokenizer.flush()), patience);
  };

  #take(tokens: readonly (InputToken | Report)[]): void {
    for (const token of tokens) {
      if (token.kind === 'answer') {
        this.#answered?.(token.text);
        continue;
      }
      if (token.kind === 'mouse') {
        this.#move(token.text);
        continue;
      }
      if (token.kind === 'press' && this.#typedAhead.takes(token.text)) continue;
      this.#typed?.();
      this.#typed = undefined;
      const urgency = token.kind === 'press' ? this.#urgent?.(token.text) : undefined;
      if (urgency === 'overtakes' || (isEscape(token) && this.#waiting.length > pile)) this.#waiting = [];
      if (urgency === undefined && !this.#isTypedAhead(token)) this.#waiting.push(token);
    }
    this.#schedule();
  }

  /** Input after an Esc is for the pane before the question. */
  #isTypedAhead(token: InputToken): boolean {
    return this.#typedAhead.isNow && this.#waiting.length === 0 && !isEscape(token);
  }

  #schedule(): void {
    if (!this.#isRead || this.#turn !== undefined || this.#waiting.length === 0) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#handOn();
      this.#schedule();
    });
  }

  /** Tokens are offered when their turn comes, so that they meet what those before them have done. */
  #handOn(): void {
    const taken = this.#capture?.(this.#waiting) ?? 0;
    if (taken > 0) {
      this.#waiting.splice(0, taken);
      return;
    }
    this.#current = this.#waiting.shift();
    if (this.#current?.kind !== 'press') return;
    this.push(isEscape(this.#current) ? escapeAtOnce : this.#current.text);
  }
}

function isEscape({ kind, text }: InputToken): boolean {
  return kind === 'press' && (text === esc || text === escapeAtOnce);
}
