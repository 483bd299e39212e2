import type { ObjectAddress } from '../../../model/objects/object.ts';
import { isProblem } from '../../../model/problem.ts';
import { readObjectEntry, type StoredObject } from '../../../services/objects/objects.ts';
import type { Session } from '../../../services/session/session.ts';
import type { UndoRecorder } from '../undo/undo-recorder.ts';

/** Fields of an answer about the replaced object. */
export interface Replaced {
  /** Whether an object was replaced; undefined if the credentials cannot list objects. */
  readonly replaced?: boolean;
  readonly undo?: string;
}

interface Storing<T extends StoredObject | undefined> {
  readonly keeping: UndoRecorder | undefined;
  /** Returns the etag that the new object will have, before the object is stored. */
  mark(): Promise<string>;
  store(): Promise<T>;
}

/**
 * Stores an object, and returns whether it replaced an existing object. Saves the old object first if `keeping` is given.
 */
export async function storeOver<T extends StoredObject | undefined>(
  session: Session,
  address: ObjectAddress,
  { keeping, mark, store }: Storing<T>,
): Promise<Replaced & { readonly stored: T }> {
  const before = await isThere(session, address);
  const replaced = before === undefined ? {} : { replaced: before };
  if (keeping === undefined || before === false) return { stored: await store(), ...replaced };
  const { storeWithUndo } = await import('../../../services/undo/objects.ts');
  const { result, entry } = await storeWithUndo(session, address, mark, store, (size) =>
    keeping.tooLarge(`Object "${address.key}"`, size),
  );
  return { stored: result, ...replaced, ...keeping.report(entry) };
}

async function isThere(session: Session, address: ObjectAddress): Promise<boolean | undefined> {
  try {
    return (await readObjectEntry(session, address)) !== undefined;
  } catch (error) {
    if (isProblem(error) && error.code === 'not-permitted') return undefined;
    throw error;
  }
}

/** Returns the end of a sentence about a stored object: whether it replaced an existing object. */
export function describeReplaced({ replaced }: Replaced): string {
  return replaced === true ? ', replacing an existing object' : '';
}
