import type { ObjectAddress } from '../../../model/objects/object.ts';
import type { ByteRange } from '../../../model/objects/range.ts';
import { Problem, type ProblemCode } from '../../../model/problem.ts';
import { canonicalPath, encoded } from '../../../s3/signature.ts';
import { formatDocument, parseDocument, textIn, type Xml, type XmlContent } from '../../../s3/xml.ts';
import { type Answer, type Call, closeBody, openStream, readBody } from '../../../v4/send.ts';
import type { Session } from '../../session/session.ts';
import { missingBucket, namedBucket } from '../buckets.ts';

/** An S3 API request about an object. */
export interface BucketCall {
  readonly method: Call['method'];
  readonly address: ObjectAddress;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Call['body'];
  /** Whether the request is safe to repeat (default: true). */
  readonly repeatable?: boolean;
  /** A signal that aborts the call (default: Ctrl-C). */
  readonly signal?: AbortSignal;
}

/** A response of the S3 API. */
export interface S3Answer {
  readonly headers: Answer['headers'];
  /** The XML document; undefined if the response contains none. */
  readonly document: Xml | undefined;
}

/** Maximum length of a response that is not an object, in bytes: enough for 1,000 parts of about 300 bytes. */
const answerLimit = 4 * 1024 * 1024;

/**
 * Calls the S3 API. The response must be empty or an XML document. If the document contains an error, throws the Problem for the error code,
 * or returns undefined for the code in `allow`.
 */
export async function callS3(session: Session, call: BucketCall): Promise<S3Answer>;
export async function callS3(
  session: Session,
  call: BucketCall,
  allow: string,
): Promise<S3Answer | undefined>;
export async function callS3(
  session: Session,
  call: BucketCall,
  allow?: string,
): Promise<S3Answer | undefined> {
  const { method, address, query = {}, headers = {}, body, repeatable = true, signal } = call;
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`);
  const path = `${s3Path(address)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  const answer = await session.send({
    api: 's3',
    method,
    path,
    headers,
    repeatable,
    wholeAnswer: answerLimit,
    body,
    signal,
  });
  const document = await parseDocumentIn(answer);
  // If a copy or a completion fails late, the status indicates success but the document contains an error.
  if (answer.status < 300 && document?.name !== 'Error') return { headers: answer.headers, document };
  const code = textIn(document, 'Code') ?? '';
  if (code === allow) return undefined;
  throw namedBucket(address.bucket, toProblem(answer, method, code, textIn(document, 'Message')));
}

async function parseDocumentIn({ body }: Answer): Promise<Xml | undefined> {
  return parseDocument(Buffer.from(await readBody(body, answerLimit)).toString('utf8'));
}

/** Reads a range of an object, including both ends. Throws if the object has another etag, or if the response contains another range. */
export async function readRange(
  session: Session,
  address: ObjectAddress,
  range: ByteRange,
  etag: string,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = {
    'accept-encoding': 'identity',
    'if-match': `"${etag}"`,
    range: `bytes=${range.start}-${range.end}`,
  };
  const call = { api: 's3', method: 'GET', path: s3Path(address), headers, repeatable: true } as const;
  const answer = await session.send(call);
  const fault = answer.status === 206 ? answerFault(answer, address, range, etag) : undefined;
  if (answer.status === 206 && fault === undefined)
    return answer.body instanceof Uint8Array ? openStream(answer.body) : answer.body;
  if (answer.status < 300) await closeBody(answer);
  if (fault !== undefined) throw fault;
  const document = answer.status < 300 ? undefined : await parseDocumentIn(answer);
  const code = textIn(document, 'Code') ?? '';
  if (code === 'PreconditionFailed' || code === 'NoSuchKey') throw replaced(address);
  throw namedBucket(address.bucket, toProblem(answer, 'GET', code, textIn(document, 'Message')));
}

/**
 * Returns the Problem for a response whose range or etag differs from the requested one; undefined if both match. Without this check, wrong
 * bytes would be detected only at the end of the transfer, and only if the etag is an MD5.
 */
function answerFault(
  { headers }: Answer,
  address: ObjectAddress,
  { start, end }: ByteRange,
  etag: string,
): Problem | undefined {
  const isAsked = headers['content-range']?.startsWith(`bytes ${start}-${end}/`) === true;
  if (isAsked)
    return (bareEtag(headers['etag']) ?? etag) === etag.toLowerCase() ? undefined : replaced(address);
  const words = `The response for "${address.key}" does not contain the requested bytes ${start}-${end}.`;
  return new Problem('refused', words, {
    hint: 'A proxy between this machine and the platform may have changed the response.',
  });
}

function replaced({ key }: ObjectAddress): Problem {
  return new Problem('refused', `"${key}" was replaced while it was being downloaded.`, {
    hint: 'Try again.',
  });
}

/** Returns the path of an object for signing and sending. Throws if the path of the key would refer to another object. */
export function s3Path({ bucket, key }: ObjectAddress): string {
  if (!key.split('/').some((part) => part === '.' || part === '..'))
    return canonicalPath(`/${bucket}/${key}`);
  const words = `The S3 API cannot reach "${key}": the key contains "." or ".." as a path segment.`;
  throw new Problem('invalid-input', words, { hint: 'Store the object under another key.' });
}

const codes: ReadonlyMap<string, ProblemCode> = new Map([
  ['NoSuchBucket', 'not-found'],
  ['NoSuchKey', 'not-found'],
  ['NoSuchUpload', 'not-found'],
  ['AccessDenied', 'not-permitted'],
  ['InvalidAccessKeyId', 'not-signed-in'],
  ['SignatureDoesNotMatch', 'not-signed-in'],
  ['Unauthorized', 'not-signed-in'],
  ['SlowDown', 'rate-limited'],
  ['TooManyRequests', 'rate-limited'],
]);

const hints: Readonly<Partial<Record<ProblemCode, string>>> = {
  'not-permitted': 'The token needs "Workers R2 Storage: Edit" for the account.',
  'not-signed-in':
    'The access key is derived from the id and the SHA-256 of the token, unless R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are set.',
};

function toProblem(
  answer: Answer,
  method: Call['method'],
  code: string,
  message: string | undefined,
): Problem {
  const { status, redact = (text) => text } = answer;
  const kind = codes.get(code) ?? (status >= 500 ? 'unavailable' : status === 409 ? 'conflict' : 'refused');
  const said = message ? redact(message) : 'The S3 API refused the request';
  const words =
    code === ''
      ? `The response to ${method} is not from the S3 API (HTTP ${status}).`
      : `${said.replace(/\.?$/, '')} (${redact(code)}).`;
  return new Problem(kind, words, {
    status,
    platformCode: code === 'NoSuchBucket' ? missingBucket : undefined,
    requestId: answer.headers['x-amz-request-id'],
    hint: hints[kind],
  });
}

/** Formats an XML document as a request body. */
export function toBody(name: string, content: XmlContent): Uint8Array {
  return Buffer.from(formatDocument(name, content));
}

/** Returns an etag in lower case, without quotes. */
export function bareEtag(etag: string | undefined): string | undefined {
  return etag?.replace(/^"(.*)"$/, '$1').toLowerCase();
}
