import { isDeepStrictEqual } from 'node:util';
import type { namespaceDifference } from '../../../model/kv/difference-shape.ts';
import type { Reporter } from '../../../model/progress.ts';
import type { ValueOf } from '../../../model/shape.ts';
import { readItemValues, type TextValue, type ValueSource } from '../bulk/values.ts';
import { mergeListings, type Pair } from './merge.ts';
import { listSelectedKeys } from './plan.ts';

/** A field whose value can differ between the two sides of a comparison. */
export type DifferentField = 'value' | 'metadata' | 'expiration';

/** A key that differs between the two sides. `added`: the key exists only on the right. `removed`: the key exists only on the left. */
export type Difference = ValueOf<typeof namespaceDifference>;

export interface DiffOptions {
  readonly prefix?: string | undefined;
  /** Whether to compare only names, metadata and expiry, without values. */
  readonly keysOnly: boolean;
  readonly reporter: Reporter;
}

/** Compares two namespaces key by key, in the order of UTF-8 bytes. Keeps one page of each namespace in memory. */
export async function* diffNamespaces(
  left: ValueSource,
  right: ValueSource,
  options: DiffOptions,
): AsyncGenerator<Difference[]> {
  const signal = left.session.world.interrupted;
  const pairs = mergeListings(
    listSelectedKeys(left, { prefix: options.prefix }),
    listSelectedKeys(right, { prefix: options.prefix }),
  );
  const shared = (pair: Pair) => (options.keysOnly || !isShared(pair) ? undefined : pair.name);
  const withLeft = readItemValues(left, pairs, shared, signal);
  const withBoth = readItemValues(right, withLeft, ({ item }) => shared(item), signal);
  let done = 0;
  for await (const group of withBoth) {
    done += group.length;
    options.reporter.progress({ phase: 'comparing', unit: 'keys', done, retries: 0, failed: 0 });
    yield group.flatMap(({ item: { item: pair, value: leftValue }, value: rightValue }) =>
      findDifference(pair, leftValue, rightValue),
    );
  }
}

function isShared({ left, right }: Pair): boolean {
  return left !== undefined && right !== undefined;
}

function findDifference(
  { name: key, left, right }: Pair,
  leftValue: TextValue | undefined,
  rightValue: TextValue | undefined,
): Difference[] {
  if (left === undefined) return [{ key, change: 'added' }];
  if (right === undefined) return [{ key, change: 'removed' }];
  const fields: DifferentField[] = [];
  if (!isDeepStrictEqual(leftValue, rightValue)) fields.push('value');
  if (!isDeepStrictEqual(left.metadata ?? null, right.metadata ?? null)) fields.push('metadata');
  if (left.expiration !== right.expiration) fields.push('expiration');
  return fields.length === 0 ? [] : [{ key, change: 'changed', fields }];
}
