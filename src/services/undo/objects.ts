import { createHash } from 'node:crypto';
import type { ObjectAddress, ObjectEntry } from '../../model/objects/object.ts';
import { type UndoEntry, type UndoThing, undoLimits } from '../../model/undo/entry.ts';
import { readBody } from '../../v4/send.ts';
import { readObject, readObjectEntry, removeObject, writeObject } from '../objects/objects.ts';
import { checkedBytes } from '../objects/save.ts';
import type { Session } from '../session/session.ts';
import { changeWithUndo, type OldState } from './change-with-undo.ts';

export type SavedObject = Extract<UndoThing, { kind: 'object' }>;

/** Returns whether the journal can save an object of this size. */
export function fitsJournal(size: number): boolean {
  return size <= undoLimits.entryBytes;
}

/**
 * Deletes an object. First saves the object for undo, unless it does not exist or is too large for the journal. If the object is too large,
 * calls `onTooLarge`, which can prevent the deletion by throwing.
 */
export async function removeObjectWithUndo(
  session: Session,
  address: ObjectAddress,
  onTooLarge?: (size: number) => void,
): Promise<UndoEntry | undefined> {
  const taken = await readOldObject(session, address, 'deleted', async () => 'nothing', onTooLarge);
  const { entry } = await changeWithUndo(session, taken, () => removeObject(session, address));
  return entry;
}

/** Runs `change`, which stores an object at an address. First saves the current object for undo. `mark` returns the new object's etag. */
export async function storeWithUndo<T>(
  session: Session,
  address: ObjectAddress,
  mark: () => Promise<string>,
  change: () => Promise<T>,
  onTooLarge?: (size: number) => void,
): Promise<{ readonly result: T; readonly entry: UndoEntry | undefined }> {
  const left = async () => ({ mark: await mark() });
  const taken = await readOldObject(session, address, 'replaced', left, onTooLarge);
  return changeWithUndo(session, taken, change);
}

/** Reads an object to save. Returns undefined if the object does not exist, or if it is too large for the journal. */
export async function readOldObject(
  session: Session,
  address: ObjectAddress,
  did: OldState['did'],
  left: () => Promise<OldState['left']>,
  onTooLarge?: (size: number) => void,
): Promise<OldState | undefined> {
  const entry = await readObjectEntry(session, address);
  if (entry === undefined) return undefined;
  if (!fitsJournal(entry.size)) {
    onTooLarge?.(entry.size);
    return undefined;
  }
  const opened = await readObject(session, address);
  if (opened === undefined) return undefined;
  const bytes = await readBody(checkedBytes(session.world, address.key, opened), undoLimits.entryBytes);
  return { did, thing: toSavedObject(address.bucket, entry), left: await left(), bytes };
}

function toSavedObject(bucket: string, { key, etag, storageClass, ...entry }: ObjectEntry): SavedObject {
  return {
    kind: 'object',
    bucket,
    key,
    etag,
    httpMetadata: { ...entry.httpMetadata },
    customMetadata: { ...entry.customMetadata },
    ...(storageClass !== undefined && { storageClass }),
  };
}

/** Returns whether the current object is neither the saved object nor the object that the saved change stored. */
export function isObjectChanged(
  { left }: Pick<UndoEntry, 'left'>,
  thing: SavedObject,
  current: ObjectEntry,
): boolean {
  return current.etag !== thing.etag && (left === 'nothing' || current.etag !== left.mark);
}

/**
 * Restores an object with its metadata. First saves the current object for undo. If another object was stored since the saved change,
 * returns it as `other` and changes nothing, unless `force` is set.
 */
export async function restoreObject(
  session: Session,
  entry: UndoEntry,
  thing: SavedObject,
  bytes: Uint8Array,
  { force }: { readonly force: boolean },
): Promise<
  | { readonly outcome: 'restored'; readonly entry: ObjectEntry }
  | { readonly outcome: 'other'; readonly now: ObjectEntry }
> {
  const { bucket, key } = thing;
  const current = await readObjectEntry(session, { bucket, key });
  const isSame = current?.etag === thing.etag;
  if (current !== undefined && !force && isObjectChanged(entry, thing, current))
    return { outcome: 'other', now: current };
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const { cacheExpiry, ...texts } = thing.httpMetadata;
  const stored = {
    size: bytes.length,
    httpMetadata: { ...texts, ...(typeof cacheExpiry === 'number' && { cacheExpiry }) },
    customMetadata: thing.customMetadata,
    storageClass: thing.storageClass,
    open,
  };
  const write = () => writeObject(session, { bucket, key }, stored);
  const taken =
    current === undefined || isSame
      ? undefined
      : await readOldObject(session, { bucket, key }, 'restored', async () => ({ mark: thing.etag }));
  const { result } = await changeWithUndo(session, taken, write);
  const { httpMetadata, customMetadata } = stored;
  const uploaded = session.world.now();
  return { outcome: 'restored', entry: { ...result, uploaded, httpMetadata, customMetadata } };
}

/** Returns the MD5 in hexadecimal, which is the etag of an object that is uploaded in one request. */
export async function hashMd5(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
