import mime from 'mime';

/**
 * Returns the media type for the extension of a file name. If the type is unknown, uses the extension of the object's key, and otherwise
 * application/octet-stream. A name without a dot has no extension, even if the name itself is an extension (`mov`).
 */
export function contentTypeFor(name: string, key: string): string {
  return lookUpType(name) ?? lookUpType(key) ?? 'application/octet-stream';
}

/** Returns the media type for a name. Adds a slash, because the library treats a bare word as an extension. */
function lookUpType(name: string): string | null {
  return mime.getType(`/${name}`);
}
