import { type CommandNode, formatCommand } from '../parsing/command.ts';
import { type CommandLine, readCommandLine } from '../parsing/command-line.ts';
import {
  type Completes,
  type FlagDeclaration,
  type Flags,
  type NameKind,
  takesNext,
} from '../parsing/declaration.ts';
import { globalFlags } from '../parsing/flags.ts';
import { topics } from '../parsing/topics.ts';

/** A word that a shell offers, with a description. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** The completions at the cursor: known words, names that must be looked up, or file names. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  /** `before` precedes each name, as in `--binding=NAME`. */
  | { readonly kind: 'names'; readonly of: NameKind; readonly before: string }
  | { readonly kind: 'files' }
  | { readonly kind: 'nothing' };

/**
 * Returns candidates for the last word of a line, which may be empty. All candidates start with this word; the words before it are
 * complete.
 */
export function offerAt(words: readonly string[], root: CommandNode): Offer {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const line = readCommandLine(before, root);
  if (before.includes('--')) return argumentOffer(line);
  const waiting = flagAwaitingValue(before, line);
  if (waiting !== undefined) return flagValueOffer(waiting, '', last);
  const equals = /^(--[a-z0-9-]+)=(.*)$/s.exec(last);
  if (equals !== null) {
    const [, name = '', value = ''] = equals;
    const flag = listFlags(line.at)[name.slice(2)];
    return flag === undefined ? { kind: 'nothing' } : flagValueOffer(flag, `${name}=`, value);
  }
  if (last.startsWith('-')) return filterByPrefix(last, flagCandidates(line));
  if (line.at.row === undefined) return filterByPrefix(last, commandCandidates(line));
  return argumentOffer(line, last);
}

/** Returns the flag at the end of a line, if it still needs a value. */
function flagAwaitingValue(
  before: readonly string[],
  { at, flags }: CommandLine,
): FlagDeclaration | undefined {
  const typed = before.at(-1) ?? '';
  const token = flags.at(-1);
  if (!typed.startsWith('-') || token === undefined || token.value !== undefined) return undefined;
  const flag = listFlags(at)[token.name];
  return flag !== undefined && takesNext(flag) ? flag : undefined;
}

/** Returns the flags that are valid at a node: global flags, and the flags of the command or of the commands below the node. */
function listFlags({ row, rows }: CommandNode): Flags {
  const own = row === undefined ? Object.assign({}, ...rows.map(({ flags }) => flags)) : row.flags;
  return { ...own, ...globalFlags };
}

function flagCandidates({ at, flags }: CommandLine): Candidate[] {
  const all: Flags = { ...at.row?.flags, ...globalFlags };
  const given = new Set(flags.map(({ name }) => name));
  return Object.entries(all)
    .filter(([name, flag]) => flag.hidden !== true && (flag.kind === 'texts' || !given.has(name)))
    .map(([name, { about }]) => ({ word: `--${name}`, about }));
}

function commandCandidates({ at, help }: CommandLine): Candidate[] {
  const below = [...at.below].map(([word, node]) => ({ word, about: describeNode(node) }));
  if (at.words.length > 0) return below;
  const topicWords = Object.entries(topics).map(([word, about]) => ({ word, about }));
  return [...below, ...(help ? topicWords : [{ word: 'help', about: 'Show help' }])];
}

function describeNode(node: CommandNode): string {
  return node.row?.about ?? `${formatCommand(node)}: ${[...node.below.keys()].join(', ')}`;
}

function argumentOffer({ at, args, help }: CommandLine, last = ''): Offer {
  if (at.row === undefined || help) return { kind: 'nothing' };
  const declared = Object.values(at.row.arguments);
  const argument = declared[args.length] ?? (declared.at(-1)?.many ? declared.at(-1) : undefined);
  if (argument === undefined) return { kind: 'nothing' };
  if (argument.kind === 'path') return { kind: 'files' };
  return completionOffer(argument.completes, '', last);
}

function flagValueOffer(flag: FlagDeclaration, before: string, value: string): Offer {
  return flag.kind === 'path'
    ? { kind: 'files' }
    : completionOffer(flag.completes ?? placeholderChoices(flag), before, value);
}

/** Returns the choices in a placeholder such as `ndjson|json`; undefined for any other placeholder. */
function placeholderChoices({ placeholder }: FlagDeclaration): Completes | undefined {
  return placeholder?.includes('|') ? placeholder.split('|') : undefined;
}

function completionOffer(completes: Completes | undefined, before: string, value: string): Offer {
  if (completes === undefined) return { kind: 'nothing' };
  if (typeof completes === 'string') return { kind: 'names', of: completes, before };
  const words = completes.map((word) => ({ word: before + word, about: '' }));
  return filterByPrefix(before + value, words);
}

/** Returns the words that start with the given text. */
export function filterByPrefix(text: string, words: readonly Candidate[]): Offer {
  return { kind: 'words', words: words.filter(({ word }) => word.startsWith(text)) };
}
