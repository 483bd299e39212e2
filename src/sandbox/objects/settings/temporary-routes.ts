import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, refusal } from '../../http/exchange.ts';
import { findSigner } from '../../s3/credentials.ts';
import { createTemporaryCredentials } from '../../s3/temporary.ts';
import { objectCodes } from '../codes.ts';
import { readShape } from './settings.ts';
import { temporaryShape } from './shapes.ts';

/** `POST .../temp-access-credentials`: creates a temporary access key for a bucket, with no more permissions than its parent key. */
export async function createTemporary(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { parentAccessKeyId, ttlSeconds, ...limits } = await readShape(
    exchange,
    'the credentials',
    temporaryShape,
  );
  if (platform.kind === 'local')
    throw refusal(400, objectCodes.argumentInvalid, 'Local data has no access keys.');
  const parent = findSigner(platform, parentAccessKeyId);
  if (parent === undefined || parent.temporary !== undefined)
    throw refusal(400, objectCodes.argumentInvalid, 'The parent access key does not exist.');
  return ok(createTemporaryCredentials(platform, parentAccessKeyId, limits, ttlSeconds));
}
