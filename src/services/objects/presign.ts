import type { ObjectAddress } from '../../model/objects/object.ts';
import { checkObjectKey } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { readOnlyProblem } from '../session/guards.ts';
import type { Session } from '../session/session.ts';
import { s3Path } from './parts/calls.ts';

/** Operations that a link can allow. */
export const linkMethods = ['get', 'head', 'put', 'delete'] as const;

/** The operation that a link allows, and its lifetime in seconds. */
export interface LinkOptions {
  /** The jurisdiction of the bucket (default: the jurisdiction that edgectl knows for the bucket, if any). */
  readonly jurisdiction?: string | undefined;
  readonly method: (typeof linkMethods)[number];
  readonly seconds: number;
}

/**
 * Creates a presigned URL, which allows one operation on one object without credentials until `expires` (milliseconds since the epoch).
 * Refuses a lifetime of more than a week and, in a read-only session, links that allow changes.
 */
export async function presignObject(
  session: Session,
  { bucket, key }: ObjectAddress,
  { method, seconds, jurisdiction = session.jurisdictions?.find(bucket) }: LinkOptions,
): Promise<{ readonly url: string; readonly expires: number }> {
  checkObjectKey(key);
  s3Path({ bucket, key });
  const { maxLinkSeconds, presignedUrl } = await import('../../s3/sign.ts');
  if (seconds < 1 || seconds > maxLinkSeconds)
    throw new Problem('usage', 'A link must be valid for 1 second to 1 week (7d).');
  const { readOnlyReason: reason } = session;
  if (reason !== undefined && (method === 'put' || method === 'delete'))
    throw readOnlyProblem(reason, `no ${method} link was created.`);
  const { endpoint, key: accessKey } = await session.s3Access(jurisdiction);
  const now = session.world.now();
  const url = presignedUrl(endpoint, { method: method.toUpperCase(), bucket, key, seconds }, accessKey, now);
  return { url, expires: now + seconds * 1000 };
}
