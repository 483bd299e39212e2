/** The path of a value: names and indexes from the top of a file. */
export type ValuePath = readonly (string | number)[];

/** Line and column in a text, both counted from 1. */
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
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
