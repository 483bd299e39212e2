import { tableLines } from '../../text/table.ts';
import type { Context } from '../parsing/command.ts';

/** Prints rows of untrusted data as aligned lines, cut to the width of the terminal; prints nothing if there are no rows. */
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
