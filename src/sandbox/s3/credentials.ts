import type { AccessKey } from '../../s3/signature.ts';
import { sha256 } from '../../s3/signature.ts';
import { type S3Operation, s3Operations } from '../../v4/routes.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { type MadeToken, statusOf, tokenMayCall, tokensOf } from '../session/tokens.ts';
import { ownTokenId } from '../session/user.ts';
import { findTemporary, type TemporaryCredentials } from './temporary.ts';

/**
 * Who signs: an access key, and the token with policies that it belongs to; without one it may do everything. Temporary
 * credentials have limits besides.
 */
export interface Signer extends AccessKey {
  readonly token?: MadeToken;
  readonly temporary?: TemporaryCredentials;
}

/** The access key of the sandbox's own token, as the provider derives it: the token's id, and its SHA-256. */
export function ownAccessKey(apiToken: string): AccessKey {
  return { id: ownTokenId, secret: sha256(apiToken) };
}

/** Whom an access key belongs to; undefined for an unknown one, or one whose token is not active. */
export function findSigner(platform: Platform, accessKeyId: string): Signer | undefined {
  const own = ownAccessKey(platform.registry().credentials().apiToken);
  if (accessKeyId === own.id) return own;
  const token = tokensOf(platform).find(({ id }) => id === accessKeyId);
  if (token === undefined) return temporarySigner(platform, accessKeyId);
  if (statusOf(token, clockNow(platform)) !== 'active') return undefined;
  return { id: token.id, secret: token.hash, token };
}

/** Temporary credentials, as long as their basis is valid. */
function temporarySigner(platform: Platform, accessKeyId: string): Signer | undefined {
  const temporary = findTemporary(platform, accessKeyId);
  const parent = temporary && findSigner(platform, temporary.parent);
  return parent && { ...parent, id: temporary.id, secret: temporary.secret, temporary };
}

/** Whether a signer may do this. What is no operation needs the most. */
export function mayDo(platform: Platform, { token }: Signer, operation: S3Operation | undefined): boolean {
  if (token === undefined) return true;
  const effect = operation === undefined ? 'destroy' : s3Operations[operation].effect;
  const target = { account: platform.registry().account().id, zone: undefined };
  return tokenMayCall(token, { permission: 'Workers R2 Storage', effect }, target);
}
