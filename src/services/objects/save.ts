import { createHash, type Hash } from 'node:crypto';
import { freezeYoungHeap } from '../../heap.ts';
import { isMd5 } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { openStream } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { OpenObject } from './objects.ts';

/**
 * Yields the bytes of an object as they arrive. At the end, throws if their number differs from the object's size, or if the etag is an MD5
 * that does not match the bytes. Stops when the program is interrupted.
 */
export async function* checkedBytes(
  { interrupted }: Pick<World, 'interrupted'>,
  name: string,
  { body, size, etag }: OpenObject,
): AsyncGenerator<Uint8Array> {
  freezeYoungHeap();
  const hash: Hash | undefined = etag !== undefined && isMd5(etag) ? createHash('md5') : undefined;
  let length = 0;
  for await (const chunk of body instanceof Uint8Array ? openStream(body) : body) {
    interrupted.throwIfAborted();
    hash?.update(chunk);
    length += chunk.length;
    yield chunk;
  }
  if (size !== undefined && length !== size) {
    const got = `${length.toLocaleString('en')} of ${size.toLocaleString('en')} bytes were received`;
    throw new Problem('unreachable', `The download of "${name}" was interrupted: ${got}.`, {
      hint: 'Try again.',
    });
  }
  if (hash !== undefined && etag !== undefined && hash.digest('hex') !== etag) throw wrongBytes(name, etag);
}

/** Returns the Problem for bytes whose MD5 does not match the etag. */
export function wrongBytes(name: string, etag: string): Problem {
  return new Problem('refused', `The received bytes of "${name}" do not match its etag ${etag}.`, {
    hint: 'Try again. The object may have been replaced during the download.',
  });
}
