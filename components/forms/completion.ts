import { pathsThatBegin } from '../../src/files/path-completion.ts';
import { parseLink } from '../../src/model/places/link.ts';
import type { ConsoleParts } from '../console/use-console.ts';
import type { Field, FormEvent } from './form-state.ts';

/** What is known of names: profiles come beside the rest, because they are read. */
export interface KnownNames extends Pick<ConsoleParts, 'world' | 'known'> {
  readonly profiles: readonly string[];
}

/** Names that a hint lists. */
const mostHinted = 20;

/** What Tab does in a field: completes it as far as it is sure, or lists what it may be; undefined where it goes on. */
export function completing(field: Field, names: KnownNames): FormEvent | undefined {
  const { completes, value } = field;
  if (completes === undefined || value === '') return undefined;
  const candidates = [...candidatesFor(completes, value, names)].filter((name) => name.startsWith(value));
  const [first] = candidates;
  // A folder that is named already may be meant without its slash.
  if (first === undefined || candidates.some((name) => name === value || name === `${value}/`))
    return undefined;
  const text = candidates.reduce(commonBeginning, first);
  if (text.length > value.length) return { type: 'typed', value: text };
  const more = candidates.length > mostHinted ? `, and ${candidates.length - mostHinted} more` : '';
  return { type: 'hinted', hint: `${candidates.slice(0, mostHinted).join('  ')}${more}` };
}

function candidatesFor(
  completes: NonNullable<Field['completes']>,
  value: string,
  { world, known, profiles }: KnownNames,
): Iterable<string> {
  if (completes === 'path') return pathsThatBegin(world, value);
  if (completes === 'place') return ['production', 'preview', 'local', ...profiles];
  return namesOf(completes, known.links);
}

/** The namespaces or buckets that lists have shown. */
function* namesOf(completes: 'namespace' | 'bucket', links: Iterable<string>): Generator<string> {
  for (const text of links) {
    const link = parseLink(text);
    if (link.kind === 'keys' && completes === 'namespace') yield link.namespace;
    if (link.kind === 'objects' && completes === 'bucket') yield link.bucket;
  }
}

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
