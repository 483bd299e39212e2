import { timingSafeEqual } from 'node:crypto';
import { decodePath, parseQuery } from './address.ts';
import { S3Refusal } from './refusal.ts';
import {
  algorithm,
  amzTime,
  canonicalPath,
  computeSignature,
  parseAmzTime,
  type Scope,
  type SignedRequest,
} from './signature.ts';

// Verifies S3 API signatures. The sandbox and the guard use this module with the keys that they issued.

/** The signed parts of a request, as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path, including its query. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum clock skew of a client in milliseconds, and maximum validity of a link in seconds. */
const maxSkewMs = 15 * 60 * 1000;
const maxExpirySeconds = 604_800;

/** The signature of a request, which is in a header or in the query. */
export interface Claim extends Scope {
  readonly accessKeyId: string;
  readonly time: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payload: string;
  /** Validity of a presigned link, in seconds. */
  readonly expires?: number;
}

/** Checks a claimed signature with the secret of the access key. Throws an `S3Refusal`. */
export function checkSignature(claim: Claim, request: ReceivedRequest, secret: string): void {
  checkSignedHeaders(claim, request);
  const { method, path, headers } = request;
  const signed = (one: string, read: (value: string) => string): SignedRequest => ({
    method,
    path: one,
    query: parseQuery(path).filter(([name]) => name !== 'X-Amz-Signature'),
    headers: claim.signedHeaders.map((name) => [name, read(headers[name] ?? '')]),
    payload: claim.payload,
    time: claim.time,
  });
  // Most clients sign the path in AWS's encoding, regardless of the encoding that they send. Some clients sign the path as sent.
  const paths = new Set([canonicalPath(decodePath(path)), path.split('?', 1)[0] ?? '']);
  const isGood = headerReaders.some((read) =>
    [...paths].some((one) =>
      signaturesEqual(computeSignature(signed(one, read), claim, secret), claim.signature),
    ),
  );
  if (!isGood) throw new S3Refusal('SignatureDoesNotMatch');
}

/**
 * The two forms of a header that a client may have signed. Clients that send a header in UTF-8 sign its UTF-8 bytes, but Node decodes the
 * header as Latin-1. Other clients sign the same text that they send.
 */
const headerReaders: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => Buffer.from(value, 'latin1').toString('utf8'),
];

/** Compares two signatures in constant time. */
export function signaturesEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reads the signature of a request, but does not check it. Throws an `S3Refusal`. */
export function readClaim({ path, headers }: Omit<ReceivedRequest, 'method'>): Claim {
  const query = new Map(parseQuery(path));
  const { authorization } = headers;
  if (query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature')) {
    if (authorization !== undefined)
      throw new S3Refusal('InvalidArgument', 'Only one auth mechanism is allowed: header or query.');
    return readPresignedClaim(query);
  }
  // Older clients create links with signature version 2.
  if (query.has('AWSAccessKeyId') && query.has('Signature'))
    throw new S3Refusal('InvalidRequest', `Please use ${algorithm}.`);
  if (authorization === undefined) throw new S3Refusal('AccessDenied', 'The request is not signed.');
  return readHeaderClaim(authorization, headers);
}

function readHeaderClaim(authorization: string, headers: ReceivedRequest['headers']): Claim {
  if (!authorization.startsWith(`${algorithm} `))
    throw new S3Refusal('InvalidRequest', `Please use ${algorithm}.`);
  const fields = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((field) => {
        const equals = field.indexOf('=');
        return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()];
      }),
  );
  const field = (name: string): string => {
    const value = fields.get(name);
    if (value !== undefined) return value;
    throw new S3Refusal('AuthorizationHeaderMalformed', `The authorization header lacks ${name}.`);
  };
  const payload = headers['x-amz-content-sha256'];
  if (payload === undefined) throw new S3Refusal('InvalidRequest', 'Missing x-amz-content-sha256');
  const time = headers['x-amz-date'] ?? readDate(headers['date']);
  if (parseAmzTime(time) === undefined)
    throw new S3Refusal('AccessDenied', 'AWS authentication requires a valid x-amz-date header.');
  return {
    ...parseScope(field('Credential'), time),
    time,
    signedHeaders: field('SignedHeaders').toLowerCase().split(';'),
    signature: field('Signature'),
    payload,
  };
}

/** Returns the time of a request that signs its `Date` header instead of `x-amz-date`; empty if the request has no valid `Date` header. */
function readDate(date: string | undefined): string {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? '' : amzTime(time);
}

function readPresignedClaim(query: ReadonlyMap<string, string>): Claim {
  const field = (name: string): string => {
    const value = query.get(name);
    if (value !== undefined) return value;
    throw new S3Refusal('InvalidArgument', `Required search parameter ${name} missing`);
  };
  if (field('X-Amz-Algorithm') !== algorithm)
    throw new S3Refusal('InvalidRequest', `Please use ${algorithm}.`);
  const time = field('X-Amz-Date');
  if (parseAmzTime(time) === undefined)
    throw new S3Refusal('InvalidArgument', `X-Amz-Date is not a date: "${time}".`);
  const expires = field('X-Amz-Expires');
  if (!/^\d{1,6}$/.test(expires) || Number(expires) > maxExpirySeconds)
    throw new S3Refusal('InvalidArgument', 'X-Amz-Expires must be between 0 and 604800 seconds (a week).');
  return {
    ...parseScope(field('X-Amz-Credential'), time),
    time,
    signedHeaders: field('X-Amz-SignedHeaders').toLowerCase().split(';'),
    signature: field('X-Amz-Signature'),
    payload: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expires: Number(expires),
  };
}

/** Valid regions for buckets of the default jurisdiction. */
const regions = ['auto', 'us-east-1', '', 'wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'];

function parseScope(credential: string, time: string): Pick<Claim, 'accessKeyId' | 'day' | 'region'> {
  const [accessKeyId = '', day = '', region = '', service, end, ...more] = credential.split('/');
  if (service !== 's3' || end !== 'aws4_request' || more.length > 0)
    throw new S3Refusal(
      'AuthorizationHeaderMalformed',
      'A credential must be KEY/DATE/REGION/s3/aws4_request.',
    );
  if (!time.startsWith(day) || day.length !== 8)
    throw new S3Refusal(
      'InvalidArgument',
      `The credential's date ${day} does not match the request's date ${time}.`,
    );
  if (!regions.includes(region))
    throw new S3Refusal(
      'InvalidRegionName',
      `The region name '${region}' is not valid. Must be one of: wnam, enam, weur, eeur, apac, oc, auto`,
    );
  return { accessKeyId, day, region };
}

/** Refuses a signature that is too old, from the future, or expired. `now` is in milliseconds. */
export function checkTime({ time, expires }: Claim, now: number): void {
  const ahead = (parseAmzTime(time) ?? 0) - now;
  if (ahead > maxSkewMs) throw new S3Refusal('RequestTimeTooSkewed');
  if (expires === undefined) {
    if (ahead < -maxSkewMs) throw new S3Refusal('RequestTimeTooSkewed');
  } else if (now > now + ahead + expires * 1000) throw new S3Refusal('ExpiredRequest');
}

/**
 * Requires that the host and every `x-amz-*` header are signed, even in a link. Such a header changes the operation, and a link must allow
 * only what its creator signed. Source: "Authenticating Requests: Using Query Parameters" of the S3 API.
 */
function checkSignedHeaders({ signedHeaders }: Claim, { headers }: ReceivedRequest): void {
  const own = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const missing = ['host', ...own].filter((name) => !signedHeaders.includes(name));
  if (missing.length === 0) return;
  throw new S3Refusal(
    'AccessDenied',
    `There were headers present in the request which were not signed: ${missing.join(', ')}`,
  );
}
