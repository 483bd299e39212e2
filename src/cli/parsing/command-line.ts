// Our own parser of argv, in place of Node's `parseArgs` or a library.
//
// Gain: at most 0.9 ms of processor time, which the first call of `parseArgs` takes (median of 60 interleaved runs; bench:
// npm run bench -- startup). It stays for what it can do: only the declaration of a command says whether a flag before its words
// takes a value, and `kv:key` stands for `kv key`. `parseArgs` and commander judge a flag before they know its command.
// To remove: find the command by its first words, and refuse flags before them; `parseArgs` can then replace `tokensOf`.
import type { CommandNode, CommandRow } from './command.ts';
import { type Flags, takesNext } from './declaration.ts';
import { globalFlags } from './flags.ts';

/** A flag, and how many arguments stand before it. */
export interface PlacedFlag extends FlagToken {
  readonly after: number;
}

/** A command line, taken apart but not yet judged. */
export interface CommandLine {
  /** As it was typed. */
  readonly argv: readonly string[];
  /** The command that its words name, or as far as they lead. */
  readonly at: CommandNode;
  /** Another command that the same words name, where a flag before them takes a value in one of the two only. */
  readonly also: CommandRow | undefined;
  /** The word that leads nowhere, where they name no command. */
  readonly unknown: string | undefined;
  /** `kv:key`, as it was typed. */
  readonly colon: string | undefined;
  /** Whether it begins with `help`. */
  readonly help: boolean;
  readonly flags: readonly PlacedFlag[];
  /** Arguments after the words of the command. */
  readonly args: readonly string[];
}

/**
 * Takes a command line apart: flags of all commands and of its own may stand before, between and behind the words.
 * `kv:key get` is taken for `kv key get`, and `help kv` for `kv --help`. Refuses nothing.
 *
 * Which command it is says what a flag before its words takes (`--metadata` has a value on `kv key put` and none on
 * `kv key get`), so each command that has its words somewhere on the line is tried: it is the one under whose own
 * declaration these words come first.
 */
export function readCommandLine(argv: readonly string[], root: CommandNode): CommandLine {
  const typed = new Set(argv.flatMap((token) => [token, ...colonWords(token)]));
  const readings = root.rows
    .filter(({ words }) => words.split(' ').every((word) => typed.has(word)))
    .map((row) => ({ row, line: walk(argv, tokensOf(argv, row, root.rows), root) }))
    .filter(({ row, line }) => line.at.row === row);
  const [first, second] = readings;
  if (first === undefined) return walk(argv, tokensOf(argv, undefined, root.rows), root);
  return second === undefined ? first.line : { ...first.line, also: second.row };
}

/** Goes along the words as far as they lead. */
function walk(argv: readonly string[], tokens: readonly Token[], root: CommandNode): CommandLine {
  let at = root;
  let unknown: string | undefined;
  let colon: string | undefined;
  let help = false;
  const flags: PlacedFlag[] = [];
  const args: string[] = [];
  const take = (word: string): void => {
    const next = args.length === 0 ? at.below.get(word) : undefined;
    if (next === undefined && at.row === undefined) unknown ??= word;
    if (next === undefined) args.push(word);
    else at = next;
  };
  for (const token of tokens) {
    if (token.kind === 'flag') flags.push({ ...token, after: args.length });
    else if (token.literal) args.push(token.text);
    else if (at !== root || args.length > 0) take(token.text);
    else if (token.text === 'help') help = true;
    else {
      const words = colonWords(token.text);
      if (words.length > 0) colon = token.text;
      for (const word of words.length > 0 ? words : [token.text]) take(word);
    }
  }
  return { argv, at, also: undefined, unknown, colon, help, flags, args };
}

/** The words of `kv:key`; none of what has another form. */
function colonWords(text: string): string[] {
  return text.includes(':') && /^[a-z]+:[a-z:]+$/.test(text) ? text.split(':') : [];
}

/** A flag as it stands on a command line, before anything is checked. */
interface FlagToken {
  readonly kind: 'flag';
  /** As it is declared, also where one letter was typed. */
  readonly name: string;
  /** As it was typed, without what stood behind it: that may be a secret. */
  readonly shown: string;
  /** Written with two dashes. */
  readonly long: boolean;
  /** Its value where it takes one: the next argument, or the text behind its `=`. */
  readonly value: string | undefined;
}

/** A token that is no flag: a word of a command, or an argument. */
interface TextToken {
  readonly kind: 'text';
  readonly text: string;
  /** Behind `--`: no word of a command. */
  readonly literal: boolean;
}

type Token = FlagToken | TextToken;

/**
 * A command line cut into flags with their values and texts, as the command `row` declares them. A flag that is none of
 * its own is read as others declare it, and takes what follows if any of them does, so that a value is never taken for a
 * word. One letter of a cluster is a flag of its own, as in `-yq`. A negative number is a text.
 */
export function tokensOf(
  argv: readonly string[],
  row: CommandRow | undefined,
  others: readonly CommandRow[],
): Token[] {
  const own = declared(row);
  const tokens = cut(argv, own);
  if (tokens.every((token) => token.kind === 'text' || own.takes.has(token.name))) return tokens;
  return cut(argv, declaredWithOthers(row, others));
}

/** The flags that a command may have on its line, its own and global ones, and the letters that stand for them. */
interface Declared {
  /** Whether each flag takes the next argument. */
  readonly takes: Map<string, boolean>;
  /** The flag that each letter stands for. */
  readonly letters: Map<string, string>;
}

function declared(row: CommandRow | undefined): Declared {
  const made: Declared = { takes: new Map(), letters: new Map() };
  for (const flags of [row?.flags ?? {}, globalFlags]) addFlags(made, flags);
  return made;
}

type ByRow = Map<CommandRow | undefined, Declared>;

/** A line is read as many commands, and completed again with each key: all flags are put together once for each. */
const known = new WeakMap<readonly CommandRow[], ByRow>();

function declaredWithOthers(row: CommandRow | undefined, others: readonly CommandRow[]): Declared {
  const byRow: ByRow = known.get(others) ?? new Map();
  known.set(others, byRow);
  const before = byRow.get(row);
  if (before !== undefined) return before;
  const made = declared(row);
  const own = new Set(made.takes.keys());
  for (const { flags } of others) addFlags(made, flags, own);
  byRow.set(row, made);
  return made;
}

/** Adds flags to those that there are, but those that are settled. Of two with one letter the first has it. */
function addFlags({ takes, letters }: Declared, flags: Flags, settled?: ReadonlySet<string>): void {
  for (const [name, flag] of Object.entries(flags)) {
    if (settled?.has(name)) continue;
    takes.set(name, takesNext(flag) || takes.get(name) === true);
    if (flag.short !== undefined && !letters.has(flag.short)) letters.set(flag.short, name);
  }
}

/** As Node's `parseArgs` cuts it, whose first call takes the twentieth part of a bare start. */
function cut(argv: readonly string[], declared: Declared): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? '';
    if (text === '--') return [...found, ...argv.slice(at + 1).map((one) => textToken(one, true))];
    if (!text.startsWith('-') || text === '-' || isNumber(text)) {
      found.push(textToken(text, false));
      continue;
    }
    const flags = text.startsWith('--') ? [longFlag(text, declared)] : cluster(text, declared);
    const last = flags.pop();
    if (last === undefined) continue;
    const takesIt = last.value === undefined && declared.takes.get(last.name) === true;
    found.push(...flags, takesIt && at + 1 < argv.length ? { ...last, value: argv[++at] } : last);
  }
  return found;
}

function textToken(text: string, literal: boolean): TextToken {
  return { kind: 'text', text, literal };
}

/** `--name` or `--name=value`; an `=` that is first is a part of the name, which is wrong then. */
function longFlag(text: string, { takes }: Declared): FlagToken {
  const end = text.indexOf('=', 3);
  const raw = end < 0 ? text : text.slice(0, end);
  const name = raw.slice(2);
  // The pattern of what may be shown takes half a millisecond to compile: none for a flag as it should be.
  const shown = takes.has(name) ? raw : shownFlag(raw);
  return { kind: 'flag', name, shown, long: true, value: end < 0 ? undefined : text.slice(end + 1) };
}

/** The flags of `-yq`. What stands behind a letter is its value where it takes one, and no flag where nobody knows the letter. */
function cluster(text: string, { takes, letters }: Declared): FlagToken[] {
  const found: FlagToken[] = [];
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const raw = `-${letter}`;
    const name = letters.get(letter) ?? letter;
    const rest = text.slice(at + 1);
    const isKnown = takes.has(name);
    const value = isKnown && takes.get(name) === true && rest !== '' ? rest : undefined;
    const shown = isKnown ? raw : shownFlag(raw) + (isCutShort(raw, rest) ? '…' : '');
    found.push({ kind: 'flag', name, shown, long: false, value });
    if (!isKnown || value !== undefined) break;
  }
  return found;
}

/** Whether more stands behind the letter of an unknown flag: a value that begins with a dash is not that letter alone. */
function isCutShort(raw: string, rest: string): boolean {
  return /^-\w$/.test(raw) && rest !== '';
}

function isNumber(text: string): boolean {
  return /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/.test(text);
}

/** A flag as it may be shown: its name, without what was typed behind it, whatever stands between (`--token:…`). */
function shownFlag(raw: string): string {
  if (raw.startsWith('--')) return raw.replace(/=.*/s, '').replace(/[^\p{L}\p{N}-].*/su, '…');
  return /^-[!-~]$/.test(raw) ? raw : '-…';
}
