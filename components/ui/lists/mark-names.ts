import { NameSet } from './name-set.ts';

/** The names of the marked rows in a list. A row keeps its mark when the list shows other rows. */
export interface Marks {
  readonly names: NameSet;
  /** The name of the last marked row, at which a range begins. */
  readonly anchor: string | undefined;
}

export const noMarks: Marks = { names: NameSet.of(), anchor: undefined };

/** Toggles the mark of one row. A newly marked row becomes the anchor. */
export function toggleMark(marks: Marks, name: string): Marks {
  const names = marks.names.toggle(name);
  return { ...marks, names, anchor: names.has(name) ? name : validAnchor(marks, names) };
}

/** Removes the mark of one row. */
export function withoutMark(marks: Marks, name: string): Marks {
  return marks.names.has(name) ? toggleMark(marks, name) : marks;
}

/** Marks these rows. `anchor` becomes the last marked row. */
export function withMarks(marks: Marks, added: Iterable<string>, anchor = marks.anchor): Marks {
  const names = new Set(marks.names);
  for (const name of added) names.add(name);
  return { ...marks, names: NameSet.of(names), anchor };
}

/** Toggles the marks of these rows. */
export function invertMarks(marks: Marks, rows: Iterable<string>): Marks {
  const changed = new Set(marks.names);
  for (const name of rows) if (!changed.delete(name)) changed.add(name);
  const names = NameSet.of(changed);
  return { ...marks, names, anchor: validAnchor(marks, names) };
}

/** Keeps only the marks for which `stays` returns true. */
export function filterMarks(marks: Marks, stays: (name: string) => boolean): Marks {
  if (marks.names.size === 0) return marks;
  const names = NameSet.of([...marks.names].filter(stays));
  return names.size === marks.names.size ? marks : { ...marks, names, anchor: validAnchor(marks, names) };
}

function validAnchor({ anchor }: Marks, names: NameSet): string | undefined {
  return anchor !== undefined && names.has(anchor) ? anchor : undefined;
}
