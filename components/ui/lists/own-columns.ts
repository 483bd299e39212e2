import type { OwnColumn } from '../../../src/model/places/memory.ts';
import type { FormValues } from '../forms/dialog.ts';
import type { Column, FittedColumns } from './columns.ts';

/** Minimum and maximum width, in screen columns, that the user can set for a column. */
const widths = { min: 3, max: 120 } as const;

/** Returns the columns that the user has chosen, in their order and with their widths; all columns if the user has chosen none. */
export function chooseColumns<T>(
  columns: readonly Column<T>[],
  own: readonly OwnColumn[] | undefined,
): readonly Column<T>[] {
  if (own === undefined) return columns;
  return own.flatMap(({ heading, width }, index): Column<T>[] => {
    const found = columns.find((column) => columnName(column) === heading);
    if (found === undefined) return [];
    const { maxWidth, isExtra: _, hidesEmpty: __, ...column } = found;
    const importance = own.length - index;
    if (width !== undefined) return [{ ...column, width, importance }];
    return [{ ...column, ...(maxWidth !== undefined && { maxWidth }), importance }];
  });
}

/** Returns the name of a column: its id, or its heading if it has no id. */
export function columnName<T>({ id, heading }: Column<T>): string {
  return id ?? heading;
}

/** Returns the width of the name column that the user has set; undefined if not set. */
export function ownNameWidth(name: string, own: readonly OwnColumn[] | undefined): number | undefined {
  return own?.find(({ heading }) => heading === name)?.width;
}

/** Formats columns for the form: `SIZE AGE:6`. */
export function formatColumns(own: readonly OwnColumn[]): string {
  return own.map(({ heading, width }) => (width === undefined ? heading : `${heading}:${width}`)).join(' ');
}

/** Returns the columns that are on the screen, as the initial value of the form. */
export function presentColumns<T>({ columns }: Pick<FittedColumns<T>, 'columns'>): readonly OwnColumn[] {
  return columns.map((column) => ({ heading: columnName(column) }));
}

/**
 * Parses the columns typed in the form, ignoring case. For an empty string, `own` is undefined, which means the default columns. `known`
 * includes the name column.
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
      ? `Unknown column "${name}". Columns: ${known.join(', ')}.`
      : own.some((one) => one.heading === heading)
        ? `${heading} appears twice.`
        : rest.length > 0 || !isWidth(columns)
          ? `${heading}: the width must be a whole number from ${widths.min} to ${widths.max}.`
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
