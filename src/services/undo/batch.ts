import { isUtf8 } from 'node:buffer';
import { type BulkEntry, kvLimits } from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import {
  type BatchItem,
  describeThing,
  parseBatchIndex,
  type UndoEntry,
  undoLimits,
} from '../../model/undo/entry.ts';
import { formatSize } from '../../text/size.ts';
import { Batches } from '../kv/bulk/batch.ts';
import { batchEntry, longEntriesBytes } from '../kv/bulk/run.ts';
import { putBatches, type SendBatch, sendUntilTaken } from '../kv/bulk/send.ts';
import { readItemValues } from '../kv/bulk/values.ts';
import { hashValue, type WholeKey } from '../kv/key-change.ts';
import { readObjectEntry } from '../objects/objects.ts';
import type { Session } from '../session/session.ts';
import { changeSaved, type OldState, saveState } from './change-with-undo.ts';
import { type Journal, openJournal } from './journal.ts';
import { isObjectChanged, restoreObject, type SavedObject } from './objects.ts';
import type { RestoredThing } from './restored-thing.ts';
import { isRestored, isUnchanged, type RestoreOptions, type SavedValue, toOldValue } from './values.ts';

/** An item of a batch, with its saved bytes. */
type Saved<T> = Omit<BatchItem, 'thing'> & { readonly thing: T; readonly bytes: Uint8Array };

type BatchThing = Extract<UndoEntry['thing'], { kind: 'batch' }>;

/** Maximum number of keys in the description of a batch. */
const shownKeys = 3;
/** Maximum number of objects that are read or written in parallel. */
const parallelObjects = 4;

/** Throws if a batch exceeds the limits of the journal. `bytes` is its total size. */
export function checkBatchSize(of: BatchThing['of'], count: number, bytes: number): void {
  if (count > undoLimits.entries)
    throw new Problem(
      'refused',
      `Undo can save up to ${undoLimits.entries.toLocaleString('en')} ${of}s per request, not ${count.toLocaleString('en')}.`,
    );
  if (bytes > undoLimits.bytes)
    throw new Problem(
      'refused',
      `Undo can save up to ${formatSize(undoLimits.bytes)}, but the old ${of}s are larger.`,
    );
}

/**
 * Saves one undo entry with all values or objects that one request will change. All items must be in the same namespace or bucket. A single
 * item is saved in the form of a single change. Returns undefined for an empty list.
 */
export async function saveStates(
  session: Session,
  journal: Journal,
  states: readonly OldState[],
): Promise<UndoEntry | undefined> {
  const [first, ...more] = states;
  if (first === undefined) return undefined;
  if (more.length === 0) return saveState(session, journal, first);
  const { thing } = first;
  if (thing.kind !== 'value' && thing.kind !== 'object')
    throw new Problem('bug', `A ${thing.kind} cannot be saved together with other items.`);
  const items = states.map(({ bytes, ...state }) => ({
    ...state,
    size: bytes.length,
    sha256: hashValue(bytes),
  }));
  const index = Buffer.from(`${JSON.stringify(items)}\n`);
  const size = states.reduce((sum, { bytes }) => sum + bytes.length, index.length);
  checkBatchSize(thing.kind, states.length, size);
  return saveState(session, journal, {
    did: first.did,
    thing: {
      kind: 'batch',
      of: thing.kind,
      within: thing.kind === 'value' ? thing.namespaceId : thing.bucket,
      count: states.length,
      first: states.slice(0, shownKeys).map((one) => ('key' in one.thing ? one.thing.key : '')),
    },
    left: 'nothing',
    bytes: [index, ...states.map(({ bytes }) => bytes)],
  });
}

/** Returns the items of a batch. Throws store-invalid if the index does not match the bytes. */
export function listBatch(bytes: Uint8Array): Saved<BatchItem['thing']>[] {
  const end = bytes.indexOf(0x0a);
  let at = end + 1;
  const items = parseBatchIndex(Buffer.from(bytes.subarray(0, end)).toString('utf8')).map((item) => {
    const own = bytes.subarray(at, at + item.size);
    at += item.size;
    return { ...item, bytes: own };
  });
  if (at !== bytes.length)
    throw new Problem('store-invalid', 'The undo entry is damaged; nothing was changed.');
  return items;
}

/**
 * Returns the values of a batch as a file for `kv bulk put`. Returns undefined for a batch of objects, and for an entry that is not a batch.
 */
export function formatBatchValues({ thing }: UndoEntry, bytes: Uint8Array): Uint8Array | undefined {
  if (thing.kind !== 'batch' || thing.of !== 'value') return undefined;
  const entries = listBatch(bytes)
    .filter(isValue)
    .map((item) => toBulkEntry(item, item.thing.expiration));
  return Buffer.from(`${JSON.stringify(entries, undefined, 2)}\n`);
}

function toBulkEntry({ thing, bytes }: Saved<SavedValue>, expiration: number | undefined): BulkEntry {
  const { key, metadata } = thing;
  const value = isUtf8(bytes)
    ? { value: Buffer.from(bytes).toString('utf8') }
    : { value: Buffer.from(bytes).toString('base64'), base64: true };
  return {
    key,
    ...value,
    ...(metadata !== undefined && metadata !== null && { metadata }),
    ...(expiration !== undefined && { expiration }),
  };
}

/** The result of restoring a batch. `note` is a sentence about the items that were not restored. */
export type RestoredBatch =
  | { readonly outcome: 'restored'; readonly things: readonly RestoredThing[]; readonly note?: string }
  | { readonly outcome: 'other' | 'expired'; readonly why: string };

/** Restores the items of a batch. If an item was changed again since the saved change, restores no item, unless `force` is set. */
export async function restoreBatch(
  session: Session,
  entry: UndoEntry,
  thing: BatchThing,
  bytes: Uint8Array,
  options: RestoreOptions,
): Promise<RestoredBatch> {
  const items = listBatch(bytes);
  if (thing.of === 'value') return restoreValues(session, entry, thing, items.filter(isValue), options);
  return restoreObjects(session, entry, items.filter(isObjectItem), options);
}

function isValue(item: Saved<BatchItem['thing']>): item is Saved<SavedValue> {
  return item.thing.kind === 'value';
}

function isObjectItem(item: Saved<BatchItem['thing']>): item is Saved<SavedObject> {
  return item.thing.kind === 'object';
}

async function restoreValues(
  session: Session,
  entry: UndoEntry,
  { within: namespaceId }: BatchThing,
  items: readonly Saved<SavedValue>[],
  { force, withoutExpiry }: RestoreOptions,
): Promise<RestoredBatch> {
  const earliest = Math.floor(session.world.now() / 1000) + 60;
  const isOver = ({ thing }: Saved<SavedValue>) =>
    thing.expiration !== undefined && thing.expiration < earliest;
  const due = withoutExpiry ? items : items.filter((item) => !isOver(item));
  const expired = items.length - due.length;
  if (due.length === 0)
    return {
      outcome: 'expired',
      why: `The expiry of ${describeThing(entry.thing)} has passed, or is less than a minute away.`,
    };
  const current = await readOldValues(
    session,
    namespaceId,
    due.map(({ thing }) => thing.key),
  );
  const others = due.flatMap((item) => {
    const now = current.get(item.thing.key);
    return now === undefined || isRestored(item, item.thing, now) ? [] : [{ item, now }];
  });
  const changed = others.filter(({ item, now }) => !isUnchanged(item, now));
  if (changed.length > 0 && !force)
    return conflict(
      entry,
      changed.map(({ item }) => item.thing.key),
    );
  const replaced = others.map(({ item, now }) =>
    toOldValue(namespaceId, now, 'restored', { mark: item.sha256 }),
  );
  const journal = openJournal(session.world);
  const saved = await saveStates(session, journal, replaced);
  await changeSaved(journal, saved, () => writeValues(session, namespaceId, due, isOver));
  return {
    outcome: 'restored',
    things: due.map(({ thing }) => {
      const { key: name, expiration, metadata } = thing;
      const restored = { name, ...(metadata !== undefined && { metadata }) };
      return {
        kind: 'value',
        namespaceId,
        entry: { ...restored, ...(expiration !== undefined && expiration >= earliest && { expiration }) },
      };
    }),
    ...(expired > 0 && {
      note: `Not restored, because the expiry has passed or is less than a minute away: ${expired} of ${items.length} values.`,
    }),
  };
}

/**
 * Writes values, in several requests if necessary. If a request fails after values were written, throws partly-done: the error of a later
 * request must not appear to be the result of the whole operation.
 */
async function writeValues(
  session: Session,
  namespaceId: string,
  items: readonly Saved<SavedValue>[],
  isOver: (item: Saved<SavedValue>) => boolean,
): Promise<void> {
  const hint = 'The undo entry was kept: restore it again.';
  const put = putBatches(session, namespaceId);
  let written = 0;
  const send: SendBatch = async (batch, signal) => {
    const failed = await put(batch, signal);
    written += batch.count - failed.size;
    return failed;
  };
  let failed: readonly string[];
  try {
    failed = await sendValues(session, send, items, isOver);
  } catch (error) {
    if (written === 0 || !isProblem(error) || error.code === 'interrupted') throw error;
    const message = `Restored ${written} of ${items.length} values. ${error.message}`;
    throw new Problem('partly-done', message, { cause: error, requestId: error.requestId, hint });
  }
  if (failed.length > 0)
    throw new Problem(
      'partly-done',
      `The platform did not accept ${failed.length} of ${items.length} values: ${listKeys(failed)}.`,
      { hint },
    );
}

/** Sends values in batches. Returns the keys that the platform did not accept. */
async function sendValues(
  session: Session,
  send: SendBatch,
  items: readonly Saved<SavedValue>[],
  isOver: (item: Saved<SavedValue>) => boolean,
): Promise<string[]> {
  const batches = new Batches({
    entries: kvLimits.bulkPutEntries,
    bytes: Math.min(session.bulkBytes, longEntriesBytes),
  });
  const failed: string[] = [];
  const sendReady = async () => {
    for (let batch = batches.take(); batch !== undefined; batch = batches.take()) {
      const { sleep, interrupted } = session.world;
      const retry = { sleep, signal: interrupted, onRetry: () => undefined };
      failed.push(...(await sendUntilTaken(send, batch, retry)));
      batches.giveBack(batch);
    }
  };
  for (const [index, item] of items.entries()) {
    const { key, expiration } = item.thing;
    const sent = toBulkEntry(item, isOver(item) ? undefined : expiration);
    batches.add(index, batchEntry({ key, sent }));
    await sendReady();
  }
  batches.end(items.length);
  await sendReady();
  return failed;
}

/**
 * Reads keys with values, metadata and expiry, with up to 100 keys per request. Omits missing keys. Throws if the journal cannot save all
 * keys.
 */
export async function readOldValues(
  session: Session,
  namespaceId: string,
  keys: readonly string[],
): Promise<Map<string, WholeKey>> {
  const found = new Map<string, WholeKey>();
  async function* all() {
    yield keys;
  }
  let bytes = 0;
  for await (const group of readItemValues(
    { session, namespaceId, withMetadata: true },
    all(),
    (key) => key,
  )) {
    for (const { item: name, value: stored } of group) {
      if (stored === undefined) continue;
      const { value: text, base64, metadata, expiration } = stored;
      const value = Buffer.from(text, base64 ? 'base64' : 'utf8');
      bytes += value.length;
      const beside = {
        ...(expiration !== undefined && { expiration }),
        ...(metadata !== undefined && { metadata }),
      };
      found.set(name, { value, entry: { name, ...beside } });
    }
    checkBatchSize('value', found.size, bytes);
  }
  return found;
}

async function restoreObjects(
  session: Session,
  entry: UndoEntry,
  items: readonly Saved<SavedObject>[],
  options: RestoreOptions,
): Promise<RestoredBatch> {
  const changed: string[] = [];
  if (!options.force)
    await inParallel(items, async (item) => {
      const current = await readObjectEntry(session, item.thing);
      if (current !== undefined && isObjectChanged(item, item.thing, current)) changed.push(item.thing.key);
    });
  if (changed.length > 0) return conflict(entry, changed);
  const things = await inParallel(items, async (item): Promise<RestoredThing> => {
    const { thing, bytes, ...state } = item;
    const put = await restoreObject(session, { ...entry, ...state, thing }, thing, bytes, options);
    if (put.outcome === 'restored') return { kind: 'object', bucket: thing.bucket, entry: put.entry };
    throw new Problem('conflict', `Another object was stored at ${thing.key} meanwhile.`, {
      hint: 'The undo entry was kept: restore it again.',
    });
  });
  return { outcome: 'restored', things };
}

/** Runs a function for each item, up to four in parallel. Returns the results in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await run(items[at] as T);
  };
  await Promise.all(Array.from({ length: parallelObjects }, work));
  return results;
}

function conflict({ thing, did }: UndoEntry, keys: readonly string[]): RestoredBatch {
  return {
    outcome: 'other',
    why: `Since ${describeThing(thing)} were ${did}, ${keys.length} of them ${keys.length === 1 ? 'has' : 'have'} been written again: ${listKeys(keys)}.`,
  };
}

function listKeys(keys: readonly string[]): string {
  return keys.slice(0, shownKeys).join(', ') + (keys.length > shownKeys ? ', …' : '');
}
