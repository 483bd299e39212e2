import type { CommandRow } from './command.ts';
import { type CommandDeclaration, takesNext } from './declaration.ts';
import { globalFlags } from './flags.ts';

/** What the words of a command line name: a command, a group of commands, or neither. */
export type Found =
  | { kind: 'command'; row: CommandRow; rest: string[]; colon: string | undefined }
  | FoundGroup;

/** A group or nothing; `unknown` is the word that led nowhere. */
export interface FoundGroup {
  readonly kind: 'group';
  readonly words: string[];
  readonly rest: string[];
  readonly unknown: string | undefined;
}

/**
 * Finds the command that the arguments name. Global flags may stand before and between its words; they are kept in
 * `rest`, with everything after the words. `kv:key get` is taken for `kv key get` and reported in `colon`.
 */
export function findCommand(argv: readonly string[], table: readonly CommandRow[]): Found {
  const rest: string[] = [];
  const words: string[] = [];
  let colon: string | undefined;
  const waiting = [...argv];
  for (let token = waiting.shift(); token !== undefined; token = waiting.shift()) {
    if (token === '--')
      return { kind: 'group', words, rest: [...rest, token, ...waiting], unknown: undefined };
    if (token.startsWith('-')) {
      rest.push(token);
      const value = takesValue(token) ? waiting.shift() : undefined;
      if (value !== undefined) rest.push(value);
      continue;
    }
    if (words.length === 0 && /^[a-z]+:[a-z:]+$/.test(token)) {
      colon = token;
      waiting.unshift(...token.split(':'));
      continue;
    }
    if (!isNextWord(words, token, table)) {
      return { kind: 'group', words, rest: [...rest, token, ...waiting], unknown: token };
    }
    words.push(token);
    const row = table.find((candidate) => candidate.words === words.join(' '));
    if (row !== undefined && !hasChildren(words, table)) {
      return { kind: 'command', row, rest: [...rest, ...waiting], colon };
    }
  }
  return { kind: 'group', words, rest, unknown: undefined };
}

/** The words that may follow: of a group its actions, of nothing the groups and plain commands. */
export function nextWords(words: readonly string[], table: readonly CommandDeclaration[]): string[] {
  const depth = words.length;
  const below = table
    .map((row) => row.words.split(' '))
    .filter((row) => words.every((word, at) => row[at] === word));
  return [...new Set(below.flatMap((row) => row[depth] ?? []))];
}

function isNextWord(words: readonly string[], token: string, table: readonly CommandDeclaration[]): boolean {
  return nextWords(words, table).includes(token);
}

function hasChildren(words: readonly string[], table: readonly CommandDeclaration[]): boolean {
  return nextWords(words, table).length > 0;
}

function takesValue(token: string): boolean {
  if (token.includes('=')) return false;
  return Object.entries(globalFlags).some(
    ([name, flag]) =>
      takesNext(flag) && (token === `--${name}` || ('short' in flag && token === `-${flag.short}`)),
  );
}
