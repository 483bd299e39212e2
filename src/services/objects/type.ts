import mime from 'mime';

/**
 * Guesses the media type of an object from the extension of its file name, or else of its key. A name without a dot has
 * no extension, even if the name looks like an extension (`mov`). If the extension is missing or unknown, the type is
 * application/octet-stream.
 */
export function contentTypeFor(name: string, key: string): string {
  return lookUpType(name) ?? lookUpType(key) ?? 'application/octet-stream';
}

/** The library treats a bare word as an extension, unless it is in a path. */
function lookUpType(name: string): string | null {
  return mime.getType(`/${name}`);
}
