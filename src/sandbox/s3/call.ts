import type { Call } from '../../v4/send.ts';
import { S3Refusal } from './refusal.ts';

/** A request of the S3 API as it came, the query with its path. HEAD stays HEAD, because it is signed. */
export interface S3Call extends Pick<Call, 'path' | 'headers' | 'body' | 'from'> {
  readonly method: string;
  /** Maximum number of rows of a list, whatever was requested. */
  readonly mostRows?: number;
  /** Asked before an object is written, by a name that no other object of any account has: whether it was just now. */
  isTooOften?(object: string): boolean;
}

/** The path without its query, decoded. Refuses one that is no percent-encoded UTF-8. */
export function decodedPath(path: string): string {
  return decoded(path.split('?', 1)[0] ?? '');
}

/** Names and values of the query, decoded, in their order. */
export function queryOf(path: string): [string, string][] {
  const mark = path.indexOf('?');
  if (mark === -1) return [];
  return path
    .slice(mark + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return [spaced(name), spaced(value)];
    });
}

function spaced(text: string): string {
  return decoded(text.replaceAll('+', ' '));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Refusal('InvalidURI', 'The URI is not percent-encoded UTF-8.');
  }
}

/** Bucket and key of a decoded path. A key may hold slashes, and begin with one. */
export function addressOf(path: string): { readonly bucket: string; readonly key: string } {
  const slash = path.indexOf('/', 1);
  return slash === -1
    ? { bucket: path.slice(1), key: '' }
    : { bucket: path.slice(1, slash), key: path.slice(slash + 1) };
}
