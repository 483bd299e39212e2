/** A line as read by a screen reader. */
export interface SpokenLine {
  readonly text: string;
  /** Whether it is selected, or contains the cursor of a field. */
  readonly isMarked: boolean;
}

/**
 * Returns the lines to read aloud after a change: new lines, wherever they are, and a newly selected one. Undefined if only
 * numbers changed, unless `countsNumbers` is set: a clock must not be read aloud each second.
 */
export function changedLines(
  before: readonly SpokenLine[],
  now: readonly SpokenLine[],
  { countsNumbers }: { readonly countsNumbers: boolean },
): string[] | undefined {
  const left = new Map<string, number>();
  for (const { text } of before) left.set(text, (left.get(text) ?? 0) + 1);
  const wereMarked = new Set(before.filter(({ isMarked }) => isMarked).map(({ text }) => text));
  const told = now.filter(({ text, isMarked }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return text !== '' && (count <= 0 || (isMarked && !wereMarked.has(text)));
  });
  // If something disappeared and nothing was added, the selected line tells the user where they are.
  const isGone = [...left.values()].some((count) => count > 0);
  if (told.length === 0 && isGone) return now.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const shapes = new Set(before.map(({ text }) => shapeOf(text)));
  const onlyNumbers = told.length > 0 && told.every(({ text }) => shapes.has(shapeOf(text)));
  return onlyNumbers && !countsNumbers ? undefined : told.map(({ text }) => text);
}

function shapeOf(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}
