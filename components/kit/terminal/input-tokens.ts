/** One key press as sent by the terminal, or one bracketed paste. */
export type InputToken =
  | { readonly kind: 'press'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

/** Input that the terminal itself sends: an answer to a query (OSC, DCS, APC, PM or SOS), or a mouse event. */
export type Report =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'mouse'; readonly text: string };

/** Splits a terminal's input into tokens, no matter how reads divide the input. */
export interface Tokenizer {
  /** Returns the tokens and reports that this chunk completes, in order. */
  push(chunk: string): (InputToken | Report)[];
  /** Returns the milliseconds after which `flush` must be called; undefined if no input is pending. */
  flushDelayMs(): number | undefined;
  /** Returns the pending, incomplete input as tokens. */
  flush(): InputToken[];
}

const esc = '\u001b';
const mouseStart = '\u001b[<';
const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const escapeTimeoutMs = 20;
const pasteTimeoutMs = 1000;

/** Maximum number of characters in a paste: more than the number of bytes of the largest value. */
const maxPasteLength = 32 * 1024 * 1024;

/** A complete CSI sequence, including the Linux console's `ESC [ [ A`, or an SS3 sequence. */
const sequence = /\u001b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-Z\\-~]|O[\d;]*[@-NP-~])/y;

/** A complete OSC, DCS, APC, PM or SOS sequence, which is never a key press. */
const answer = /\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/y;

/** The incomplete beginning of a sequence or an answer. */
const beginning = /\u001b(?:\[\[?|\[[0-?]*[ -/]*|O[\d;]*|[\]P_^X][^\u0007\u001b]*\u001b?)?$/y;

/** Creates a tokenizer in its initial state. */
export function createTokenizer(): Tokenizer {
  let pending = '';
  let pasted: Pasted | undefined;
  return {
    push(chunk) {
      const tokens: (InputToken | Report)[] = [];
      for (let input = pending + chunk; input !== ''; ) {
        if (pasted !== undefined) {
          const behind = pasted.take(input);
          if (behind === undefined) return tokens;
          tokens.push(pasted.token());
          pasted = undefined;
          input = behind;
        } else {
          input = cutTokens(input, tokens);
          pending = input;
          if (!input.startsWith(pasteStart)) return tokens;
          pending = '';
          pasted = new Pasted();
          input = input.slice(pasteStart.length);
        }
      }
      pending = '';
      return tokens;
    },
    flushDelayMs() {
      if (pasted !== undefined) return pasteTimeoutMs;
      return pending === '' ? undefined : escapeTimeoutMs;
    },
    flush() {
      const tokens = pasted === undefined ? takeAsPresses(pending) : [pasted.token()];
      pasted = undefined;
      pending = '';
      return tokens;
    },
  };
}

/** A paste that has not ended. Parses each part only once, even if the paste arrives in many reads. */
class Pasted {
  readonly #pieces: string[] = [];
  #length = 0;
  /** The last characters, which may be the beginning of the end sequence. */
  #tail = '';

  /** Adds a chunk, and returns the input after the end of the paste; undefined while the paste continues. */
  take(input: string): string | undefined {
    const text = this.#tail + input;
    const end = text.indexOf(pasteEnd);
    const keep = end === -1 ? Math.max(0, text.length - pasteEnd.length + 1) : end;
    if (this.#length < maxPasteLength) this.#pieces.push(text.slice(0, keep));
    this.#length += keep;
    this.#tail = end === -1 ? text.slice(keep) : '';
    return end === -1 ? undefined : text.slice(end + pasteEnd.length);
  }

  token(): InputToken {
    return { kind: 'paste', text: (this.#pieces.join('') + this.#tail).slice(0, maxPasteLength) };
  }
}

/** Adds tokens until a paste begins or a token is incomplete, and returns the rest of the input. */
function cutTokens(input: string, tokens: (InputToken | Report)[]): string {
  let at = 0;
  while (at < input.length) {
    const length = input[at] === esc ? escapedLength(input, at, tokens) : pressLength(input, at, tokens);
    if (length === 0) return input.slice(at);
    at += length;
  }
  return '';
}

/** Adds the token that begins with ESC and returns its length; 0 if a paste begins here or the token is incomplete. */
function escapedLength(input: string, at: number, tokens: (InputToken | Report)[]): number {
  if (input.startsWith(pasteStart, at)) return 0;
  const key = matchAt(sequence, input, at);
  if (key !== undefined) {
    tokens.push({ kind: key.startsWith(mouseStart) ? 'mouse' : 'press', text: key });
    return key.length;
  }
  const reply = matchAt(answer, input, at);
  if (reply !== undefined) {
    tokens.push({ kind: 'answer', text: reply });
    return reply.length;
  }
  if (matchAt(beginning, input, at) !== undefined) return 0;
  return withAlt(input, at, tokens);
}

/** Adds a press of Alt and the character after ESC, or of Esc alone if another ESC follows. Returns its length. */
function withAlt(input: string, at: number, tokens: (InputToken | Report)[]): number {
  const next = input[at + 1] === esc ? '' : characterAt(input, at + 1);
  tokens.push({ kind: 'press', text: esc + next });
  return 1 + next.length;
}

function pressLength(input: string, at: number, tokens: (InputToken | Report)[]): number {
  const character = characterAt(input, at);
  tokens.push({ kind: 'press', text: character });
  return character.length;
}

function takeAsPresses(text: string): InputToken[] {
  if (text === '') return [];
  const tokens: InputToken[] = [];
  let at = withAlt(text, 0, tokens);
  while (at < text.length) at += pressLength(text, at, tokens);
  return tokens;
}

function matchAt(pattern: RegExp, input: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(input)?.[0];
}

function characterAt(input: string, at: number): string {
  const code = input.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
