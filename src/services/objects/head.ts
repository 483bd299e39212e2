import type { ObjectAddress } from '../../model/objects/object.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { type OpenObject, readObject } from './objects.ts';

const rangeNotSatisfiable = 416;

/** The first `length` bytes of an object and no more; undefined when there is none. */
export async function readHead(
  session: Session,
  address: ObjectAddress,
  length: number,
): Promise<Uint8Array | undefined> {
  try {
    const opened = await readObject(session, address, { start: 0, end: length - 1 });
    return opened === undefined ? undefined : await firstBytes(opened.body, length);
  } catch (error) {
    // An empty object has no first byte.
    if (isProblem(error) && error.status === rangeNotSatisfiable) return new Uint8Array();
    throw error;
  }
}

/** A platform may answer a range with all of the bytes: what follows is not read. */
async function firstBytes(body: OpenObject['body'], length: number): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body.subarray(0, length);
  const parts: Uint8Array[] = [];
  let read = 0;
  for await (const part of body) {
    parts.push(part);
    read += part.length;
    if (read >= length) break;
  }
  return Buffer.concat(parts).subarray(0, length);
}
