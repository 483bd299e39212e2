import mime from 'mime';

/**
 * Guesses the media type of an object from the extension of its file name, or else from its key. A name without a dot has no extension,
 * even if the whole name looks like an extension (`mov`). For a missing or unknown extension, the type is application/octet-stream.
 */
export function contentTypeFor(name: string, key: string): string {
  return lookUpType(name) ?? lookUpType(key) ?? 'application/octet-stream';
}

/** Looks up a name as part of a path, because the library treats a bare word as an extension. */
function lookUpType(name: string): string | null {
  return mime.getType(`/${name}`);
}
