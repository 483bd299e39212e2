import type { ObjectAddress } from '../../model/objects/object.ts';
import { isProblem } from '../../model/problem.ts';
import { readStart } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { readObject } from './objects.ts';

const rangeNotSatisfiable = 416;

/** The first `length` bytes of an object and no more; undefined when there is none. */
export async function readHead(
  session: Session,
  address: ObjectAddress,
  length: number,
): Promise<Uint8Array | undefined> {
  try {
    // A platform may answer a range with all of the bytes.
    const opened = await readObject(session, address, { start: 0, end: length - 1 });
    return opened === undefined ? undefined : await readStart(opened.body, length);
  } catch (error) {
    // An empty object has no first byte.
    if (isProblem(error) && error.status === rangeNotSatisfiable) return new Uint8Array();
    throw error;
  }
}
