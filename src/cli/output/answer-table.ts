import { tableLines } from '../../text/table.ts';
import type { Context } from '../parsing/command.ts';

/** Answers rows of cells from outside as aligned lines, cut to the width of a terminal; nothing where there are none. */
export async function answerTable(
  { world, output }: Pick<Context, 'world' | 'output'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const width = output.isTerminal ? world.stdout.columns : undefined;
  const columns = headings.map((heading) => ({ heading }));
  await output.listing(`${tableLines(columns, rows, { width }).join('\n')}\n`);
}
