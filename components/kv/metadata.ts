import { isObject } from '../../src/model/json-object.ts';

/** Maximum length of the text in a column: more than the widest column shows. */
const maxLength = 120;

/**
 * Formats metadata for a column: `type=image/png width=24` for an object, JSON for other values. Returns an empty string if there is no
 * metadata.
 */
export function metadataCell(metadata: unknown, widths?: FieldWidths): string {
  if (metadata === undefined || metadata === null) return '';
  const text = isObject(metadata) ? formatFields(metadata, widths) : JSON.stringify(metadata);
  return text.slice(0, maxLength);
}

/** Width in columns of each metadata field of several keys, by field name, in the order of first appearance. */
export type FieldWidths = ReadonlyMap<string, number>;

/** Maximum number of aligned fields, and maximum width of an aligned field, in columns. */
const aligned = { fields: 4, columns: 24 } as const;

/** Measures the frequent fields of metadata, so that each field starts in the same column in all rows. */
export function measureFields(all: Iterable<unknown>): FieldWidths {
  const found = new Map<string, { readonly width: number; readonly count: number }>();
  let total = 0;
  for (const metadata of all) {
    if (!isObject(metadata)) continue;
    total += 1;
    for (const [name, value] of Object.entries(metadata)) {
      const { width = 0, count = 0 } = found.get(name) ?? {};
      const columns = Math.min(aligned.columns, formatField(name, value).length);
      found.set(name, { width: Math.max(width, columns), count: count + 1 });
    }
  }
  // Aligning a rare field would only leave a gap in the rows without this field.
  const usual = [...found].filter(([, { count }]) => count > 1 && count >= total / 2);
  return new Map(usual.slice(0, aligned.fields).map(([name, { width }]) => [name, width]));
}

function formatField(name: string, value: unknown): string {
  return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function formatFields(metadata: Readonly<Record<string, unknown>>, widths: FieldWidths = new Map()): string {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return '{}';
  // Metadata without an aligned field begins at the start of the column.
  if (!entries.some(([name]) => widths.has(name))) widths = new Map();
  const first = [...widths].map(([name, width]) =>
    (Object.hasOwn(metadata, name) ? formatField(name, metadata[name]) : '').padEnd(width),
  );
  const rest = entries.filter(([name]) => !widths.has(name)).map(([name, value]) => formatField(name, value));
  return [...first, ...rest].join(' ').trimEnd();
}

/** Returns the lines of metadata as indented JSON; empty without metadata. */
export function metadataLines(metadata: unknown): string[] {
  return metadata === undefined || metadata === null
    ? []
    : JSON.stringify(metadata, undefined, 2).split('\n');
}
