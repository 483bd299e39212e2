import {
  type AccessKey,
  algorithm,
  amzTime,
  canonicalPath,
  computeSignature,
  encoded,
  type Scope,
  scopeText,
  sha256,
} from './signature.ts';

/** The region of all of the provider's buckets. */
const region = 'auto';

/** A request to sign. */
export interface RequestToSign {
  /** Host and port, with the same value as the `Host` header. */
  readonly host: string;
  readonly method: string;
  /** The percent-encoded path, with its query. */
  readonly path: string;
  /** The headers, with lower-case names. API headers (`x-amz-…`) are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if it is known. The content of a stream is not signed. */
  readonly body?: Uint8Array | undefined;
  /**
   * The value of `x-amz-content-sha256`, if the caller knows it: the SHA-256 of the body in hex, or a constant (default: computed from
   * `body`).
   */
  readonly payload?: string | undefined;
}

/** Returns the headers that sign a request. `now` is in milliseconds. */
export function signatureHeaders(
  request: RequestToSign,
  key: AccessKey,
  now: number,
): Record<string, string> {
  return signRequest(request, key, now).headers;
}

/** The signature of a request, on which the signatures of a body's chunks are based, and the headers that contain it. */
export interface SignatureOfRequest extends Scope {
  readonly headers: Record<string, string>;
  readonly time: string;
  readonly signature: string;
}

/** Signs a request. `now` is in milliseconds. */
export function signRequest(
  { host, method, path, headers, body, payload: known }: RequestToSign,
  key: AccessKey,
  now: number,
): SignatureOfRequest {
  const time = amzTime(now);
  const scope = { day: time.slice(0, 8), region };
  const payload = known ?? (body === undefined ? 'UNSIGNED-PAYLOAD' : sha256(body));
  const own = { 'x-amz-content-sha256': payload, 'x-amz-date': time };
  const signed = Object.entries({ host, ...headers, ...own })
    .filter(([name]) => name === 'host' || name.startsWith('x-amz-'))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const url = new URL(path, `http://${host}`);
  const request = {
    method,
    path: url.pathname,
    query: [...url.searchParams],
    headers: signed,
    payload,
    time,
  };
  const names = signed.map(([name]) => name).join(';');
  const signature = computeSignature(request, scope, key.secret);
  const fields = [
    `Credential=${key.id}/${scopeText(scope)}`,
    `SignedHeaders=${names}`,
    `Signature=${signature}`,
  ];
  return {
    ...scope,
    time,
    signature,
    headers: { ...own, authorization: `${algorithm} ${fields.join(', ')}` },
  };
}

/** Maximum lifetime of a link in seconds: one week. */
export const maxLinkSeconds = 604_800;

/** Returns a link that allows one operation on one object for a limited number of seconds. `now` is in milliseconds. */
export function presignedUrl(
  endpoint: string,
  link: { readonly method: string; readonly bucket: string; readonly key: string; readonly seconds: number },
  key: AccessKey,
  now: number,
): string {
  const time = amzTime(now);
  const scope = { day: time.slice(0, 8), region };
  const { host, origin, pathname } = new URL(endpoint);
  const path = pathname.replace(/\/$/, '') + canonicalPath(`/${link.bucket}/${link.key}`);
  const query: [string, string][] = [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${key.id}/${scopeText(scope)}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(link.seconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ];
  const payload = 'UNSIGNED-PAYLOAD';
  const request = { method: link.method, path, query, headers: [['host', host] as const], payload, time };
  const all = [...query, ['X-Amz-Signature', computeSignature(request, scope, key.secret)] as const];
  return `${origin}${path}?${all.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')}`;
}
