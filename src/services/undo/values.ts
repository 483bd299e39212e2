import { isDeepStrictEqual } from 'node:util';
import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import {
  hashValue,
  type KeyChange,
  readKey,
  type WholeKey,
  type Written,
  writeKey,
} from '../kv/key-change.ts';
import { type NewValue, removeKey, writeValue } from '../kv/kv.ts';
import type { Session } from '../session/session.ts';
import { changeWithUndo, type OldState } from './change-with-undo.ts';

export type SavedValue = Extract<UndoThing, { kind: 'value' }>;

/**
 * Deletes a key. First saves its value, metadata and expiry for undo. `before` is the deleted key; undefined if the key did not exist.
 */
export async function removeKeyWithUndo(
  session: Session,
  namespaceId: string,
  key: string,
): Promise<{ readonly before: WholeKey | undefined; readonly entry: UndoEntry | undefined }> {
  const before = await readKey(session, namespaceId, key);
  const taken = before && toOldValue(namespaceId, before, 'deleted', 'nothing');
  const { entry } = await changeWithUndo(session, taken, () => removeKey(session, namespaceId, key));
  return { before, entry };
}

/** Writes a key as `writeKey` does. First saves the replaced value for undo. */
export async function writeKeyWithUndo(
  session: Session,
  namespaceId: string,
  change: KeyChange,
  options: { readonly anyKey?: boolean; readonly signal?: AbortSignal } = {},
): Promise<{ readonly written: Written; readonly entry: UndoEntry | undefined }> {
  let entry: UndoEntry | undefined;
  const written = await writeKey(session, namespaceId, change, {
    ...options,
    async around(before, stored, write) {
      const taken = before && toReplacedState(namespaceId, before, stored);
      ({ entry } = await changeWithUndo(session, taken, write));
    },
  });
  return { written, entry };
}

function toReplacedState(namespaceId: string, before: WholeKey, { value }: NewValue): OldState {
  return toOldValue(namespaceId, before, 'replaced', { mark: hashValue(value) });
}

/** Returns the old state of a key, for the undo journal. */
export function toOldValue(
  namespaceId: string,
  { entry, value }: WholeKey,
  did: OldState['did'],
  left: OldState['left'],
): OldState {
  const { name: key, expiration, metadata } = entry;
  const thing: SavedValue = {
    kind: 'value',
    namespaceId,
    key,
    ...(expiration !== undefined && { expiration }),
    ...(metadata !== undefined && metadata !== null && { metadata }),
  };
  return { did, thing, left, bytes: value };
}

/** Why a value was not restored. */
export type ValueObstacle =
  | { readonly outcome: 'other'; readonly now: WholeKey }
  | { readonly outcome: 'expired'; readonly expiration: number };

export interface RestoreOptions {
  /** Whether to restore the resource even if it was changed again since the saved change. */
  readonly force: boolean;
  /** Whether to restore the value without its expiry if the expiry has passed. */
  readonly withoutExpiry: boolean;
}

/**
 * Restores a value with its metadata and expiry. First saves the current value for undo. Returns `other` if the key was changed again since
 * the saved change (unless `force` is set), and `expired` if the expiry has passed or is too near (unless `withoutExpiry` is set).
 */
export async function restoreValue(
  session: Session,
  entry: UndoEntry,
  thing: SavedValue,
  value: Uint8Array,
  { force, withoutExpiry }: RestoreOptions,
): Promise<ValueObstacle | { readonly outcome: 'restored'; readonly whole: WholeKey }> {
  const { namespaceId, key, expiration, metadata } = thing;
  const now = session.world.now();
  const isOver = expiration !== undefined && expiration < Math.floor(now / 1000) + 60;
  if (isOver && !withoutExpiry) return { outcome: 'expired', expiration };
  const current = await readKey(session, namespaceId, key);
  const isOther = current !== undefined && !isRestored(entry, thing, current);
  if (isOther && !force && !isUnchanged(entry, current)) return { outcome: 'other', now: current };
  const attributes = {
    ...(expiration !== undefined && !isOver && { expiration }),
    ...(metadata !== undefined && metadata !== null && { metadata }),
  };
  const taken = isOther ? toOldValue(namespaceId, current, 'restored', { mark: entry.sha256 }) : undefined;
  const write = () => writeValue(session, namespaceId, key, { value, ...attributes, anyKey: true });
  await changeWithUndo(session, taken, write);
  return { outcome: 'restored', whole: { value, entry: { name: key, ...attributes } } };
}

/** Returns whether the key still has the value that the saved change wrote, so that restoring the old value overwrites no other change. */
export function isUnchanged({ left }: Pick<UndoEntry, 'left'>, current: WholeKey): boolean {
  return left !== 'nothing' && hashValue(current.value) === left.mark;
}

/** Returns whether the key already has the saved value and metadata. */
export function isRestored(
  { sha256 }: Pick<UndoEntry, 'sha256'>,
  { metadata }: SavedValue,
  current: WholeKey,
): boolean {
  const { metadata: present } = current.entry;
  return (
    hashValue(current.value) === sha256 && isDeepStrictEqual(present ?? undefined, metadata ?? undefined)
  );
}
