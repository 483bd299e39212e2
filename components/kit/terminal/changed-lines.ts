/** A line as read by a screen reader. */
export interface SpokenLine {
  readonly text: string;
  /** Whether the line is selected, or contains the cursor of a field. */
  readonly isMarked: boolean;
}

/**
 * Returns the lines to read aloud after a change: new lines and a newly selected line, or the selected line if lines have only disappeared.
 * If only numbers have changed, returns undefined unless `countsNumbers` is true: a clock must not be read aloud each second.
 */
export function changedLines(
  before: readonly SpokenLine[],
  now: readonly SpokenLine[],
  { countsNumbers }: { readonly countsNumbers: boolean },
): string[] | undefined {
  const remaining = new Map<string, number>();
  for (const { text } of before) remaining.set(text, (remaining.get(text) ?? 0) + 1);
  const wereMarked = new Set(before.filter(({ isMarked }) => isMarked).map(({ text }) => text));
  const changed = now.filter(({ text, isMarked }) => {
    const count = remaining.get(text) ?? 0;
    remaining.set(text, count - 1);
    return text !== '' && (count <= 0 || (isMarked && !wereMarked.has(text)));
  });
  // If lines have only disappeared, the selected line shows where the user is.
  const hasRemovals = [...remaining.values()].some((count) => count > 0);
  if (changed.length === 0 && hasRemovals)
    return now.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const shapes = new Set(before.map(({ text }) => maskDigits(text)));
  const onlyNumbers = changed.length > 0 && changed.every(({ text }) => shapes.has(maskDigits(text)));
  return onlyNumbers && !countsNumbers ? undefined : changed.map(({ text }) => text);
}

function maskDigits(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}
