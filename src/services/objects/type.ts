import mime from 'mime';

/**
 * The media type of an object by the ending of its file's name, else of its key. A name without a dot has no ending,
 * though the whole of it may be one (`mov`): then, and for endings that nobody knows, it is plain bytes.
 */
export function contentTypeOf(name: string, key: string): string {
  return typeOf(name) ?? typeOf(key) ?? 'application/octet-stream';
}

/** The library takes a bare word for an ending, unless it stands in a path. */
function typeOf(name: string): string | null {
  return mime.getType(`/${name}`);
}
