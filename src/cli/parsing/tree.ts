import type { CommandNode, CommandRow } from './command.ts';

/** The tree of all commands. No command is a group of others. */
export function commandTree(rows: readonly CommandRow[], words: readonly string[] = []): CommandNode {
  const path = words.join(' ');
  const next = Map.groupBy(
    rows.filter((row) => row.words !== path),
    (row) => row.words.split(' ')[words.length] ?? '',
  );
  return {
    words,
    below: new Map([...next].map(([word, inside]) => [word, commandTree(inside, [...words, word])])),
    rows,
    row: rows.find((row) => row.words === path),
  };
}

/** The words of a place as they are typed: `edgectl kv key`. */
export function typedAs({ words }: Pick<CommandNode, 'words'>): string {
  return ['edgectl', ...words].join(' ');
}
