import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { InputStream } from '../../src/world.ts';
import { createTokenizer, type Token } from './input-tokens.ts';

/** Turns a token into sequences that Ink reads one by one. None drops the token. */
export type Translate = (token: Token) => readonly string[];

type TerminalInput = InputStream & { setRawMode(on: boolean): unknown };

/** A press as it is. A paste is dropped: text that nobody asked for must not run as shortcuts. */
const asTyped: Translate = (token) => (token.kind === 'press' ? [token.text] : []);

/** Escape in the kitty protocol's form, which Ink takes at once; a bare ESC it would hold back once more. */
const escapeAtOnce = '\u001b[27u';

/** Whether this input can be put into raw mode. */
export function isTerminalInput(input: InputStream): input is TerminalInput {
  return input.isTTY === true && 'setRawMode' in input && typeof input.setRawMode === 'function';
}

/**
 * The standard input that Ink gets: one key press, or one paste, at a time, each in a turn of its own of the event
 * loop. Ink takes everything that is in one read as one event, and several arrows as presses on one and the same
 * state, so that fast typing over SSH or tmux would lose keys.
 *
 * It reads the real input only between `ref` and `unref`, which Ink calls with raw mode.
 */
export class StdinProxy extends Readable {
  readonly isTTY = true;
  readonly #source: TerminalInput;
  readonly #tokenizer = createTokenizer();
  readonly #decoder = new StringDecoder('utf8');
  #waiting: Array<{ token: Token } | { sequence: string }> = [];
  #translate: Translate = asTyped;
  #turn: NodeJS.Immediate | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(source: TerminalInput) {
    super({ objectMode: true, read() {} });
    this.#source = source;
  }

  /** Sets how tokens reach Ink until the returned function is called. The latest one set is asked. */
  translate(translate: Translate): () => void {
    this.#translate = translate;
    return () => {
      if (this.#translate === translate) this.#translate = asTyped;
    };
  }

  setRawMode(on: boolean): this {
    this.#source.setRawMode(on);
    return this;
  }

  ref(): this {
    this.#source.off('data', this.#onData);
    this.#source.on('data', this.#onData);
    this.#source.resume();
    return this;
  }

  unref(): this {
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

  #take(tokens: readonly Token[]): void {
    for (const token of tokens) this.#waiting.push({ token });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#turn !== undefined || this.#waiting.length === 0) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#emitNext();
      this.#schedule();
    });
  }

  /** A token is translated when its turn comes, so that it meets what the tokens before it have done. */
  #emitNext(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if ('sequence' in next) {
        this.push(next.sequence === '\u001b' ? escapeAtOnce : next.sequence);
        return;
      }
      this.#waiting.unshift(...this.#translate(next.token).map((sequence) => ({ sequence })));
    }
  }
}
