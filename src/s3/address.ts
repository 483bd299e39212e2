import { S3Refusal } from './refusal.ts';

/** Returns the decoded path without its query. Throws if the path is not percent-encoded UTF-8. */
export function decodePath(path: string): string {
  return decodeUri(path.split('?', 1)[0] ?? '');
}

/** Returns the decoded names and values of the query parameters, in order. */
export function parseQuery(path: string): [string, string][] {
  const mark = path.indexOf('?');
  if (mark === -1) return [];
  return path
    .slice(mark + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return [decodeQueryPart(name), decodeQueryPart(value)];
    });
}

function decodeQueryPart(text: string): string {
  return decodeUri(text.replaceAll('+', ' '));
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Refusal('InvalidURI', 'The URI is not percent-encoded UTF-8.');
  }
}

/** Splits a decoded path into bucket and key. A key may contain slashes, and may start with a slash. */
export function parseObjectPath(path: string): { readonly bucket: string; readonly key: string } {
  const slash = path.indexOf('/', 1);
  return slash === -1
    ? { bucket: path.slice(1), key: '' }
    : { bucket: path.slice(1, slash), key: path.slice(slash + 1) };
}
