import { compareKeys } from '../model/key-order.ts';
import type { KeyEntry } from '../model/kv.ts';
import { Problem } from '../model/problem.ts';
import { Samples } from '../model/samples.ts';
import type { ValueSource } from './bulk-values.ts';
import { listKeys } from './kv.ts';
import { mergeListings } from './merge.ts';

/** What to do with a key that the destination has already. */
export type OnConflict = 'skip' | 'overwrite' | 'fail';

/** Which keys to copy. */
export interface CopyPlan {
  readonly prefix?: string | undefined;
  readonly onConflict: OnConflict;
  /** Keys up to this one are copied already. */
  readonly after?: string | undefined;
}

/** A page of source keys to copy, and how many were left out because the destination has them. */
export interface PlannedPage {
  readonly copy: readonly KeyEntry[];
  readonly skipped: number;
}

/** Keys of a namespace, as `listKeys` gives them. */
export function keysOf(source: ValueSource, prefix: string | undefined): AsyncGenerator<KeyEntry[]> {
  const { session, namespaceId } = source;
  const signal = session.world.interrupted;
  return listKeys(session, namespaceId, { ...(prefix === undefined ? {} : { prefix }), signal });
}

/**
 * The keys of `from` that are to be copied, in the order of UTF-8 bytes, page by page. The destination is listed only
 * where its keys are to be left alone.
 */
export async function* planCopy(
  from: ValueSource,
  to: ValueSource,
  { prefix, after, onConflict }: CopyPlan,
): AsyncGenerator<PlannedPage> {
  const isLeft = ({ name }: KeyEntry): boolean => after === undefined || compareKeys(name, after) > 0;
  if (onConflict !== 'skip') {
    for await (const page of keysOf(from, prefix)) yield { copy: page.filter(isLeft), skipped: 0 };
    return;
  }
  for await (const pairs of mergeListings(keysOf(from, prefix), keysOf(to, prefix))) {
    const missing = pairs.filter(({ right }) => right === undefined).flatMap(({ left }) => left ?? []);
    const wanted = pairs.flatMap(({ left }) => left ?? []).filter(isLeft);
    const copy = missing.filter(isLeft);
    yield { copy, skipped: wanted.length - copy.length };
  }
}

/** Refuses when the destination has any key of the source. Nothing is written before all are compared. */
export async function refuseConflicts(
  from: ValueSource,
  to: ValueSource,
  prefix: string | undefined,
): Promise<void> {
  const conflicts = new Samples();
  for await (const pairs of mergeListings(keysOf(from, prefix), keysOf(to, prefix))) {
    for (const { name, left, right } of pairs) {
      if (left !== undefined && right !== undefined) conflicts.add(name);
    }
  }
  if (conflicts.count === 0) return;
  const { count, first } = conflicts;
  const named = first.slice(0, 5).map((key) => `"${key}"`);
  const keys = count === 1 ? '1 key' : `${count} keys`;
  throw new Problem(
    'refused',
    `The destination has ${keys} of the source already: ${named.join(', ')}${count > 5 ? ', …' : ''}. Nothing was copied.`,
    { hint: 'Choose what becomes of them: --on-conflict skip, or --on-conflict overwrite.' },
  );
}
