import type { KeyEntry } from '../../model/kv/kv.ts';
import { globMatcher } from '../../text/glob.ts';
import { readItemValues, type TextValue, type ValueSource } from './bulk/values.ts';
import { listKeys } from './kv.ts';

/** Conditions that a key must meet; omitted conditions are not checked. */
export interface Search {
  readonly prefix?: string | undefined;
  /**
   * A glob that must match the whole key: `*` matches any characters (also `/`), `?` one character, `[abc]` one of these characters,
   * `{a,b}` either of these strings.
   */
  readonly match?: string | undefined;
  /** String that the value must contain, in UTF-8. */
  readonly valueContains?: string | undefined;
  /** Maximum number of seconds until the key expires. */
  readonly expiresWithin?: number | undefined;
}

/** Finds keys page by page, in the order of a listing. Reads values only if `valueContains` is set. */
export async function* searchKeys(
  source: ValueSource,
  search: Search,
  signal?: AbortSignal,
): AsyncGenerator<KeyEntry[]> {
  const { session, namespaceId } = source;
  const isWanted = keyFilter(search, session.world.now());
  const prefix = findPrefix(search);
  const pages = listKeys(session, namespaceId, {
    ...(prefix === undefined ? {} : { prefix }),
    ...(signal ? { signal } : {}),
  });
  const found = filtered(pages, isWanted);
  const { valueContains } = search;
  if (valueContains === undefined) {
    yield* found;
    return;
  }
  for await (const group of readItemValues(source, found, ({ name }) => name, signal)) {
    yield group.filter(({ value }) => contains(value, valueContains)).map(({ item }) => item);
  }
}

async function* filtered(
  pages: AsyncIterable<readonly KeyEntry[]>,
  isWanted: (entry: KeyEntry) => boolean,
): AsyncGenerator<KeyEntry[]> {
  for await (const page of pages) yield page.filter(isWanted);
}

function keyFilter(search: Search, now: number): (entry: KeyEntry) => boolean {
  const { match, expiresWithin } = search;
  const matches = match === undefined ? () => true : globMatcher(match);
  const latest = expiresWithin === undefined ? undefined : now / 1000 + expiresWithin;
  return ({ name, expiration }) =>
    (latest === undefined || (expiration !== undefined && expiration <= latest)) && matches(name);
}

/** Returns the prefix for the platform's filter: the given prefix, or a longer prefix from the start of the glob. */
function findPrefix({ prefix, match }: Search): string | undefined {
  const plain = match === undefined ? '' : (/^[^*?[\]{}()!+@\\|]*/.exec(match)?.[0] ?? '');
  if (plain !== '' && plain.startsWith(prefix ?? '')) return plain;
  return prefix;
}

function contains(value: TextValue | undefined, text: string): boolean {
  if (value === undefined) return false;
  return value.base64 === true
    ? Buffer.from(value.value, 'base64').includes(text)
    : value.value.includes(text);
}
