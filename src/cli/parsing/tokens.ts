import { parseArgs } from 'node:util';
import type { CommandRow } from './command.ts';
import { type Flags, takesNext } from './declaration.ts';
import { globalFlags } from './flags.ts';

/** A flag as it stands on a command line, before anything is checked. */
export interface FlagToken {
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
export interface TextToken {
  readonly kind: 'text';
  readonly text: string;
  /** Behind `--`: no word of a command. */
  readonly literal: boolean;
}

export type Token = FlagToken | TextToken;

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
  const { options } = declared(row);
  const tokens = cut(argv, options);
  if (tokens.every((token) => token.kind === 'text' || Object.hasOwn(options, token.name))) return tokens;
  return cut(argv, declaredWithOthers(row, others));
}

/** The flags that a command may have on its line, its own and global ones, and the letters that stand for them. */
interface Declared {
  readonly options: Options;
  readonly letters: Letters;
}

function declared(row: CommandRow | undefined): Declared {
  const made: Declared = { options: {}, letters: new Map() };
  for (const flags of [row?.flags ?? {}, globalFlags]) addFlags(made.options, made.letters, flags);
  return made;
}

type ByRow = Map<CommandRow | undefined, Options>;

/** A line is read as many commands, and completed again with each key: all flags are put together once for each. */
const known = new WeakMap<readonly CommandRow[], ByRow>();

function declaredWithOthers(row: CommandRow | undefined, others: readonly CommandRow[]): Options {
  const byRow: ByRow = known.get(others) ?? new Map();
  known.set(others, byRow);
  const before = byRow.get(row);
  if (before !== undefined) return before;
  const { options, letters } = declared(row);
  const own = new Set(Object.keys(options));
  for (const { flags } of others) addFlags(options, letters, flags, own);
  byRow.set(row, options);
  return options;
}

type Options = Record<string, { type: 'string' | 'boolean'; short?: string }>;

/** The flag that each letter stands for. */
type Letters = Map<string, string>;

/** Adds flags to those that there are, but those that are settled. Of two with one letter the first has it. */
function addFlags(options: Options, letters: Letters, flags: Flags, settled?: ReadonlySet<string>): void {
  for (const [name, flag] of Object.entries(flags)) {
    if (settled?.has(name)) continue;
    const before = options[name];
    const short = flag.short ?? before?.short;
    const type = takesNext(flag) || before?.type === 'string' ? 'string' : 'boolean';
    const isFree = short !== undefined && (letters.get(short) ?? name) === name;
    if (isFree) letters.set(short, name);
    options[name] = isFree ? { type, short } : { type };
  }
}

function cut(argv: readonly string[], options: Options): Token[] {
  const config = { args: [...argv], options, strict: false, allowPositionals: true, tokens: true } as const;
  const found: Token[] = [];
  let literal = false;
  // Where the rest of a token is no flag: the digits of `-12`, and what stands behind a letter that nobody knows.
  let skipped = -1;
  for (const token of parseArgs(config).tokens) {
    if (token.index === skipped) continue;
    if (token.kind === 'option-terminator') literal = true;
    else if (token.kind === 'positional') found.push({ kind: 'text', text: token.value, literal });
    else if (!token.rawName.startsWith('--') && isNumber(argv[token.index])) {
      found.push({ kind: 'text', text: argv[token.index] ?? '', literal });
      skipped = token.index;
    } else {
      const { name, rawName, value } = token;
      const isKnown = Object.hasOwn(options, name);
      if (!isKnown) skipped = token.index;
      // The pattern of what may be shown takes half a millisecond to compile: none for a flag as it should be.
      const shown = isKnown
        ? rawName
        : shownFlag(rawName) + (isCutShort(rawName, argv[token.index]) ? '…' : '');
      found.push({ kind: 'flag', name, shown, long: rawName.startsWith('--'), value });
    }
  }
  return found;
}

/** Whether more stands behind the letter of an unknown flag: a value that begins with a dash is not that letter alone. */
function isCutShort(rawName: string, text = ''): boolean {
  if (rawName.startsWith('--')) return false;
  return /^-\w$/.test(rawName) && text.indexOf(rawName.slice(1)) + 1 < text.length;
}

function isNumber(text = ''): boolean {
  return /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/.test(text);
}

/** A flag as it may be shown: its name, without what was typed behind it, whatever stands between (`--token:…`). */
function shownFlag(raw: string): string {
  if (raw.startsWith('--')) return raw.replace(/=.*/s, '').replace(/[^\p{L}\p{N}-].*/su, '…');
  return /^-[!-~]$/.test(raw) ? raw : '-…';
}
