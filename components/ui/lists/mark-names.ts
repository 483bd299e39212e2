import { NameSet } from './name-set.ts';

/** The rows of a list that are marked, by their names: marks stay with their rows whatever is shown of the list. */
export interface Marks {
  readonly names: NameSet;
  /** The row that was marked last: a range begins there. */
  readonly anchor: string | undefined;
}

/** Nothing is marked. */
export const noMarks: Marks = { names: NameSet.of(), anchor: undefined };

/** The marks with that of one row turned over. A row that is marked by it was marked last. */
export function turned(marks: Marks, name: string): Marks {
  const names = marks.names.turn(name);
  return { ...marks, names, anchor: names.has(name) ? name : keptAnchor(marks, names) };
}

/** The marks without that of one row. */
export function withoutMark(marks: Marks, name: string): Marks {
  return marks.names.has(name) ? turned(marks, name) : marks;
}

/** The marks with those of these rows; `anchor` was marked last. */
export function withMarks(marks: Marks, added: Iterable<string>, anchor = marks.anchor): Marks {
  const names = new Set(marks.names);
  for (const name of added) names.add(name);
  return { ...marks, names: NameSet.of(names), anchor };
}

/** The marks with each of these rows turned over. */
export function turnedOver(marks: Marks, rows: Iterable<string>): Marks {
  const changed = new Set(marks.names);
  for (const name of rows) if (!changed.delete(name)) changed.add(name);
  const names = NameSet.of(changed);
  return { ...marks, names, anchor: keptAnchor(marks, names) };
}

/** The marks that a test lets be. */
export function marksThat(marks: Marks, stays: (name: string) => boolean): Marks {
  if (marks.names.size === 0) return marks;
  const names = NameSet.of([...marks.names].filter(stays));
  return names.size === marks.names.size ? marks : { ...marks, names, anchor: keptAnchor(marks, names) };
}

function keptAnchor({ anchor }: Marks, names: NameSet): string | undefined {
  return anchor !== undefined && names.has(anchor) ? anchor : undefined;
}
