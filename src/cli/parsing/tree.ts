import type { CommandNode, CommandRow } from './command.ts';

interface GrowingNode extends CommandNode {
  readonly below: Map<string, GrowingNode>;
  readonly rows: CommandRow[];
  row: CommandRow | undefined;
}

/** The tree of all commands. No command is a group of others. */
export function commandTree(rows: readonly CommandRow[]): CommandNode {
  const root = newNode([]);
  for (const row of rows) {
    let at = root;
    at.rows.push(row);
    for (const word of row.words.split(' ')) {
      const next = at.below.get(word) ?? newNode([...at.words, word]);
      at.below.set(word, next);
      next.rows.push(row);
      at = next;
    }
    at.row = row;
  }
  return root;
}

function newNode(words: readonly string[]): GrowingNode {
  return { words, below: new Map(), rows: [], row: undefined };
}

/** The words of a place as they are typed: `edgectl kv key`. */
export function typedAs({ words }: Pick<CommandNode, 'words'>): string {
  return ['edgectl', ...words].join(' ');
}
