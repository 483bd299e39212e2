/** The path of a value: names and indices, starting at the top level of a file. */
export type ValuePath = readonly (string | number)[];

/** Line number and column number, both starting at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed file: its data, and a function that returns the position of a value or of its nearest parent. */
export interface Parsed {
  readonly data: unknown;
  locate(path: ValuePath): Position | undefined;
}

/** A parser's error with its position. */
export class SyntaxFault extends Error {
  readonly position: Position;

  constructor(reason: string, position: Position) {
    super(reason);
    this.position = position;
  }
}

/** Returns the position of an offset. */
export function findPosition(text: string, offset: number): Position {
  return createPositionFinder(text)(offset);
}

/**
 * Returns a function that finds the position of an offset, in logarithmic time, because a caller may report thousands of positions in one
 * file.
 */
export function createPositionFinder(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Returns a function that finds the position of a value or of its nearest parent. `places` contains the offsets of values by path. */
export function createLocator(
  text: string,
  places: () => Iterable<readonly [path: ValuePath, offset: number]>,
): Parsed['locate'] {
  let known:
    | { readonly offsets: ReadonlyMap<string, number>; readonly at: (offset: number) => Position }
    | undefined;
  const read = () => {
    const offsets = new Map<string, number>();
    for (const [path, offset] of places()) {
      const name = JSON.stringify(path);
      if (!offsets.has(name)) offsets.set(name, offset);
    }
    return { offsets, at: createPositionFinder(text) };
  };
  return (path) => {
    known ??= read();
    for (let length = path.length; length > 0; length--) {
      const offset = known.offsets.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return known.at(offset);
    }
    return undefined;
  };
}

/** Maximum nesting depth of a configuration. */
export const maxLevels = 64;

/** Returns whether a value has more than `maxLevels` levels. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !(one instanceof Date) ? Object.values(one) : [],
    );
  }
  return false;
}
