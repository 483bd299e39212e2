import { idFault, localIdFault, malformedId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import { commandLine } from '../../text/shell.ts';
import { parseDuration } from '../../text/time.ts';
import type { CommandNode, CommandRow, Input } from './command.ts';
import { type CommandLine, type PlacedFlag, readCommandLine } from './command-line.ts';
import type { CommandDeclaration, FlagDeclaration, Flags } from './declaration.ts';
import { formatFlag, globalFlags } from './flags.ts';
import { type Correct, flagWithoutCommand, twoCommands, unknownCommand, unknownFlag } from './refusals.ts';
import { isTopic, type Topic } from './topics.ts';

/** The request that a command line makes: a command to run, help, the version, or nothing. */
export type Meaning =
  | { readonly kind: 'command'; readonly row: CommandRow; readonly input: Input }
  /** Help of a command, of a group, or the main help. */
  | { readonly kind: 'help'; readonly at: CommandNode }
  | { readonly kind: 'version' }
  /** Help on a topic. */
  | { readonly kind: 'topic'; readonly topic: Topic }
  /** The schema of a command's answer, by the words after `help schema`. */
  | { readonly kind: 'schema'; readonly words: string }
  /** A group or an empty line, without a command. */
  | { readonly kind: 'nothing'; readonly at: CommandNode };

/**
 * Interprets a command line. Throws a usage Problem that describes the mistake and never contains a value that may be secret.
 */
export function interpret(line: CommandLine, root: CommandNode): Meaning {
  return interpretWith(line, root, (argv) => formatCorrected(argv, root));
}

/** Formats a corrected line for pasting; undefined if the program would reject the line, or if the line may contain a secret. */
function formatCorrected(argv: readonly string[], root: CommandNode): string | undefined {
  try {
    const meaning = interpretWith(readCommandLine(argv, root), root, () => undefined);
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

function interpretWith(line: CommandLine, root: CommandNode, correct: Correct): Meaning {
  const { at, also } = line;
  const asked = requestedInfo(line);
  const { help, args, unknown } = line;
  if (help && at === root && unknown !== undefined && isTopic(unknown)) {
    if (args.length === 1) return { kind: 'topic', topic: unknown };
    if (unknown === 'schema') return { kind: 'schema', words: args.slice(1).join(' ') };
  }
  if (at.row === undefined) return interpretGroup(line, asked, root, correct);
  if (asked === 'version') return { kind: 'version' };
  if (asked === 'help') return { kind: 'help', at };
  if (also !== undefined) throw twoCommands(at.row, also);
  const known = { ...at.row.flags, ...globalFlags };
  const foreign = line.flags.find(({ name }) => !Object.hasOwn(known, name));
  if (foreign !== undefined) throw unknownFlag(line, foreign, root, correct);
  return { kind: 'command', row: at.row, input: readInput(at.row, line) };
}

/** Rejects an unknown flag before an unknown command, because the word after the flag may be its value. */
function interpretGroup(
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
 * Returns the request for help or the version that replaces the command. Rejects `-h` or `-v` while an argument is missing, because the
 * user may have intended it as the value of the argument.
 */
function requestedInfo({ at, flags, help }: CommandLine): 'help' | 'version' | undefined {
  const declared = Object.keys(at.row?.arguments ?? {});
  for (const { name, long, after } of flags) {
    if (name !== 'help' && name !== 'version') continue;
    const missing = after === 0 ? undefined : declared[after];
    if (long || missing === undefined) return name;
    const short = globalFlags[name].short;
    throw new Problem('usage', `-${short} is ambiguous: ${missing} is expected there.`, {
      hint: `To use it as ${missing}, write it after --: -- -${short}. To show the ${name}, use --${name}.`,
    });
  }
  return help ? 'help' : undefined;
}

type Typed = Readonly<Record<string, unknown>>;

/** Returns the typed values of a command's arguments and flags. Rejects invalid, missing and surplus values. */
function readInput(
  declaration: CommandDeclaration,
  { flags: given, args: texts }: Pick<CommandLine, 'flags' | 'args'>,
): Input {
  const declared: Flags = { ...declaration.flags, ...globalFlags };
  const flags = flagValues(declared, given, `edgectl ${declaration.words} --help`);
  const args = argumentValues(declaration, texts, given);
  checkIds(declared, flags);
  checkPaths(declaration.arguments, args, '');
  checkPaths(declared, flags, '--');
  return { args, flags } as Input;
}

/** Default flag values by kind. */
const defaultFlagValues = {
  boolean: false,
  switch: false,
  texts: [],
  text: undefined,
  number: undefined,
  id: undefined,
  path: undefined,
} as const;

function flagValues(declared: Flags, given: readonly PlacedFlag[], hint: string): Typed {
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(declared).map(([name, { kind }]) => [name, defaultFlagValues[kind]]),
  );
  for (const token of given) {
    const flag = declared[token.name];
    if (flag !== undefined) values[token.name] = flagValue(flag, token, values[token.name], hint);
  }
  return values;
}

/**
 * Parses one given flag. `before` is the previous value of a repeated flag, and `hint` refers to the description of the flags.
 */
function flagValue(
  { kind, placeholder = 'VALUE' }: FlagDeclaration,
  { name, shown, value }: PlacedFlag,
  before: unknown,
  hint: string,
): unknown {
  const refused = (words: string) => new Problem('usage', words, { hint });
  if (kind === 'boolean') {
    if (value === undefined) return true;
    throw refused(`${shown} takes no value.`);
  }
  if (kind === 'switch') {
    if (value !== '') return value ?? (typeof before === 'string' ? before : true);
    throw refused(`--${name}= needs a ${placeholder} after it.`);
  }
  if (value === undefined) throw refused(`${shown} needs a value: ${shown} <${placeholder}>.`);
  if (kind === 'number') {
    const fault = explainNumberFault(value, placeholder.toLowerCase());
    if (fault === undefined) return Number(value);
    const seconds = placeholder === 'SECONDS' ? durationSeconds(value) : undefined;
    if (seconds !== undefined) return seconds;
    throw refused(`${shown} ${fault}`);
  }
  return kind === 'texts' ? [...(before as readonly string[]), value] : value;
}

/** Returns the seconds in a duration such as `1h30m`; undefined if the string is invalid. */
function durationSeconds(text: string): number | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

const units: Readonly<Record<string, string>> = {
  seconds: ' of seconds, or a duration such as 90m or 7d',
  unix_seconds: ' of seconds since 1970, as date +%s prints',
};

function explainNumberFault(text: string, counted: string): string | undefined {
  const number = Number(text);
  const unit = units[counted] ?? '';
  if (!/^-?\d+$/.test(text)) return `must be a whole number${unit}, not "${text}".`;
  return Number.isSafeInteger(number) ? undefined : `is too ${number > 0 ? 'large' : 'small'}: ${text}.`;
}

function argumentValues(
  declaration: CommandDeclaration,
  texts: readonly string[],
  given: readonly PlacedFlag[],
): Typed {
  const { arguments: declared } = declaration;
  const names = Object.entries(declared);
  for (const [at, [name, { optional }]] of names.entries()) {
    if (optional || at < texts.length) continue;
    throw new Problem('usage', `Missing required argument ${name}.`, {
      hint: exampleHint(declaration, given),
    });
  }
  const many = names.at(-1)?.[1].many === true;
  if (!many && texts.length > names.length) {
    // The surplus argument is not repeated, because it may be a secret typed in the wrong place.
    const expected = `${names.length} argument${names.length === 1 ? '' : 's'}`;
    throw new Problem('usage', `Too many arguments. Expected ${expected} but got ${texts.length}.`, {
      hint: suggestFlags(declaration, texts, given) ?? exampleHint(declaration, given),
    });
  }
  return Object.fromEntries(
    names.map(([name, argument], at) => [name, argument.many ? texts.slice(at) : texts[at]]),
  );
}

/**
 * Suggests a line that replaces surplus arguments with the flags that users usually mean; undefined if the command has no such flags.
 */
function suggestFlags(
  { words, arguments: declared, surplus = [] }: CommandDeclaration,
  texts: readonly string[],
  given: readonly PlacedFlag[],
): string | undefined {
  const count = Object.keys(declared).length;
  const many = texts.slice(count);
  const names = surplus.flatMap((one) => (typeof one === 'string' ? one : one.names));
  const isGiven = given.some(({ name }) => names.includes(name));
  if (many.length > surplus.length || isGiven) return undefined;
  // If the user typed a source path before the argument, the argument comes last.
  const isReversed = texts.length === 2 && count === 1 && /^[./~]/.test(texts[0] ?? '');
  const inOrder = isReversed ? texts.toReversed() : texts;
  const meant = inOrder.slice(count).flatMap((text, at) => {
    const one = surplus[at] ?? '';
    return typeof one === 'string' ? [`--${one}`, text] : one.flags(text, inOrder[0] ?? '');
  });
  const line = [...words.split(' '), ...inOrder.slice(0, count), ...meant, ...given.flatMap(formatFlag)];
  return `Did you mean: ${commandLine(line)}`;
}

/** Returns the hint: an example that contains all the typed flags, or else the command that shows help. */
function exampleHint({ words, examples = [] }: CommandDeclaration, given: readonly PlacedFlag[]): string {
  const typed = given
    .filter(({ long, name }) => long && !Object.hasOwn(globalFlags, name))
    .map(({ shown }) => shown);
  const found = examples.find(([line]) => typed.every((flag) => line.split(' ').includes(flag)));
  return found === undefined ? `edgectl ${words} --help` : `For example: edgectl ${found[0]}`;
}

/**
 * Rejects an empty path, because it would mean the working directory, and a path with a NUL byte, because the system would cut the path
 * at the NUL byte.
 */
function checkPaths(
  declared: Readonly<Record<string, { readonly kind?: string }>>,
  values: Readonly<Record<string, unknown>>,
  dashes: string,
): void {
  for (const [name, { kind }] of Object.entries(declared)) {
    const path = values[name];
    if ((kind !== 'path' && kind !== 'switch') || typeof path !== 'string') continue;
    if (path === '') {
      throw new Problem('usage', `${dashes}${name} is empty; it must be the path of a file or a folder.`, {
        hint: 'In a script, a variable may be unset.',
      });
    }
    if (path.includes('\0'))
      throw new Problem('usage', `${dashes}${name} contains a NUL byte, which is invalid in a path.`);
  }
}

/** Rejects malformed ids before anything is looked up or sent. */
function checkIds(declared: Flags, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { kind, of = 'namespace', folderWith }] of Object.entries(declared)) {
    const id = values[name];
    if (kind !== 'id' || typeof id !== 'string') continue;
    const isFolder = folderWith !== undefined && values[folderWith] === true;
    const fault = isFolder ? localIdFault(id) : idFault(of, id);
    if (fault === undefined) continue;
    const isLocal = folderWith !== undefined && localIdFault(id) === undefined;
    throw malformedId(of, id, `--${name}`, fault, isLocal ? folderWith : undefined);
  }
}
