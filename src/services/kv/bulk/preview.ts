import { isDeepStrictEqual } from 'node:util';
import { type BulkItem, isFault } from '../../../model/kv/bulk.ts';
import type { IndexRanges } from '../../../model/kv/index-ranges.ts';
import type { BulkEntry } from '../../../model/kv/kv.ts';
import type { Session } from '../../session/session.ts';
import { type ParseEntry, readEntries } from './entries.ts';
import type { BulkInput } from './input.ts';
import type { Survey } from './survey.ts';
import { readItemValues, type StoredText } from './values.ts';

/** The effect of a bulk command on a key. */
export interface KeyEffect {
  readonly key: string;
  /** `same`: writing the key would change nothing. `missing`: the key to delete does not exist. */
  readonly effect: 'create' | 'change' | 'same' | 'delete' | 'missing';
}

export interface PreviewParts {
  readonly session: Session;
  readonly namespaceId: string;
  readonly input: BulkInput;
  readonly parse: ParseEntry;
  readonly survey: Survey;
  readonly confirmed: IndexRanges;
}

/** Yields the effect of a bulk file on each key, in file order, compared with the stored values. Changes no data. */
export async function* previewBulk(parts: PreviewParts): AsyncGenerator<KeyEffect[]> {
  const { session, namespaceId } = parts;
  const lost = new Set<string>();
  const source = { session, namespaceId, withMetadata: true, lost };
  const signal = session.world.interrupted;
  for await (const group of readItemValues(source, readItems(parts), ({ key }) => key, signal)) {
    yield group.map(({ item, value }) => ({
      key: item.key,
      effect: findEffect(item, value, value !== undefined || lost.has(item.key)),
    }));
  }
}

async function* readItems({
  session,
  input,
  parse,
  survey,
  confirmed,
}: PreviewParts): AsyncGenerator<BulkItem[]> {
  let items: BulkItem[] = [];
  const reading = readEntries(
    input,
    parse,
    (entry, index) => {
      if (!isFault(entry) && survey.keys.isLast(entry.key, index)) items.push(entry);
    },
    { skip: (index) => confirmed.has(index), stop: session.world.interrupted },
  );
  for await (const _ of reading) {
    yield items;
    items = [];
  }
}

/** Returns the effect of an entry. `isThere` is also true for a key whose value cannot be read. */
function findEffect(
  { sent }: BulkItem,
  stored: StoredText | undefined,
  isThere: boolean,
): KeyEffect['effect'] {
  if (typeof sent === 'string') return isThere ? 'delete' : 'missing';
  if (!isThere) return 'create';
  return stored !== undefined && isSame(sent, stored) ? 'same' : 'change';
}

/** Returns whether writing the entry would change nothing. An entry with a time to live always changes the expiry. */
function isSame(entry: BulkEntry, stored: StoredText): boolean {
  return (
    entry.expiration_ttl === undefined &&
    entry.expiration === stored.expiration &&
    isDeepStrictEqual(entry.metadata ?? null, stored.metadata ?? null) &&
    decodeValue(entry).equals(decodeValue(stored))
  );
}

function decodeValue({ value, base64 }: { readonly value: string; readonly base64?: boolean }): Buffer {
  return Buffer.from(value, base64 === true ? 'base64' : 'utf8');
}
