import { compareKeys } from '../../../model/kv/key-order.ts';
import type { KeyEntry } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import { readValuesOf, type ValueSource } from '../bulk/values.ts';
import { listKeys } from '../kv.ts';
import { mergeListings, type Pair } from './merge.ts';

/** The rule for a key that the destination has already. */
export type OnConflict = 'skip' | 'overwrite' | 'fail';

/** Keys by their names, in the order of their UTF-8 bytes. */
export interface NamedKeys {
  readonly count: number;
  /** Tells one set of names from another. */
  readonly fingerprint: string;
  pages(): AsyncIterable<readonly string[]>;
}

/** Which keys of a namespace: all, those with a prefix, or named ones. */
export interface KeySelection {
  readonly prefix?: string | undefined;
  readonly names?: NamedKeys | undefined;
}

/** Which keys to copy. */
export interface CopyPlan extends KeySelection {
  readonly onConflict: OnConflict;
  /** Keys up to this one are copied already. */
  readonly after?: string | undefined;
  /** Lists the destination with `overwrite` as well, to find which keys are replaced. */
  readonly findsReplaced?: boolean | undefined;
}

/** A page of source keys to copy, and how many were left out because the destination has them. */
export interface PlannedPage {
  readonly copy: readonly KeyEntry[];
  readonly skipped: number;
  /** Names of keys to copy that the destination has; empty where it is not listed. */
  readonly replaced: readonly string[];
}

/** Keys of a namespace, as `listKeys` gives them. Of named ones the names only, whether they exist or not. */
export async function* keysOf(
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

/** The keys of a selection that exist, be it without their values. */
async function* existingKeys(
  source: ValueSource,
  selection: KeySelection,
): AsyncGenerator<readonly KeyEntry[]> {
  const keys = keysOf(source, selection);
  if (selection.names === undefined) return yield* keys;
  const signal = source.session.world.interrupted;
  const lost = new Set<string>();
  for await (const group of readValuesOf({ ...source, lost }, keys, ({ name }) => name, signal)) {
    yield group
      .filter(({ item, value }) => value !== undefined || lost.has(item.name))
      .map(({ item }) => item);
  }
}

/** The keys of a selection on two sides, by name. Named ones are taken to be on the first. */
export function pairKeys(
  from: ValueSource,
  to: ValueSource,
  selection: KeySelection,
): ReturnType<typeof mergeListings> {
  return mergeListings(keysOf(from, selection), existingKeys(to, selection));
}

/**
 * The keys of `from` that are to be copied, in the order of UTF-8 bytes, page by page. The destination is listed only
 * where its keys are to be left alone or counted, and then as far as the source goes.
 */
export async function* planCopy(
  from: ValueSource,
  to: ValueSource,
  { after, onConflict, findsReplaced = false, ...selection }: CopyPlan,
): AsyncGenerator<PlannedPage> {
  const isLeft = ({ name }: KeyEntry): boolean => after === undefined || compareKeys(name, after) > 0;
  if (onConflict === 'overwrite' && findsReplaced) return yield* planOverwrite(from, to, selection, isLeft);
  if (onConflict !== 'skip') {
    for await (const page of keysOf(from, selection))
      yield { copy: page.filter(isLeft), skipped: 0, replaced: [] };
    return;
  }
  for await (const pairs of pairKeys(from, to, selection)) {
    const wanted = wantedOf(pairs, isLeft);
    const missing = wanted.filter(({ isThere }) => !isThere);
    yield { copy: missing.map(({ entry }) => entry), skipped: wanted.length - missing.length, replaced: [] };
  }
}

/** The keys of the source that are left to copy, and whether the destination has each. */
function wantedOf(pairs: readonly Pair[], isLeft: (entry: KeyEntry) => boolean) {
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
    yield* keysOf(from, selection);
    hasEnded = true;
  }
  for await (const pairs of mergeListings(source(), existingKeys(to, selection))) {
    const wanted = wantedOf(pairs, isLeft);
    const replaced = wanted.filter(({ isThere }) => isThere).map(({ entry }) => entry.name);
    yield { copy: wanted.map(({ entry }) => entry), skipped: 0, replaced };
    // Further keys of the destination replace nothing, however many there are.
    if (hasEnded) return;
  }
}

/**
 * Refuses when the destination has any key of the source; `hint` says what else could be done about it. Nothing is written
 * before all are compared. Gives how many keys the source has.
 */
export async function refuseConflicts(
  from: ValueSource,
  to: ValueSource,
  selection: KeySelection,
  /** Continues a copy that was interrupted. */
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
    `The destination has ${keys} of the source already: ${named.join(', ')}${count > 5 ? ', …' : ''}. Nothing was copied.`,
    { remedy: { kind: 'choose-existing', resume } },
  );
}
