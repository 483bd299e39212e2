/** The stretch of lines in which two texts differ: all lines before and behind it are the same. */
export interface ChangedLines {
  /** Number of the first line that differs, from 1. */
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns the stretch of lines in which two texts differ. */
export function changedLines(before: string, after: string): ChangedLines {
  const [old, next] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  return {
    at: head + 1,
    before: old.slice(head, old.length - tail),
    after: next.slice(head, next.length - tail),
  };
}
