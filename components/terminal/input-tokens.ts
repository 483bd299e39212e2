/** One key press as the terminal sends it, or one bracketed paste. */
export type Token =
  | { readonly kind: 'press'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

/** Cuts a terminal's input into tokens, however the reads happened to cut it. */
export interface Tokenizer {
  /** The tokens that are complete with this chunk. */
  push(chunk: string): Token[];
  /** Milliseconds after which what is pending is taken as it is, or undefined when nothing is pending. */
  patience(): number | undefined;
  /** Returns the pending input as it is. */
  flush(): Token[];
}

const esc = '\u001b';
const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const escapePatience = 20;
const pastePatience = 1000;

/** Longest paste that is kept. No field holds as much. */
const longestPaste = 1024 * 1024;

/** CSI with the Linux console's `ESC [ [ A`, and SS3. */
const sequence = /\u001b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-Z\\-~]|O[\d;]*[@-NP-~])/y;

/** OSC, DCS, APC, PM and SOS: a terminal's answers, never a key press. */
const answer = /\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/y;

/** The beginning of any of these. */
const beginning = /\u001b(?:\[\[?|\[[0-?]*[ -/]*|O[\d;]*|[\]P_^X][^\u0007\u001b]*\u001b?)?$/y;

/** A tokenizer at the start of the input. */
export function createTokenizer(): Tokenizer {
  let pending = '';
  return {
    push(chunk) {
      const cut = cutTokens(pending + chunk);
      pending = cut.pending;
      return cut.tokens;
    },
    patience() {
      if (pending === '') return undefined;
      return pending.startsWith(pasteStart) ? pastePatience : escapePatience;
    },
    flush() {
      const text = pending;
      pending = '';
      if (text.startsWith(pasteStart)) return [paste(text.slice(pasteStart.length))];
      return text === '' ? [] : takeAsPresses(text);
    },
  };
}

function cutTokens(input: string): { tokens: Token[]; pending: string } {
  const tokens: Token[] = [];
  let at = 0;
  while (at < input.length) {
    const length = input[at] === esc ? escapedLength(input, at, tokens) : pressLength(input, at, tokens);
    if (length === 0) return { tokens, pending: input.slice(at) };
    at += length;
  }
  return { tokens, pending: '' };
}

/** Length of what begins with ESC, with its token pushed; 0 when more input decides. */
function escapedLength(input: string, at: number, tokens: Token[]): number {
  if (input.startsWith(pasteStart, at)) {
    const end = input.indexOf(pasteEnd, at);
    if (end === -1) return 0;
    tokens.push(paste(input.slice(at + pasteStart.length, end)));
    return end + pasteEnd.length - at;
  }
  const key = matchAt(sequence, input, at);
  if (key !== undefined) {
    tokens.push({ kind: 'press', text: key });
    return key.length;
  }
  const reply = matchAt(answer, input, at);
  if (reply !== undefined) return reply.length;
  if (matchAt(beginning, input, at) !== undefined) return 0;
  return withAlt(input, at, tokens);
}

/** ESC and a character are that character with Alt; two ESC are two presses. */
function withAlt(input: string, at: number, tokens: Token[]): number {
  const next = input[at + 1] === esc ? '' : characterAt(input, at + 1);
  tokens.push({ kind: 'press', text: esc + next });
  return 1 + next.length;
}

function pressLength(input: string, at: number, tokens: Token[]): number {
  const character = characterAt(input, at);
  tokens.push({ kind: 'press', text: character });
  return character.length;
}

function takeAsPresses(text: string): Token[] {
  const tokens: Token[] = [];
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

function paste(text: string): Token {
  return { kind: 'paste', text: text.slice(0, longestPaste) };
}
