import { createHash, createHmac } from 'node:crypto';

// Signature Version 4 of the S3 API, as specified by AWS ("Authenticating Requests: AWS Signature Version 4"). The client signs with this
// code, and the sandbox verifies with it. Other S3 clients are tested against the sandbox. aws4fetch is not used, because it can sign but
// not verify, and loads the global Request, which takes a third of the minimal startup time.

export const algorithm = 'AWS4-HMAC-SHA256';

/** An S3 API access key. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/** The day and region for which a signature is valid. The service is always S3. */
export interface Scope {
  /** The day in the form `YYYYMMDD`. */
  readonly day: string;
  readonly region: string;
}

/** The parts of a request that are signed. */
export interface SignedRequest {
  readonly method: string;
  /** The path as formatted by `canonicalPath`. */
  readonly path: string;
  /** Names and values of the query parameters, decoded, and without the signature itself. */
  readonly query: readonly (readonly [string, string])[];
  /** The signed headers, with names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The SHA-256 of the body in hex, or a constant such as `UNSIGNED-PAYLOAD`. */
  readonly payload: string;
  /** The time in the form `YYYYMMDDTHHMMSSZ`. */
  readonly time: string;
}

/** Returns the signature of a request, in hex. */
export function computeSignature(request: SignedRequest, scope: Scope, secret: string): string {
  const text = [algorithm, request.time, scopeText(scope), sha256(canonicalRequest(request))].join('\n');
  return hmac(signingKey(secret, scope), text).toString('hex');
}

export function scopeText({ day, region }: Scope): string {
  return `${day}/${region}/s3/aws4_request`;
}

/** Returns the key that signs a request and the chunks of its body. */
export function signingKey(secret: string, { day, region }: Scope): Buffer {
  return [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
}

export function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function canonicalRequest({ method, path, query, headers, payload }: SignedRequest): string {
  const names = headers.map(([name]) => name);
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`);
  return [method, path, canonicalQuery(query), lines.join(''), names.join(';'), payload].join('\n');
}

function canonicalQuery(query: SignedRequest['query']): string {
  return query
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([one, first], [other, second]) => order(one, other) || order(first, second))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Percent-encodes a decoded path for signing and sending. Unreserved characters and slashes are unchanged. */
export function canonicalPath(path: string): string {
  return path.split('/').map(encoded).join('/');
}

/** Percent-encodes a string as AWS does. Letters, digits and `-._~` are unchanged. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Formats a time as signatures require: `YYYYMMDDTHHMMSSZ`. */
export function amzTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Parses the timestamp of a signature to milliseconds; undefined if it is invalid. */
export function parseAmzTime(text: string): number | undefined {
  const iso = text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z');
  const milliseconds = iso === text ? Number.NaN : Date.parse(iso);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
