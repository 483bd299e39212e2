import type { CommandNode, CommandRow } from './command.ts';
import { type FlagToken, type Token, tokensOf } from './tokens.ts';

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
