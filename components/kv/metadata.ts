import { isObject } from '../../src/model/json-object.ts';

/** Maximum length of the text in a column, which is more than the widest column shows. */
const maxLength = 120;

/** Returns metadata for a column: `type=image/png width=24` for an object, otherwise JSON. Empty without metadata. */
export function metadataCell(metadata: unknown): string {
  if (metadata === undefined || metadata === null) return '';
  const text = isObject(metadata) ? formatFields(metadata) : JSON.stringify(metadata);
  return text.slice(0, maxLength);
}

function formatFields(metadata: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(metadata).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return fields.length === 0 ? '{}' : fields.join(' ');
}

/** Returns the lines of metadata as indented JSON; empty without metadata. */
export function metadataLines(metadata: unknown): string[] {
  return metadata === undefined || metadata === null
    ? []
    : JSON.stringify(metadata, undefined, 2).split('\n');
}
