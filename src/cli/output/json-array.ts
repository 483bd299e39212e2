import { jsonText, type Output } from './output.ts';

/**
 * Streams a JSON array of rows, page by page as they come, in the layout that `JSON.stringify(…, 2)` gives; stops
 * after `limit` of them.
 */
export async function answerArray(
  output: Output,
  pages: AsyncIterable<readonly unknown[]>,
  limit: number,
): Promise<void> {
  let count = 0;
  for await (const page of pages) {
    const rows = page.slice(0, limit - count).map(indented);
    if (rows.length > 0) await output.listing((count === 0 ? '[\n' : ',\n') + rows.join(',\n'));
    count += rows.length;
    if (count >= limit) break;
  }
  await output.listing(count === 0 ? '[]\n' : '\n]\n');
}

function indented(row: unknown): string {
  return jsonText(row, 2).replace(/^/gm, '  ');
}
