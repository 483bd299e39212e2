import { type S3Operation, s3Operations } from '../../model/objects/s3-operation.ts';
import type { AccessKey } from '../../s3/signature.ts';
import { sha256 } from '../../s3/signature.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { canTokenCall, readTokenStatus, readTokens, type StoredToken } from '../session/tokens.ts';
import { ownTokenId } from '../session/user.ts';
import { findTemporaryCredentials, type TemporaryCredentials } from './temporary.ts';

/**
 * The signer of a request: an access key, and its token with policies. An access key without a token has unrestricted
 * access. Temporary credentials also have limits.
 */
export interface Signer extends AccessKey {
  readonly token?: StoredToken;
  readonly temporary?: TemporaryCredentials;
}

/**
 * Returns the access key of the sandbox's own token, derived as the provider does, from the token's id and the SHA-256 of the token.
 */
export function ownAccessKey(apiToken: string): AccessKey {
  return { id: ownTokenId, secret: sha256(apiToken) };
}

/** Finds the signer of an access key; undefined if the key is unknown or its token is not active. */
export function findSigner(platform: Platform, accessKeyId: string): Signer | undefined {
  const own = ownAccessKey(platform.registry().credentials().apiToken);
  if (accessKeyId === own.id) return own;
  const token = readTokens(platform).find(({ id }) => id === accessKeyId);
  if (token === undefined) return temporarySigner(platform, accessKeyId);
  if (readTokenStatus(token, clockNow(platform)) !== 'active') return undefined;
  return { id: token.id, secret: token.hash, token };
}

/** Finds temporary credentials, if their parent access key is valid. */
function temporarySigner(platform: Platform, accessKeyId: string): Signer | undefined {
  const temporary = findTemporaryCredentials(platform, accessKeyId);
  const parent = temporary && findSigner(platform, temporary.parent);
  return parent && { ...parent, id: temporary.id, secret: temporary.secret, temporary };
}

/** Returns whether a signer may run an operation. An unknown operation requires the highest permission. */
export function isOperationAllowed(
  platform: Platform,
  { token }: Signer,
  operation: S3Operation | undefined,
): boolean {
  if (token === undefined) return true;
  const effect = operation === undefined ? 'destroy' : s3Operations[operation].effect;
  const target = { account: platform.registry().account().id, zone: undefined };
  return canTokenCall(token, { permission: 'Workers R2 Storage', effect }, target);
}
