import { parseQuery } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { type Claim, checkSignature, checkTime, readClaim } from '../../s3/verify.ts';
import type { Platform } from '../http/exchange.ts';
import { isAddressAllowed } from '../session/token-condition.ts';
import type { S3Call } from './call.ts';
import { findSigner, type Signer } from './credentials.ts';
import { checkSession } from './temporary.ts';

/**
 * A valid signature of a request. The signature of each body chunk depends on the signature before it, beginning with this signature.
 */
export interface Verified extends Claim {
  readonly signer: Signer;
}

/** Checks the signature of a request (header or presigned query) and its time. Throws an `S3Refusal`. */
export function verify(platform: Platform, call: S3Call): Verified {
  const claim = readClaim(call);
  checkTime(claim, platform.now());
  const signer = findSigner(platform, claim.accessKeyId);
  if (signer === undefined) throw new S3Refusal('InvalidAccessKeyId');
  checkAddress(signer, call);
  const query = new Map(parseQuery(call.path));
  const sessionToken = call.headers['x-amz-security-token'] ?? query.get('X-Amz-Security-Token');
  if (signer.temporary !== undefined) checkSession(platform, signer.temporary, sessionToken);
  else if (sessionToken !== undefined) throw new S3Refusal('InvalidToken');
  checkSignature(claim, call, signer.secret);
  return { ...claim, signer };
}

/** Refuses an address that the condition of the signer's token excludes, as the v4 API does. */
function checkAddress({ token }: Signer, { from = '127.0.0.1' }: S3Call): void {
  if (isAddressAllowed(token?.condition ?? {}, from)) return;
  throw new S3Refusal('AccessDenied', `Cannot use the access token from location: ${from}`);
}
