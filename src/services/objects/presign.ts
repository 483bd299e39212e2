import type { ObjectAddress } from '../../model/objects/object.ts';
import { checkObjectKey } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { readOnlyProblem } from '../session/guards.ts';
import type { Session } from '../session/session.ts';
import { s3Path } from './parts/calls.ts';

/** Things that a link can let anybody do. */
export const linkMethods = ['get', 'head', 'put', 'delete'] as const;

/** A link to make: what it is good for, and how many seconds. */
export interface LinkOptions {
  readonly method: (typeof linkMethods)[number];
  readonly seconds: number;
}

/**
 * A link by which anybody who has it can do one thing with one object, without credentials, until `expires` (milliseconds).
 * Nothing is asked of the bucket. Refuses more than a week, and what changes something where a session only reads.
 */
export async function presignObject(
  session: Session,
  { bucket, key }: ObjectAddress,
  { method, seconds }: LinkOptions,
): Promise<{ readonly url: string; readonly expires: number }> {
  checkObjectKey(key);
  s3Path({ bucket, key });
  const { maxLinkSeconds, presignedUrl } = await import('../../s3/sign.ts');
  if (seconds < 1 || seconds > maxLinkSeconds)
    throw new Problem('usage', 'A link is good for at least a second and at most a week (7d).');
  const { readOnlyReason: reason } = session;
  if (reason !== undefined && (method === 'put' || method === 'delete'))
    throw readOnlyProblem(reason, `no link was made that lets others ${method} an object.`);
  const { endpoint, key: accessKey } = await session.s3Access();
  const now = session.world.now();
  const url = presignedUrl(endpoint, { method: method.toUpperCase(), bucket, key, seconds }, accessKey, now);
  return { url, expires: now + seconds * 1000 };
}
