import { completePath } from '../../../src/files/typed-path.ts';
import { parseLink } from '../../../src/model/places/link.ts';
import type { ConsoleParts } from '../../kit/use-console.ts';
import type { Field, FieldNames, FormEvent } from './form-state.ts';

/** The names that Tab can complete. */
export interface KnownNames extends Pick<ConsoleParts, 'world' | 'known'> {
  readonly profiles: readonly string[];
  /** Names in the list behind the form that begin with the typed string. */
  readonly rows: readonly string[];
}

/** Maximum number of names in a hint. */
const maxHinted = 20;

/**
 * Returns the effect of Tab in a field: the name completed as far as it is unambiguous, or a hint with the candidates. Returns undefined if
 * Tab moves to the next field.
 */
export function completeField(field: Field, names: KnownNames): FormEvent | undefined {
  const { completes, value } = field;
  if (completes === undefined || value === '') return undefined;
  if (completes === 'row') return completeNewName(field, names.rows);
  const candidates = [...candidatesFor(completes, value, names)].filter((name) => name.startsWith(value));
  const [first] = candidates;
  // The name of an existing folder is complete even without a final slash.
  if (first === undefined || candidates.some((name) => name === value || name === `${value}/`))
    return undefined;
  const text = candidates.reduce(commonPrefix, first);
  if (text.length > value.length) return { type: 'typed', value: text };
  return toHintEvent(candidates);
}

/**
 * Completes a new name up to a separator, and never to an existing name. Otherwise lists the names that begin in the same way; the next Tab
 * moves to the next field.
 */
function completeNewName({ value, hint }: Field, rows: readonly string[]): FormEvent | undefined {
  const candidates = rows.filter((name) => name.startsWith(value));
  const [first] = candidates;
  if (first === undefined || hint !== undefined || candidates.includes(value)) return undefined;
  const common = candidates.reduce(commonPrefix, first);
  const sure = /^.*[/:.]/su.exec(common)?.[0] ?? '';
  return sure.length > value.length ? { type: 'typed', value: sure } : toHintEvent(candidates);
}

function toHintEvent(candidates: readonly string[]): FormEvent {
  const more = candidates.length > maxHinted ? `, and ${candidates.length - maxHinted} more` : '';
  return { type: 'hinted', hint: `${candidates.slice(0, maxHinted).join('  ')}${more}` };
}

function candidatesFor(
  completes: Exclude<FieldNames, 'row'>,
  value: string,
  { world, known, profiles }: KnownNames,
): Iterable<string> {
  if (completes === 'path') return completePath(world, value);
  if (completes === 'place') return ['production', 'preview', 'local', ...profiles];
  return seenNames(completes, known.places().keys());
}

/** Yields the names of the namespaces or buckets in links that lists have shown. */
function* seenNames(completes: 'namespace' | 'bucket', links: Iterable<string>): Generator<string> {
  for (const text of links) {
    const link = parseLink(text);
    if (link.kind === 'keys' && completes === 'namespace') yield link.namespace;
    if (link.kind === 'objects' && completes === 'bucket') yield link.bucket;
  }
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
