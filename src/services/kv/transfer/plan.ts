import { compareKeys } from '../../../model/kv/key-order.ts';
import type { KeyEntry } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import { readItemValues, type ValueSource } from '../bulk/values.ts';
import { listKeys } from '../kv.ts';
import { mergeListings, type Pair } from './merge.ts';

/** How to handle keys that exist in the destination. */
export type OnConflict = 'skip' | 'overwrite' | 'fail';

/** A set of key names, sorted by their UTF-8 bytes. */
export interface NamedKeys {
  readonly count: number;
  /** A string that identifies this set of names. */
  readonly fingerprint: string;
  pages(): AsyncIterable<readonly string[]>;
}

/** A selection of keys in a namespace: all keys, keys with a prefix, or named keys. */
export interface KeySelection {
  readonly prefix?: string | undefined;
  readonly names?: NamedKeys | undefined;
}

/** The keys to copy, and the rule for existing keys. */
export interface CopyPlan extends KeySelection {
  readonly onConflict: OnConflict;
  /** The last key that an earlier run copied; only keys after this key are copied. */
  readonly after?: string | undefined;
  /** Whether to list the destination even with `overwrite`, to find the keys that are replaced. */
  readonly findsReplaced?: boolean | undefined;
}

/** A page of source keys to copy, and the number of keys that are skipped because they exist in the destination. */
export interface PlannedPage {
  readonly copy: readonly KeyEntry[];
  readonly skipped: number;
  /** Names of the keys to copy that exist in the destination; empty if the destination is not listed. */
  readonly replaced: readonly string[];
}

/** Lists the selected keys as `listKeys` does. For named keys, returns only the names, including names of missing keys. */
export async function* listSelectedKeys(
  { session, namespaceId }: ValueSource,
  { prefix, names }: KeySelection,
): AsyncGenerator<readonly KeyEntry[]> {
  const signal = session.world.interrupted;
  if (names === undefined) {
    yield* listKeys(session, namespaceId, { prefix, signal });
    return;
  }
  for await (const page of names.pages()) yield page.map((name) => ({ name }));
}

/** Lists the selected keys that exist, including keys whose values are lost. */
async function* existingKeys(
  source: ValueSource,
  selection: KeySelection,
): AsyncGenerator<readonly KeyEntry[]> {
  const keys = listSelectedKeys(source, selection);
  if (selection.names === undefined) return yield* keys;
  const signal = source.session.world.interrupted;
  const lost = new Set<string>();
  for await (const group of readItemValues({ ...source, lost }, keys, ({ name }) => name, signal)) {
    yield group
      .filter(({ item, value }) => value !== undefined || lost.has(item.name))
      .map(({ item }) => item);
  }
}

/** Pairs the selected keys of two sides by name. All named keys are assumed to exist on the first side. */
export function pairKeys(
  from: ValueSource,
  to: ValueSource,
  selection: KeySelection,
): ReturnType<typeof mergeListings> {
  return mergeListings(listSelectedKeys(from, selection), existingKeys(to, selection));
}

/**
 * Plans which keys to copy from `from`, page by page, sorted by UTF-8 bytes. Lists the destination only if existing keys must be skipped or
 * counted.
 */
export async function* planCopy(
  from: ValueSource,
  to: ValueSource,
  { after, onConflict, findsReplaced = false, ...selection }: CopyPlan,
): AsyncGenerator<PlannedPage> {
  const isLeft = ({ name }: KeyEntry): boolean => after === undefined || compareKeys(name, after) > 0;
  if (onConflict === 'overwrite' && findsReplaced) return yield* planOverwrite(from, to, selection, isLeft);
  if (onConflict !== 'skip') {
    for await (const page of listSelectedKeys(from, selection))
      yield { copy: page.filter(isLeft), skipped: 0, replaced: [] };
    return;
  }
  for await (const pairs of pairKeys(from, to, selection)) {
    const wanted = toWanted(pairs, isLeft);
    const missing = wanted.filter(({ isThere }) => !isThere);
    yield { copy: missing.map(({ entry }) => entry), skipped: wanted.length - missing.length, replaced: [] };
  }
}

/** Returns the remaining source keys to copy, and whether each key exists in the destination. */
function toWanted(pairs: readonly Pair[], isLeft: (entry: KeyEntry) => boolean) {
  return pairs.flatMap(({ left, right }) =>
    left !== undefined && isLeft(left) ? [{ entry: left, isThere: right !== undefined }] : [],
  );
}

async function* planOverwrite(
  from: ValueSource,
  to: ValueSource,
  selection: KeySelection,
  isLeft: (entry: KeyEntry) => boolean,
): AsyncGenerator<PlannedPage> {
  let hasEnded = false;
  async function* source(): AsyncGenerator<readonly KeyEntry[]> {
    yield* listSelectedKeys(from, selection);
    hasEnded = true;
  }
  for await (const pairs of mergeListings(source(), existingKeys(to, selection))) {
    const wanted = toWanted(pairs, isLeft);
    const replaced = wanted.filter(({ isThere }) => isThere).map(({ entry }) => entry.name);
    yield { copy: wanted.map(({ entry }) => entry), skipped: 0, replaced };
    // Keys in the destination after the last key in the source do not matter.
    if (hasEnded) return;
  }
}

/**
 * Compares all selected keys, and throws if any key in the source exists in the destination. Returns the number of keys in the source.
 * Writes nothing.
 */
export async function refuseConflicts(
  from: ValueSource,
  to: ValueSource,
  selection: KeySelection,
  /** Command-line arguments that resume an interrupted copy. */
  resume: readonly string[] = [],
): Promise<number> {
  const conflicts = new Samples();
  let total = 0;
  for await (const pairs of pairKeys(from, to, selection)) {
    for (const { name, left, right } of pairs) {
      if (left === undefined) continue;
      total++;
      if (right !== undefined) conflicts.add(name);
    }
  }
  if (conflicts.count === 0) return total;
  const { count, first } = conflicts;
  const named = first.slice(0, 5).map((key) => `"${key}"`);
  const keys = count === 1 ? '1 key' : `${count} keys`;
  throw new Problem(
    'refused',
    `The destination already contains ${keys} from the source: ${named.join(', ')}${count > 5 ? ', …' : ''}. Nothing was copied.`,
    { remedy: { kind: 'choose-existing', resume } },
  );
}
