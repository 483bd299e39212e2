import type { S3Refusal } from '../../s3/refusal.ts';
import { formatDocument } from '../../s3/xml.ts';
import type { Answer } from '../../v4/send.ts';

/** Creates the answer to a refused request. */
export function refusedAnswer({ code, message, status }: S3Refusal, resource: string): Answer {
  return xmlAnswer(status, 'Error', { Code: code, Message: message, Resource: resource });
}

/** Creates an answer with an XML document. */
export function xmlAnswer(
  status: number,
  name: string,
  content: Parameters<typeof formatDocument>[1],
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(formatDocument(name, content)),
  };
}

/** Creates an answer without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: new Uint8Array(0) };
}
