/** The path of a value: names and indexes from the top of a file. */
export type ValuePath = readonly (string | number)[];

/** Line and column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed file: the data, and where a value (or the nearest one above it) stands. */
export interface Parsed {
  readonly data: unknown;
  locate(path: ValuePath): Position | undefined;
}

/** A parser's refusal: the fault, and its position. */
export class SyntaxFault extends Error {
  readonly position: Position;

  constructor(reason: string, position: Position) {
    super(reason);
    this.position = position;
  }
}

/** Position of an offset. */
export function positionOf(text: string, offset: number): Position {
  return positionsIn(text)(offset);
}

/** Finds positions of offsets, each in logarithmic time: a file can have thousands of places to report. */
export function positionsIn(text: string): (offset: number) => Position {
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

/** Finds the place of a value, or of the nearest value above it. `places` has the offsets by path. */
export function locatorOver(
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
    return { offsets, at: positionsIn(text) };
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

/** Most levels of a configuration. */
export const mostLevels = 64;

/** Whether a value has more levels of lists and tables than a configuration may have. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !(one instanceof Date) ? Object.values(one) : [],
    );
  }
  return false;
}
