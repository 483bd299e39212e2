import { isUtf8 } from 'node:buffer';
import { objectKeyFault } from '../../model/objects/object.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { readBody } from '../../v4/send.ts';
import type { S3Request } from './request.ts';

/** Reads the body as a string. Refuses a body that is too long or not UTF-8. */
export async function readBodyText({ body }: S3Request, limit: number): Promise<string> {
  const bytes = await readBody(body(), limit).catch((error: unknown) => {
    throw error instanceof RangeError ? new S3Refusal('MalformedXML') : error;
  });
  if (!isUtf8(bytes)) throw new S3Refusal('MalformedXML');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Parses a numeric query parameter. Refuses an invalid number; a number above `max` becomes `max`. */
export function readCappedNumber(
  query: S3Request['query'],
  name: string,
  min: number,
  max: number,
  defaultValue: number,
): number {
  const text = query.get(name) ?? '';
  if (text === '') return defaultValue;
  if (/^\d{1,10}$/.test(text) && Number(text) >= min) return Math.min(Number(text), max);
  throw new S3Refusal('InvalidArgument', `${name} must be a whole number of at least ${min}, not "${text}".`);
}

/** Returns the part number in a query. */
export function readPartNumber(query: S3Request['query']): number {
  const text = query.get('partNumber') ?? '';
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= maxParts) return number;
  throw new S3Refusal('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive.');
}

export const maxParts = 10_000;

/** Returns the key if it is a valid object key, and refuses an invalid key. */
export function requireS3Key(key: string): string {
  if (objectKeyFault(key) === undefined) return key;
  if (Buffer.byteLength(key) > 1024) throw new S3Refusal('KeyTooLongError');
  throw new S3Refusal('InvalidArgument', `The specified object name is not valid: ${JSON.stringify(key)}`);
}
