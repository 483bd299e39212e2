import { createHash } from 'node:crypto';
import type { ObjectAddress, ObjectEntry } from '../../model/objects/object.ts';
import { type UndoEntry, type UndoThing, undoLimits } from '../../model/undo/entry.ts';
import { readBody } from '../../v4/send.ts';
import { readObject, readObjectEntry, removeObject, writeObject } from '../objects/objects.ts';
import { checkedBytes } from '../objects/save.ts';
import type { Session } from '../session/session.ts';
import { changeWithUndo, type OldState } from './change-with-undo.ts';

export type SavedObject = Extract<UndoThing, { kind: 'object' }>;

/** Whether the journal can save an object of this size. */
export function fitsJournal(size: number): boolean {
  return size <= undoLimits.entryBytes;
}

/**
 * Deletes an object. Saves the object for undo first. Creates no entry if the object does not exist, or if the object is too large for the
 * journal; in that case, `onTooLarge` is called before the deletion, and may throw.
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

/** Runs a change that stores an object with the etag `mark` at an address. Saves the current object for undo first. */
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

/** Reads an object to save. Returns undefined if the object does not exist, or is too large for the journal. */
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

/** Whether someone else has stored another object since the change. */
export function isObjectChanged(
  { left }: Pick<UndoEntry, 'left'>,
  thing: SavedObject,
  current: ObjectEntry,
): boolean {
  return current.etag !== thing.etag && (left === 'nothing' || current.etag !== left.mark);
}

/** Restores an object with its metadata. Saves the current object for undo first. */
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

/** Returns the etag that the platform gives to an object that is uploaded in one part. */
export async function hashMd5(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
