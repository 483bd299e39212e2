import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import type { FallbackOrigin } from '../../model/zones/zone.ts';
import { deleteFallbackOrigin, readFallbackOrigin, setFallbackOrigin } from '../hostnames/fallback-origin.ts';
import type { Session } from '../session/session.ts';
import { changeWithUndo, type OldState } from './change-with-undo.ts';

type SavedOrigin = Extract<UndoThing, { kind: 'fallback-origin' }>;

const noBytes = new Uint8Array();

/** Sets the fallback origin of a zone. First saves the previous origin for undo, if it is different. */
export async function setFallbackOriginWithUndo(
  session: Session,
  zoneId: string,
  before: FallbackOrigin | undefined,
  origin: string,
): Promise<{ readonly result: FallbackOrigin; readonly entry: UndoEntry | undefined }> {
  const isOther = before !== undefined && before.origin !== origin;
  const taken = isOther ? toOldState(zoneId, before.origin, 'replaced', { mark: origin }) : undefined;
  return changeWithUndo(session, taken, () => setFallbackOrigin(session, zoneId, origin));
}

/** Removes the fallback origin of a zone. First saves the origin for undo. */
export async function deleteFallbackOriginWithUndo(
  session: Session,
  zoneId: string,
  before: FallbackOrigin | undefined,
): Promise<UndoEntry | undefined> {
  const taken = before && toOldState(zoneId, before.origin, 'deleted', 'nothing');
  return (await changeWithUndo(session, taken, () => deleteFallbackOrigin(session, zoneId))).entry;
}

function toOldState(zoneId: string, origin: string, did: OldState['did'], left: OldState['left']): OldState {
  return { did, thing: { kind: 'fallback-origin', zoneId, origin }, left, bytes: noBytes };
}

/**
 * Restores a fallback origin. First saves the current origin for undo. If the origin was changed again since the saved change, returns
 * `other` and changes nothing, unless `force` is set.
 */
export async function restoreFallbackOrigin(
  session: Session,
  { left }: UndoEntry,
  { zoneId, origin }: SavedOrigin,
  { force }: { readonly force: boolean },
): Promise<{ readonly outcome: 'restored' | 'other'; readonly now: string | undefined }> {
  const now = (await readFallbackOrigin(session, zoneId))?.origin;
  if (now === origin) return { outcome: 'restored', now };
  const isExpected = now === (left === 'nothing' ? undefined : left.mark);
  if (!isExpected && !force) return { outcome: 'other', now };
  const taken = now === undefined ? undefined : toOldState(zoneId, now, 'restored', { mark: origin });
  await changeWithUndo(session, taken, () => setFallbackOrigin(session, zoneId, origin));
  return { outcome: 'restored', now: origin };
}
