import { findOperation, type S3Operation } from '../../model/objects/s3-operation.ts';
import { decodePath, parseObjectPath, parseQuery } from '../../s3/address.ts';
import type { Call } from '../../v4/send.ts';

/** An S3 request as received, with the query in its path. HEAD stays HEAD, because the method is signed. */
export interface S3Call extends Pick<Call, 'path' | 'headers' | 'body' | 'from'> {
  readonly method: string;
  /** Maximum number of rows in a list, even if the client requests more. */
  readonly maxRows?: number;
  /** Returns whether an object was written less than a second ago. Called before each write, with a name that is unique across accounts. */
  isTooOften?(object: string): boolean;
}

/** Returns the operation of a call as received; undefined if its path is malformed. */
export function findCallOperation(call: S3Call): S3Operation | undefined {
  try {
    return findOperation({
      ...parseObjectPath(decodePath(call.path)),
      method: call.method,
      query: new Map(parseQuery(call.path)),
      headers: call.headers,
    });
  } catch {
    return undefined;
  }
}
