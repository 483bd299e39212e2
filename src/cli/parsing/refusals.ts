import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
import { type CommandNode, formatCommand } from './command.ts';
import type { CommandLine, PlacedFlag } from './command-line.ts';
import type { CommandDeclaration, FlagDeclaration } from './declaration.ts';
import { formatFlag, globalFlags } from './flags.ts';
import {
  findCommandsBelow,
  foreignCommandHint,
  type Suggestion,
  translateFlag,
  translatePrefix,
  translateWord,
} from './foreign-words.ts';
import { isTopic, topicFor, topics } from './topics.ts';

/** Formats a corrected command line for pasting; undefined if the program would reject the line, or if the line may contain a secret. */
export type Correct = (argv: readonly string[]) => string | undefined;

/** Returns the error for an unknown word, with the likely command or a list of commands. Words after the unknown word may be values. */
export function unknownCommand(line: CommandLine, root: CommandNode, correct: Correct): Problem {
  const { at, args, help } = line;
  const [unknown = ''] = args;
  const known = [...at.below.keys()];
  const isRoot = at.words.length === 0;
  const none = isRoot && help ? 'no command or topic' : 'no command';
  const others = isRoot && help ? `; topics: ${Object.keys(topics).join(', ')}` : '';
  const meant = isRoot && help ? suggestTopics(line, root) : suggestCommands(line, root);
  const hint = foreignCommandHint([...at.words, unknown]) ?? suggestWords(meant, line, correct);
  return new Problem('usage', `${formatCommand(at)} has ${none} "${unknown}".`, {
    hint: hint ?? `It has: ${known.join(', ')}${others}.`,
  });
}

/** Returns suggestions for a word after `help`: a topic or a command. */
function suggestTopics(line: CommandLine, root: CommandNode): readonly Suggestion[] {
  const [unknown = ''] = line.args;
  const near = nearest(unknown, [...root.below.keys(), ...Object.keys(topics)]);
  const topic = topicFor(unknown) ?? near;
  return topic !== undefined && !wordsBelow(root).includes(unknown)
    ? [{ words: [topic], taken: 1 }]
    : suggestCommands(line, root);
}

/**
 * Returns suggestions for an unknown word: the equivalent of another tool's word, commands below or anywhere, a spelling correction, a
 * flag, or the end of a longer command.
 */
function suggestCommands({ at, args }: CommandLine, root: CommandNode): readonly Suggestion[] {
  const [unknown = ''] = args;
  const isRoot = at === root;
  const here = (word: string): Suggestion[] => [{ words: [...at.words, word], taken: 1 }];
  const own = translateWord(unknown, at);
  if (own !== undefined) return here(own);
  const beginning = isRoot ? translatePrefix(unknown) : undefined;
  if (beginning !== undefined) return [{ words: beginning, taken: 1 }];
  const below = findCommandsBelow(args, at);
  if (below.length > 0) return below;
  const near = nearest(unknown, [...at.below.keys(), ...(isRoot ? ['help'] : [])]);
  if (near !== undefined) return here(near);
  if (Object.hasOwn(globalFlags, unknown)) return here(`--${unknown}`);
  if (isRoot && isTopic(unknown)) return here(`help ${unknown}`);
  const elsewhere = findCommandsBelow(args, root);
  if (elsewhere.length > 0) return elsewhere;
  const misspelt = nearest(unknown, wordsBelow(at));
  return misspelt === undefined ? [] : findCommandsBelow([misspelt, ...args.slice(1)], at);
}

/** Returns all words of the commands below a node. */
function wordsBelow({ rows, words }: CommandNode): string[] {
  return [...new Set(rows.flatMap((row) => row.words.split(' ').slice(words.length)))];
}

function suggestWords(
  readings: readonly Suggestion[],
  { args, flags, help }: CommandLine,
  correct: Correct,
): string | undefined {
  const [only] = readings;
  if (only === undefined) return undefined;
  const isSure = readings.length === 1 && !help;
  const whole = isSure
    ? correct([...only.words, ...args.slice(only.taken), ...flags.flatMap(formatFlag)])
    : undefined;
  if (whole !== undefined) return `Did you mean: ${whole}`;
  const lead = help ? 'edgectl help' : 'edgectl';
  return `Did you mean ${readings.map(({ words }) => `"${lead} ${words.join(' ')}"`).join(' or ')}?`;
}

/** Returns the error for an unknown flag, which names the commands that have the flag, or suggests a similar flag. */
export function unknownFlag(
  line: CommandLine,
  { name, shown, long }: PlacedFlag,
  root: CommandNode,
  correct: Correct,
): Problem {
  const { at, argv } = line;
  const near = long ? nearest(shown.slice(2), visibleFlagNames(at)) : undefined;
  const own = long ? translateFlag(name, visibleFlagNames(at)) : findLetterInOtherCase(shown, at);
  const others = [toJsonFlag(argv, shown), own === undefined ? undefined : renameFlag(argv, shown, own)];
  const [whole] = others.flatMap((other) => (other === undefined ? [] : (correct(other) ?? [])));
  const hints = [
    whole === undefined ? undefined : `Did you mean: ${whole}`,
    allFlagHint(name, shown, line, correct),
    own === undefined ? undefined : `Did you mean --${own}${numericValue(argv, shown)}?`,
    describeFlagOwners(name, root),
    near === undefined ? undefined : `Did you mean --${near}?`,
    !long && takesArguments(at.row)
      ? `Write a value that begins with a dash after --: -- ${shown}`
      : undefined,
    `${formatCommand(at)} --help`,
  ];
  return new Problem('usage', `${formatCommand(at)} has no flag '${shown}'.`, {
    hint: hints.find((hint) => hint !== undefined),
  });
}

/** Returns the hint for another tool's --all flag, if the command selects everything when an argument is omitted. */
function allFlagHint(
  name: string,
  shown: string,
  { at, argv, args }: CommandLine,
  correct: Correct,
): string | undefined {
  const declared = Object.entries(at.row?.arguments ?? {});
  const place = declared.findIndex(([, { omitted }]) => omitted === 'all');
  if (name !== 'all' || place < 0) return undefined;
  const isOmitted = args.length <= place;
  const whole = isOmitted ? correct(argv.filter((token) => token !== shown)) : undefined;
  return `Without ${declared[place]?.[0]}, the command acts on all${whole === undefined ? '.' : `: ${whole}`}`;
}

/** Returns the line with a flag renamed. */
function renameFlag(argv: readonly string[], shown: string, own: string): readonly string[] {
  return argv.map((token) =>
    token === shown || token.startsWith(`${shown}=`) ? `--${own}${token.slice(shown.length)}` : token,
  );
}

/** Returns the value of a flag if it is a number, because a number is not secret. */
function numericValue(argv: readonly string[], shown: string): string {
  const at = argv.findIndex((token) => token === shown || token.startsWith(`${shown}=`));
  const value = argv[at] === shown ? argv[at + 1] : argv[at]?.slice(shown.length + 1);
  return value !== undefined && /^\d+$/.test(value) ? ` ${value}` : '';
}

/** Returns the line with the JSON flag of other tools (`--output json`) replaced by `--json`. */
function toJsonFlag(argv: readonly string[], shown: string): readonly string[] | undefined {
  const at = argv.findIndex((token) => token === shown || token === `${shown}=json`);
  if (!/^(?:--output|--format|-o)$/.test(shown) || at < 0) return undefined;
  if (argv[at] !== shown) return argv.with(at, '--json');
  return argv[at + 1] === 'json' ? argv.toSpliced(at, 2, '--json') : undefined;
}

/** Returns the error for a command's flag on a line without a command. */
export function flagWithoutCommand(at: CommandNode, { name, shown }: PlacedFlag): Problem {
  return new Problem('usage', `${shown} requires a command.`, { hint: describeFlagOwners(name, at) });
}

/** Returns the error for a line that can be read as two commands. */
export function twoCommands(one: CommandDeclaration, other: CommandDeclaration): Problem {
  return new Problem(
    'usage',
    `The command line is ambiguous: edgectl ${one.words} or edgectl ${other.words}.`,
    {
      hint: 'Write flags after the words of the command.',
    },
  );
}

function takesArguments(row: CommandDeclaration | undefined): boolean {
  return row !== undefined && Object.keys(row.arguments).length > 0;
}

/** Finds the flag with the same letter in the other case. */
function findLetterInOtherCase(shown: string, { row }: CommandNode): string | undefined {
  const all = Object.entries<FlagDeclaration>({ ...row?.flags, ...globalFlags });
  return all.find(([, { short }]) => short !== undefined && `-${short}` === swapCase(shown))?.[0];
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** Returns the names of the flags that help shows at and below a node. */
function visibleFlagNames({ rows }: CommandNode): string[] {
  const all = [globalFlags, ...rows.map(({ flags }) => flags)].flatMap((flags) =>
    Object.entries<FlagDeclaration>(flags),
  );
  return [...new Set(all.filter(([, { hidden }]) => hidden !== true).map(([name]) => name))];
}

/** Returns a sentence that names the commands with a flag; undefined if no command has the flag. */
function describeFlagOwners(name: string, { rows }: CommandNode): string | undefined {
  const owners = rows.filter(({ flags }) => Object.hasOwn(flags, name) && flags[name]?.hidden !== true);
  if (owners.length === 0) return undefined;
  const named = owners.slice(0, 3).map(({ words }) => `edgectl ${words}`);
  const others = owners.length - named.length;
  return `Commands with this flag: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}
