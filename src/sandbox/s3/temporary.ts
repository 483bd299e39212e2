import { createHash } from 'node:crypto';
import { decodePath } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import type { S3Request } from './request.ts';

/** The requested limits of temporary credentials. */
export interface TemporaryLimits {
  readonly bucket: string;
  readonly permission: 'admin-read-write' | 'admin-read-only' | 'object-read-write' | 'object-read-only';
  /** Allowed keys and key prefixes; if neither is given, the whole bucket is allowed. */
  readonly objects?: readonly string[];
  readonly prefixes?: readonly string[];
}

/** Temporary credentials. `endsAt` is milliseconds on the platform's clock. Only a hash of the session token is stored. */
export interface TemporaryCredentials extends TemporaryLimits {
  readonly id: string;
  readonly secret: string;
  readonly tokenHash: string;
  /** The parent access key. */
  readonly parent: string;
  /**
   * The account of the bucket; absent in credentials that an older edgectl wrote, which belong to the sandbox's own account.
   */
  readonly account?: string;
  readonly endsAt: number;
}

const setting = 'temporary_credentials';

/** Finds the credentials of an access key id, even if they have expired. */
export function findTemporaryCredentials(platform: Platform, id: string): TemporaryCredentials | undefined {
  return toCredentials(platform.registry().settings.read(setting)).find((one) => one.id === id);
}

function toCredentials(value: unknown): readonly TemporaryCredentials[] {
  return (value ?? []) as readonly TemporaryCredentials[];
}

/** Creates credentials with their session token. Deletes credentials that expired more than an hour ago. */
export function createTemporaryCredentials(
  platform: Platform,
  parent: string,
  limits: TemporaryLimits,
  seconds: number,
): { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string } {
  const hex = (bytes: number) => Buffer.from(platform.random(bytes)).toString('hex');
  const now = clockNow(platform);
  const made = { accessKeyId: hex(16), secretAccessKey: hex(32), sessionToken: hex(48) };
  const stored: TemporaryCredentials = {
    ...limits,
    id: made.accessKeyId,
    secret: made.secretAccessKey,
    tokenHash: hashSessionToken(made.sessionToken),
    parent,
    account: platform.registry().account().id,
    endsAt: now + seconds * 1000,
  };
  platform
    .registry()
    .settings.change(setting, (value) => [
      ...toCredentials(value).filter(({ endsAt }) => endsAt > now - 60 * 60 * 1000),
      stored,
    ]);
  return made;
}

function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Refuses a request whose session token does not match its credentials, or has expired. */
export function checkSession(
  platform: Platform,
  { tokenHash, endsAt }: TemporaryCredentials,
  token: string | undefined,
): void {
  if (token === undefined || hashSessionToken(token) !== tokenHash) throw new S3Refusal('InvalidToken');
  if (endsAt <= clockNow(platform)) throw new S3Refusal('ExpiredToken');
}

/** Refuses a request outside the limits of temporary credentials. */
export function checkLimits(limits: TemporaryLimits, request: S3Request): void {
  const { bucket, key, method, headers } = request;
  const source = headers['x-amz-copy-source'];
  const isRead = method === 'GET' || method === 'HEAD';
  const isAllowed =
    bucket === limits.bucket &&
    (isRead || limits.permission.endsWith('-write')) &&
    (key === '' ? isBucketCallAllowed(limits, request) : isKeyAllowed(limits, key)) &&
    (source === undefined || isSourceAllowed(limits, source));
  if (!isAllowed) throw new S3Refusal('AccessDenied');
}

/**
 * Returns whether the limits allow a call for the bucket itself. A list must be within the allowed prefixes. A change requires access to
 * the whole bucket and, except for POST, the permission `admin-read-write`.
 */
function isBucketCallAllowed(limits: TemporaryLimits, { method, query }: S3Request): boolean {
  const isWhole = limits.objects === undefined && limits.prefixes === undefined;
  if (method === 'HEAD') return true;
  if (method === 'GET') return isWhole || isPrefixAllowed(limits, query.get('prefix') ?? '');
  return isWhole && (method === 'POST' || limits.permission === 'admin-read-write');
}

function isKeyAllowed(limits: TemporaryLimits, key: string): boolean {
  if (limits.objects === undefined && limits.prefixes === undefined) return true;
  return limits.objects?.includes(key) === true || isPrefixAllowed(limits, key);
}

function isPrefixAllowed({ prefixes = [] }: TemporaryLimits, text: string): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}

/** Returns whether a copy source (percent-encoded `/bucket/key`) is within the limits. */
function isSourceAllowed(limits: TemporaryLimits, source: string): boolean {
  const path = decodePath(source).replace(/^\//, '');
  const slash = path.indexOf('/');
  return path.slice(0, slash) === limits.bucket && isKeyAllowed(limits, path.slice(slash + 1));
}
