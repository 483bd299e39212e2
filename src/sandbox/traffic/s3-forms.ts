import type { S3Code } from '../../s3/refusal.ts';
import { refused } from '../../v4/envelope.ts';
import type { Answer, Call } from '../../v4/send.ts';
import type { S3Call } from '../s3/call.ts';
import { pathWithoutQuery } from './effect.ts';

// The parts of faults and the log that differ between the two APIs. Code for the S3 API is loaded only for its requests.

/** For each status, the provider's error code, or the error code of S3 if the provider defines none. */
const codes: ReadonlyMap<number, S3Code> = new Map([
  [400, 'InvalidRequest'],
  [401, 'Unauthorized'],
  [403, 'AccessDenied'],
  [404, 'NoSuchKey'],
  [405, 'MethodNotAllowed'],
  [409, 'OperationAborted'],
  [411, 'MissingContentLength'],
  [412, 'PreconditionFailed'],
  [416, 'InvalidRange'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [501, 'NotImplemented'],
  [503, 'SlowDown'],
]);

function toS3Code(status: number): S3Code {
  return codes.get(status) ?? (status >= 500 ? 'ServiceUnavailable' : 'InvalidRequest');
}

/**
 * Creates a refusal in the format of the call's API: an envelope with the code, or an S3 document with the code for the status.
 */
export async function formatRefusal(
  call: Call,
  status: number,
  code: number,
  words: string,
): Promise<Answer> {
  if (call.api !== 's3') return refused(status, code, words);
  const [{ refusedAnswer }, { S3Refusal }] = await Promise.all([
    import('../s3/documents.ts'),
    import('../../s3/refusal.ts'),
  ]);
  return { ...refusedAnswer(new S3Refusal(toS3Code(status), words), pathWithoutQuery(call)), status };
}

/** Returns a valid JSON or XML body with fields that no client expects. */
export async function formatWrongBody(call: Call): Promise<Uint8Array> {
  if (call.api !== 's3') return Buffer.from('{"unexpected":["shape"]}');
  const { formatDocument } = await import('../../s3/xml.ts');
  return Buffer.from(formatDocument('Unexpected', { Shape: '' }));
}

/** Limits the number of rows in lists. The limit is passed in a separate field, because the query is signed and must not be changed. */
export function limitRows(call: Call, maxRows: number): Call & Pick<S3Call, 'maxRows'> {
  return { ...call, maxRows };
}

/** Query parameters that sign a request. */
const signatureParameter =
  /^x-amz-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/i;

/** Returns the query of a call without the question mark and the signature. */
export function unsignedQuery(call: Pick<Call, 'api' | 'path'>): string {
  const query = call.path.slice(pathWithoutQuery(call).length + 1);
  if (call.api !== 's3') return query;
  const parts = query.split('&').filter((part) => !signatureParameter.test(part.split('=', 1)[0] ?? ''));
  return parts.join('&');
}

/** Identifies the caller by its token, key, or access key; empty if the call has no credentials. */
export function readCaller(call: Call): string {
  if (call.api === 's3') return readAccessKey(call);
  return call.headers['authorization'] ?? call.headers['x-auth-key'] ?? '';
}

/** Returns the access key that signed a request, from its header or query. */
function readAccessKey({ headers, path }: Call): string {
  const match =
    /Credential=([^/,\s]+)/.exec(headers['authorization'] ?? '') ??
    /[?&]X-Amz-Credential=([^%/&]+)/.exec(path);
  return match?.[1] ?? '';
}
