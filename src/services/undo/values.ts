import { isDeepStrictEqual } from 'node:util';
import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import {
  type KeyChange,
  readKey,
  sha256Of,
  type WholeKey,
  type Written,
  writeKey,
} from '../kv/key-change.ts';
import { type NewValue, removeKey, writeValue } from '../kv/kv.ts';
import type { Session } from '../session/session.ts';
import { changeKeeping, type Taken } from './keep.ts';

type KeptValue = Extract<UndoThing, { kind: 'value' }>;

/**
 * Deletes a key, after saving its value with metadata and expiry for undo; `before` is the deleted key. For a missing key, this
 * takes one extra request.
 */
export async function removeKeyKeeping(
  session: Session,
  namespaceId: string,
  key: string,
): Promise<{ readonly before: WholeKey | undefined; readonly entry: UndoEntry | undefined }> {
  const before = await readKey(session, namespaceId, key);
  const taken = before && takenOf(namespaceId, before, 'deleted', 'nothing');
  const { entry } = await changeKeeping(session, taken, () => removeKey(session, namespaceId, key));
  return { before, entry };
}

/** Writes a key like `writeKey`, after saving the value that it replaces for undo. */
export async function writeKeyKeeping(
  session: Session,
  namespaceId: string,
  change: KeyChange,
  options: { readonly anyKey?: boolean; readonly signal?: AbortSignal } = {},
): Promise<{ readonly written: Written; readonly entry: UndoEntry | undefined }> {
  let entry: UndoEntry | undefined;
  const written = await writeKey(session, namespaceId, change, {
    ...options,
    async around(before, stored, write) {
      const taken = before && replacedBy(namespaceId, before, stored);
      ({ entry } = await changeKeeping(session, taken, write));
    },
  });
  return { written, entry };
}

function replacedBy(namespaceId: string, before: WholeKey, { value }: NewValue): Taken {
  return takenOf(namespaceId, before, 'replaced', { mark: sha256Of(value) });
}

function takenOf(
  namespaceId: string,
  { entry, value }: WholeKey,
  did: Taken['did'],
  left: Taken['left'],
): Taken {
  const { name: key, expiration, metadata } = entry;
  const thing: KeptValue = {
    kind: 'value',
    namespaceId,
    key,
    ...(expiration !== undefined && { expiration }),
    ...(metadata !== undefined && metadata !== null && { metadata }),
  };
  return { did, thing, left, bytes: value };
}

/** The reason why a value was not restored. */
export type ValueObstacle =
  | { readonly outcome: 'other'; readonly now: WholeKey }
  | { readonly outcome: 'expired'; readonly expiration: number };

export interface RestoreOptions {
  /** Restore even if someone else has changed the key since. */
  readonly force: boolean;
  /** Restore without the expiry if it has passed. */
  readonly withoutExpiry: boolean;
}

/** Restores a value with its metadata and expiry, after saving the current one for undo. */
export async function restoreValue(
  session: Session,
  entry: UndoEntry,
  thing: KeptValue,
  value: Uint8Array,
  { force, withoutExpiry }: RestoreOptions,
): Promise<ValueObstacle | { readonly outcome: 'restored'; readonly whole: WholeKey }> {
  const { namespaceId, key, expiration, metadata } = thing;
  const now = session.world.now();
  const isOver = expiration !== undefined && expiration < Math.floor(now / 1000) + 60;
  if (isOver && !withoutExpiry) return { outcome: 'expired', expiration };
  const current = await readKey(session, namespaceId, key);
  const isOther = current !== undefined && !isSame(entry, thing, current);
  if (isOther && !force && !isLeft(entry, current)) return { outcome: 'other', now: current };
  const kept = {
    ...(expiration !== undefined && !isOver && { expiration }),
    ...(metadata !== undefined && metadata !== null && { metadata }),
  };
  const taken = isOther ? takenOf(namespaceId, current, 'restored', { mark: entry.sha256 }) : undefined;
  const write = () => writeValue(session, namespaceId, key, { value, ...kept, anyKey: true });
  await changeKeeping(session, taken, write);
  return { outcome: 'restored', whole: { value, entry: { name: key, ...kept } } };
}

/** Whether the key is unchanged since the change, so that nobody else's data is lost. */
function isLeft({ left }: UndoEntry, current: WholeKey): boolean {
  return left !== 'nothing' && sha256Of(current.value) === left.mark;
}

/** Whether the key already has its previous state. */
function isSame({ sha256 }: UndoEntry, { metadata }: KeptValue, current: WholeKey): boolean {
  const { metadata: present } = current.entry;
  return sha256Of(current.value) === sha256 && isDeepStrictEqual(present ?? undefined, metadata ?? undefined);
}
