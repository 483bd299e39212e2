import type { OwnColumn } from '../../../src/model/places/memory.ts';
import type { FormValues } from '../forms/dialog.ts';
import type { Column, FittedColumns } from './columns.ts';

/** Limits of a width set by the user, in columns of the screen. */
const widths = { min: 3, max: 120 } as const;

/** Returns the columns chosen by the user, with the user's order and widths. All chosen columns get room before the preview. */
export function chooseColumns<T>(
  columns: readonly Column<T>[],
  own: readonly OwnColumn[] | undefined,
): readonly Column<T>[] {
  if (own === undefined) return columns;
  return own.flatMap(({ heading, width }, index): Column<T>[] => {
    const found = columns.find((column) => columnName(column) === heading);
    if (found === undefined) return [];
    const { maxWidth, isExtra: _, ...column } = found;
    const importance = own.length - index;
    if (width !== undefined) return [{ ...column, width, importance }];
    return [{ ...column, ...(maxWidth !== undefined && { maxWidth }), importance }];
  });
}

/** Returns the name of a column. If the heading is a scale, the heading is not the column's name. */
export function columnName<T>({ id, heading }: Column<T>): string {
  return id ?? heading;
}

/** Returns the width of the name set by the user. */
export function ownNameWidth(name: string, own: readonly OwnColumn[] | undefined): number | undefined {
  return own?.find(({ heading }) => heading === name)?.width;
}

/** Formats columns for the form: `SIZE AGE:6`. */
export function formatColumns(own: readonly OwnColumn[]): string {
  return own.map(({ heading, width }) => (width === undefined ? heading : `${heading}:${width}`)).join(' ');
}

/** Returns the current columns, which the form shows until the user chooses columns. */
export function presentColumns<T>({ columns }: Pick<FittedColumns<T>, 'columns'>): readonly OwnColumn[] {
  return columns.map((column) => ({ heading: columnName(column) }));
}

/**
 * Parses the columns entered in the form, in any case. Returns undefined for an empty string, which means the default. `known` includes the
 * name.
 */
export function parseColumns(
  text: string,
  known: readonly string[],
): { readonly own: readonly OwnColumn[] | undefined } | { readonly errors: FormValues } {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) return { own: undefined };
  const own: OwnColumn[] = [];
  for (const word of words) {
    const [name = '', width, ...rest] = word.split(':');
    const heading = name.toUpperCase();
    const columns = width === undefined ? undefined : Number(width);
    const fault = !known.includes(heading)
      ? `The list has no column "${name}". Columns: ${known.join(', ')}.`
      : own.some((one) => one.heading === heading)
        ? `${heading} appears twice.`
        : rest.length > 0 || !isWidth(columns)
          ? `${heading}: a width is a whole number from ${widths.min} to ${widths.max}.`
          : undefined;
    if (fault !== undefined) return { errors: { columns: fault } };
    own.push(columns === undefined ? { heading } : { heading, width: columns });
  }
  return { own };
}

function isWidth(columns: number | undefined): boolean {
  if (columns === undefined) return true;
  return Number.isInteger(columns) && columns >= widths.min && columns <= widths.max;
}
