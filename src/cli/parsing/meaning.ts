import { Problem } from '../../model/problem.ts';
import { commandLine } from '../../text/shell.ts';
import type { CommandNode, CommandRow, Input } from './command.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { globalFlags } from './flags.ts';
import { readInput } from './input.ts';
import { type Correct, flagWithoutCommand, twoCommands, unknownCommand, unknownFlag } from './refusals.ts';
import { isTopic, type Topic } from './topics.ts';

/** The request that a command line makes: a command to run, help, the version, or nothing. */
export type Meaning =
  | { readonly kind: 'command'; readonly row: CommandRow; readonly input: Input }
  /** Help of a command, a group, or the whole. */
  | { readonly kind: 'help'; readonly at: CommandNode }
  | { readonly kind: 'version' }
  /** Help of a subject. */
  | { readonly kind: 'topic'; readonly topic: Topic }
  /** The schema of a command's answer, by the words behind `help schema`. */
  | { readonly kind: 'schema'; readonly words: string }
  /** A group, or nothing at all, without a command. */
  | { readonly kind: 'nothing'; readonly at: CommandNode };

/** Returns the meaning of a command line. Throws a usage Problem that names the mistake, and never a value that may be secret. */
export function meaningOf(line: CommandLine, root: CommandNode): Meaning {
  return meaningWith(line, root, (argv) => pasted(argv, root));
}

/** A corrected line as it can be pasted; undefined where the program does not take it, or it has what may be secret. */
function pasted(argv: readonly string[], root: CommandNode): string | undefined {
  try {
    const meaning = meaningWith(readCommandLine(argv, root), root, () => undefined);
    if (meaning.kind !== 'command') return undefined;
    const { row, input } = meaning;
    const isSecret = Object.entries(row.arguments).some(
      ([name, { mayBeSecret }]) => mayBeSecret && (input.args as Readonly<Record<string, unknown>>)[name],
    );
    return isSecret ? undefined : commandLine(argv);
  } catch {
    return undefined;
  }
}

function meaningWith(line: CommandLine, root: CommandNode, correct: Correct): Meaning {
  const { at, also } = line;
  const asked = askedInstead(line);
  const { help, args, unknown } = line;
  if (help && at === root && unknown !== undefined && isTopic(unknown)) {
    if (args.length === 1) return { kind: 'topic', topic: unknown };
    if (unknown === 'schema') return { kind: 'schema', words: args.slice(1).join(' ') };
  }
  if (at.row === undefined) return meaningOfGroup(line, asked, root, correct);
  if (asked === 'version') return { kind: 'version' };
  if (asked === 'help') return { kind: 'help', at };
  if (also !== undefined) throw twoCommands(at.row, also);
  const known = { ...at.row.flags, ...globalFlags };
  const foreign = line.flags.find(({ name }) => !Object.hasOwn(known, name));
  if (foreign !== undefined) throw unknownFlag(line, foreign, root, correct);
  return { kind: 'command', row: at.row, input: readInput(at.row, line) };
}

/** A flag that nobody knows is refused before the word behind it is shown, which may be its value. */
function meaningOfGroup(
  line: CommandLine,
  asked: 'help' | 'version' | undefined,
  root: CommandNode,
  correct: Correct,
): Meaning {
  const { at, unknown, flags } = line;
  if (asked === 'version') return { kind: 'version' };
  const own = flags.filter(({ name, after }) => after === 0 && !Object.hasOwn(globalFlags, name));
  const foreign = own.find(({ name }) => !at.rows.some((row) => Object.hasOwn(row.flags, name)));
  if (foreign !== undefined) throw unknownFlag(line, foreign, root, correct);
  if (unknown !== undefined) throw unknownCommand(line, root, correct);
  if (asked === 'help') return { kind: 'help', at };
  if (own[0] !== undefined) throw flagWithoutCommand(at, own[0]);
  return { kind: 'nothing', at };
}

/**
 * Returns the request for help or the version that replaces the command. A short `-h` or `-v` where an argument is
 * still missing is refused, because it may be meant as that argument's value.
 */
function askedInstead({ at, flags, help }: CommandLine): 'help' | 'version' | undefined {
  const declared = Object.keys(at.row?.arguments ?? {});
  for (const { name, long, after } of flags) {
    if (name !== 'help' && name !== 'version') continue;
    const missing = after === 0 ? undefined : declared[after];
    if (long || missing === undefined) return name;
    const short = globalFlags[name].short;
    throw new Problem('usage', `-${short} stands where ${missing} is expected.`, {
      hint: `For ${missing} itself, write it behind --: -- -${short}. For the ${name}, write --${name}.`,
    });
  }
  return help ? 'help' : undefined;
}
