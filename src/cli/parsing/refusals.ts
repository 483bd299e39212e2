import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
import type { CommandNode } from './command.ts';
import type { PlacedFlag } from './command-line.ts';
import type { CommandDeclaration, FlagDeclaration } from './declaration.ts';
import { globalFlags } from './flags.ts';
import { flagFor, furtherBelow, wordFor } from './other-words.ts';
import { isTopic, topicFor, topics } from './topics.ts';
import { typedAs } from './tree.ts';

/**
 * A word that leads nowhere: with the one that it may mean, or all that there are. `typed` begins with it; the words behind it may
 * be words of a command below, or values, which are not shown.
 */
export function unknownCommand(at: CommandNode, typed: readonly string[], help: boolean): Problem {
  const [unknown = ''] = typed;
  const known = [...at.below.keys()];
  const isRoot = at.words.length === 0;
  const meant = isRoot && help ? subjectMeant(at, typed) : likelyMeant(at, typed);
  const none = isRoot && help ? 'no command and no subject' : 'no command';
  const others = isRoot && help ? `; subjects are: ${Object.keys(topics).join(', ')}` : '';
  return new Problem('usage', `${typedAs(at)} has ${none} "${unknown}".`, {
    hint:
      meant.length === 0
        ? `It has: ${known.join(', ')}${others}.`
        : `Did you mean ${meant.map((words) => `"edgectl ${help ? 'help ' : ''}${words}"`).join(' or ')}?`,
  });
}

/** The readings of a word behind `help`: a subject, or a command. */
function subjectMeant(root: CommandNode, typed: readonly string[]): readonly string[] {
  const [unknown = ''] = typed;
  const near = nearest(unknown, [...root.below.keys(), ...Object.keys(topics)]);
  const subject = topicFor(unknown) ?? near;
  return subject !== undefined && !wordsBelow(root).includes(unknown) ? [subject] : likelyMeant(root, typed);
}

/**
 * The readings of a word: a word of other tools, the words of commands below, one that is misspelt, a flag, or the end of a
 * longer command. Words of the whole command, or a flag.
 */
function likelyMeant(at: CommandNode, typed: readonly string[]): readonly string[] {
  const [unknown = ''] = typed;
  const isRoot = at.words.length === 0;
  const here = (word: string): string[] => [[...at.words, word].join(' ')];
  const own = wordFor(unknown, at);
  if (own !== undefined) return here(own);
  const below = furtherBelow(typed, at);
  if (below.length > 0) return below;
  const near = nearest(unknown, [...at.below.keys(), ...(isRoot ? ['help'] : [])]);
  if (near !== undefined) return here(near);
  if (Object.hasOwn(globalFlags, unknown)) return here(`--${unknown}`);
  if (isRoot && isTopic(unknown)) return [`help ${unknown}`];
  const misspelt = nearest(unknown, wordsBelow(at));
  return misspelt === undefined ? [] : furtherBelow([misspelt, ...typed.slice(1)], at);
}

/** All words of the commands below a place. */
function wordsBelow({ rows, words }: CommandNode): string[] {
  return [...new Set(rows.flatMap((row) => row.words.split(' ').slice(words.length)))];
}

/** A flag that a command or a group does not have: with who has it, or the one that it may mean. */
export function unknownFlag(at: CommandNode, { name, shown, long }: PlacedFlag, root: CommandNode): Problem {
  const near = long ? nearest(shown.slice(2), offered(at)) : undefined;
  const own = long ? flagFor(name, offered(at)) : shortOfOtherCase(shown, at);
  const hints = [
    own === undefined ? undefined : `Did you mean --${own}?`,
    ownersOf(name, root),
    near === undefined ? undefined : `Did you mean --${near}?`,
    !long && takesArguments(at.row)
      ? `For a value that begins with a dash, write it behind --: -- ${shown}`
      : undefined,
    `${typedAs(at)} --help`,
  ];
  return new Problem('usage', `${typedAs(at)} has no flag '${shown}'.`, {
    hint: hints.find((hint) => hint !== undefined),
  });
}

/** A flag of commands where no command is named. */
export function flagWithoutCommand(at: CommandNode, { name, shown }: PlacedFlag): Problem {
  return new Problem('usage', `No command is named for ${shown}.`, { hint: ownersOf(name, at) });
}

/** A line that can be read as two commands. */
export function twoCommands(one: CommandDeclaration, other: CommandDeclaration): Problem {
  return new Problem('usage', `This can be read as edgectl ${one.words} and as edgectl ${other.words}.`, {
    hint: 'Write the flags behind the words of the command.',
  });
}

function takesArguments(row: CommandDeclaration | undefined): boolean {
  return row !== undefined && Object.keys(row.arguments).length > 0;
}

/** The flag whose letter is that one, written large or small. */
function shortOfOtherCase(shown: string, { row }: CommandNode): string | undefined {
  const all = Object.entries<FlagDeclaration>({ ...row?.flags, ...globalFlags });
  return all.find(([, { short }]) => short !== undefined && `-${short}` === otherCase(shown))?.[0];
}

function otherCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** Names of the flags that help shows, here and below. */
function offered({ rows }: CommandNode): string[] {
  const all = [globalFlags, ...rows.map(({ flags }) => flags)].flatMap((flags) =>
    Object.entries<FlagDeclaration>(flags),
  );
  return [...new Set(all.filter(([, { hidden }]) => hidden !== true).map(([name]) => name))];
}

/** Which commands have a flag, in a sentence; undefined where none has. */
function ownersOf(name: string, { rows }: CommandNode): string | undefined {
  const owners = rows.filter(({ flags }) => Object.hasOwn(flags, name) && flags[name]?.hidden !== true);
  if (owners.length === 0) return undefined;
  const named = owners.slice(0, 3).map(({ words }) => `edgectl ${words}`);
  const others = owners.length - named.length;
  return `It is a flag of ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}
