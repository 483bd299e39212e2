import { exitCodes, isProblem } from '../../model/problem.ts';
import type { UndoEntry, UndoPlace } from '../../model/undo/entry.ts';
import type { Session } from '../session/session.ts';
import { type Journal, openJournal, type SavedBytes } from './journal.ts';
import { asSaved } from './saved-change.ts';

/** A resource that a change will delete or replace, with its bytes. */
export type OldState = Pick<UndoEntry, 'did' | 'thing' | 'left'> & { readonly bytes: Uint8Array };

/** Returns the platform, account and target of a session, as saved in an undo entry. */
export async function readPlace(session: Session): Promise<UndoPlace> {
  return { where: session.where, accountId: await session.accountId(), target: session.target };
}

/**
 * Saves what a change will delete or replace, then makes the change. If the platform refuses the change, deletes the undo entry. If the
 * outcome is unknown, keeps the entry, because restoring an unchanged resource is harmless.
 */
export async function changeWithUndo<T>(
  session: Session,
  taken: OldState | undefined,
  change: () => Promise<T>,
): Promise<{ readonly result: T; readonly entry: UndoEntry | undefined }> {
  if (taken === undefined) return { result: await change(), entry: undefined };
  const journal = openJournal(session.world);
  const entry = await saveState(session, journal, taken);
  return { result: await changeSaved(journal, entry, change), entry };
}

/** Makes a change whose old state is already saved. If the platform refuses the change, deletes the undo entry. */
export async function changeSaved<T>(
  journal: Journal,
  entry: UndoEntry | undefined,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await (entry === undefined ? change() : asSaved(change));
  } catch (error) {
    if (entry !== undefined && isCertainlyUnchanged(error)) await journal.remove(entry);
    throw error;
  }
}

/** Saves the old state of a resource that the session will change. */
export async function saveState(
  session: Session,
  journal: Journal,
  { bytes, ...saved }: Omit<OldState, 'bytes'> & { readonly bytes: SavedBytes },
): Promise<UndoEntry> {
  const { where, ...place } = await readPlace(session);
  return journal.save({ ...saved, ...place, where: dropUndefined(where) }, bytes);
}

/** Returns whether an error proves that nothing was changed. */
function isCertainlyUnchanged(error: unknown): boolean {
  if (!isProblem(error)) return false;
  const { status = 0 } = error;
  // A policy or the user refused the request, so it was not sent.
  if (error.code === 'not-permitted' && status === 0) return true;
  return (status >= 400 && status < 500) || exitCodes[error.code] === 2;
}

function dropUndefined(where: UndoPlace['where']): UndoEntry['where'] {
  return JSON.parse(JSON.stringify(where));
}
