// Custom parser of argv, instead of Node's `parseArgs` or a library. Gain: up to 0.9 ms of processor time, the cost of the first call to
// `parseArgs` (median of 60 interleaved runs; bench: npm run bench -- startup). The custom parser is kept because of its behavior: only the
// declaration of a command determines whether a flag before its words takes a value, and `kv:key` means `kv key`. `parseArgs` and commander
// interpret a flag before the command is known. To remove: find the command by its first words, and reject flags before them; `parseArgs`
// can then replace `tokenize`.
import type { CommandNode, CommandRow } from './command.ts';
import { type Flags, takesNext } from './declaration.ts';
import { globalFlags } from './flags.ts';

/** A flag, and the number of arguments before it. */
export interface PlacedFlag extends FlagToken {
  readonly after: number;
}

/** A command line, parsed but not validated. */
export interface CommandLine {
  /** The arguments as typed. */
  readonly argv: readonly string[];
  /** The command with these words, or the deepest group that the words reach. */
  readonly at: CommandNode;
  /** Another command with the same words, if a flag before the words takes a value in only one of the two commands. */
  readonly also: CommandRow | undefined;
  /** The unknown word, if the words name no command. */
  readonly unknown: string | undefined;
  /** `kv:key`, as typed. */
  readonly colon: string | undefined;
  /** Whether the line starts with `help`. */
  readonly help: boolean;
  readonly flags: readonly PlacedFlag[];
  /** Arguments after the command's words. */
  readonly args: readonly string[];
}

/**
 * Parses a command line: global and command flags may be before, between and after the words. `kv:key get` is read as `kv key get`, and
 * `help kv` as `kv --help`. Never throws.
 *
 * The command determines whether a flag before its words takes a value (`--metadata` takes one on `kv key put` but not on `kv key get`).
 * Therefore, the line is parsed once for every command whose words it contains. The right command is the one whose words remain at the
 * start once the flags and their values are removed.
 */
export function readCommandLine(argv: readonly string[], root: CommandNode): CommandLine {
  const typed = new Set(argv.flatMap((token) => [token, ...colonWords(token)]));
  const readings = root.rows
    .filter(({ words }) => words.split(' ').every((word) => typed.has(word)))
    .map((row) => ({ row, line: walk(argv, tokenize(argv, row, root.rows), root) }))
    .filter(({ row, line }) => line.at.row === row);
  const [first, second] = readings;
  if (first === undefined) return walk(argv, tokenize(argv, undefined, root.rows), root);
  return second === undefined ? first.line : { ...first.line, also: second.row };
}

/** Follows the words through the command tree as far as possible. */
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

/** Splits `kv:key` into its words; empty for any other form. */
function colonWords(text: string): string[] {
  return text.includes(':') && /^[a-z]+:[a-z:]+$/.test(text) ? text.split(':') : [];
}

/** A flag on a command line, not yet validated. */
interface FlagToken {
  readonly kind: 'flag';
  /** The declared name, even if a single letter was typed. */
  readonly name: string;
  /** The flag as typed, without its value, which may be secret. */
  readonly shown: string;
  /** Whether the flag was typed with two dashes. */
  readonly long: boolean;
  /** The value of a flag that takes a value: the next argument, or the part after `=`. */
  readonly value: string | undefined;
}

/** A token other than a flag: a command word or an argument. */
interface TextToken {
  readonly kind: 'text';
  readonly text: string;
  /** Whether the token follows `--`, and therefore cannot be a command word. */
  readonly literal: boolean;
}

type Token = FlagToken | TextToken;

/**
 * Splits a command line into words and flags with their values, according to the declaration of the command `row`. A flag that only other
 * commands declare takes the next argument if any of these commands declares a value for the flag. A value is therefore never mistaken for
 * a word. Each letter of a cluster such as `-yq` is a separate flag. A negative number is a word.
 */
export function tokenize(
  argv: readonly string[],
  row: CommandRow | undefined,
  others: readonly CommandRow[],
): Token[] {
  const own = declaredFlags(row);
  const tokens = tokenizeArguments(argv, own);
  if (tokens.every((token) => token.kind === 'text' || own.takes.has(token.name))) return tokens;
  return tokenizeArguments(argv, declaredFlagsWithOthers(row, others));
}

/** The flags that a command accepts (its own and global flags), and their letters. */
interface Declared {
  /** Whether each flag takes the next argument. */
  readonly takes: Map<string, boolean>;
  /** The flag name of each letter. */
  readonly letters: Map<string, string>;
}

function declaredFlags(row: CommandRow | undefined): Declared {
  const made: Declared = { takes: new Map(), letters: new Map() };
  for (const flags of [row?.flags ?? {}, globalFlags]) addFlags(made, flags);
  return made;
}

type ByRow = Map<CommandRow | undefined, Declared>;

/**
 * The flags are cached, because a line is parsed for many commands, and completion parses the line again at each key
 * press.
 */
const declaredCache = new WeakMap<readonly CommandRow[], ByRow>();

function declaredFlagsWithOthers(row: CommandRow | undefined, others: readonly CommandRow[]): Declared {
  const byRow: ByRow = declaredCache.get(others) ?? new Map();
  declaredCache.set(others, byRow);
  const before = byRow.get(row);
  if (before !== undefined) return before;
  const made = declaredFlags(row);
  const own = new Set(made.takes.keys());
  for (const { flags } of others) addFlags(made, flags, own);
  byRow.set(row, made);
  return made;
}

/**
 * Adds flags, except the flags in `settled`. If two flags have the same letter, the letter means the first flag. A flag takes a value if
 * any command declares a value for it.
 */
function addFlags({ takes, letters }: Declared, flags: Flags, settled?: ReadonlySet<string>): void {
  for (const [name, flag] of Object.entries(flags)) {
    if (settled?.has(name)) continue;
    takes.set(name, takesNext(flag) || takes.get(name) === true);
    if (flag.short !== undefined && !letters.has(flag.short)) letters.set(flag.short, name);
  }
}

/** Splits a line like Node's `parseArgs`, whose first call takes a twentieth of the time of a bare startup. */
function tokenizeArguments(argv: readonly string[], declared: Declared): Token[] {
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

/** Parses `--name` or `--name=value`; a leading `=` is part of the (invalid) name. */
function longFlag(text: string, { takes }: Declared): FlagToken {
  const end = text.indexOf('=', 3);
  const raw = end < 0 ? text : text.slice(0, end);
  const name = raw.slice(2);
  // Compiling the pattern takes half a millisecond, so valid flags skip the redaction.
  const shown = takes.has(name) ? raw : redactFlagValue(raw);
  return { kind: 'flag', name, shown, long: true, value: end < 0 ? undefined : text.slice(end + 1) };
}

/**
 * Splits a cluster such as `-yq` into its flags. If a flag takes a value, the rest of the cluster is the value. The characters after an
 * unknown letter are ignored.
 */
function cluster(text: string, { takes, letters }: Declared): FlagToken[] {
  const found: FlagToken[] = [];
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const raw = `-${letter}`;
    const name = letters.get(letter) ?? letter;
    const rest = text.slice(at + 1);
    const isKnown = takes.has(name);
    const value = isKnown && takes.get(name) === true && rest !== '' ? rest : undefined;
    const shown = isKnown ? raw : redactFlagValue(raw) + (hasAttachedValue(raw, rest) ? '…' : '');
    found.push({ kind: 'flag', name, shown, long: false, value });
    if (!isKnown || value !== undefined) break;
  }
  return found;
}

/** Returns whether a value directly follows the letter of an unknown flag, without a space: `-xVALUE`. */
function hasAttachedValue(raw: string, rest: string): boolean {
  return /^-\w$/.test(raw) && rest !== '';
}

function isNumber(text: string): boolean {
  return /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/.test(text);
}

/** Returns a flag for display: its name, without any text after the name (`--token:…`). */
function redactFlagValue(raw: string): string {
  if (raw.startsWith('--')) return raw.replace(/=.*/s, '').replace(/[^\p{L}\p{N}-].*/su, '…');
  return /^-[!-~]$/.test(raw) ? raw : '-…';
}
