import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import type { FallbackOrigin } from '../../model/zones/zone.ts';
import { deleteFallbackOrigin, readFallbackOrigin, setFallbackOrigin } from '../hostnames/fallback-origin.ts';
import type { Session } from '../session/session.ts';
import { changeKeeping, type Taken } from './keep.ts';

type KeptOrigin = Extract<UndoThing, { kind: 'fallback-origin' }>;

const noBytes = new Uint8Array();

/** Sets the fallback origin of a zone, after saving the previous one for undo. */
export async function setFallbackOriginKeeping(
  session: Session,
  zoneId: string,
  before: FallbackOrigin | undefined,
  origin: string,
): Promise<{ readonly result: FallbackOrigin; readonly entry: UndoEntry | undefined }> {
  const isOther = before !== undefined && before.origin !== origin;
  const taken = isOther ? takenOf(zoneId, before.origin, 'replaced', { mark: origin }) : undefined;
  return changeKeeping(session, taken, () => setFallbackOrigin(session, zoneId, origin));
}

/** Removes the fallback origin of a zone, after saving it for undo. */
export async function deleteFallbackOriginKeeping(
  session: Session,
  zoneId: string,
  before: FallbackOrigin | undefined,
): Promise<UndoEntry | undefined> {
  const taken = before && takenOf(zoneId, before.origin, 'deleted', 'nothing');
  return (await changeKeeping(session, taken, () => deleteFallbackOrigin(session, zoneId))).entry;
}

function takenOf(zoneId: string, origin: string, did: Taken['did'], left: Taken['left']): Taken {
  return { did, thing: { kind: 'fallback-origin', zoneId, origin }, left, bytes: noBytes };
}

/**
 * Restores a fallback origin, after saving the current one for undo. `other`: someone else has set another origin since, and
 * nothing is changed unless `force`.
 */
export async function restoreFallbackOrigin(
  session: Session,
  { left }: UndoEntry,
  { zoneId, origin }: KeptOrigin,
  { force }: { readonly force: boolean },
): Promise<{ readonly outcome: 'restored' | 'other'; readonly now: string | undefined }> {
  const now = (await readFallbackOrigin(session, zoneId))?.origin;
  if (now === origin) return { outcome: 'restored', now };
  const isExpected = now === (left === 'nothing' ? undefined : left.mark);
  if (!isExpected && !force) return { outcome: 'other', now };
  const taken = now === undefined ? undefined : takenOf(zoneId, now, 'restored', { mark: origin });
  await changeKeeping(session, taken, () => setFallbackOrigin(session, zoneId, origin));
  return { outcome: 'restored', now: origin };
}
