/** The conditions in a request's headers (RFC 9110, 13.1). */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

/**
 * The values that conditions are compared with: an object's etag without quotes, and the time at which the object was stored, in
 * milliseconds.
 */
export interface Validators {
  readonly etag: string;
  readonly uploaded: number;
}

/**
 * Evaluates the conditions of a request (RFC 9110, 13.2.2). `object` is undefined if the object does not exist. `failed` means 412.
 * `unchanged` means 304 for a read and 412 for a write.
 */
export function evaluate(
  conditions: Conditions,
  object: Validators | undefined,
): 'go on' | 'failed' | 'unchanged' {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, object)) return 'failed';
  } else if (object !== undefined && isAfter(object, ifUnmodifiedSince)) return 'failed';
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, object) ? 'unchanged' : 'go on';
  const since = toSeconds(ifModifiedSince);
  return object !== undefined && since !== undefined && !isAfter(object, ifModifiedSince)
    ? 'unchanged'
    : 'go on';
}

function matches(header: string, object: Validators | undefined): boolean {
  if (object === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => bare(tag) === object.etag);
}

/** Removes the quotes of an etag. Etags without quotes are unchanged, because some clients send them. */
function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');
}

/** Ignores the milliseconds of the object's time, because HTTP dates have no milliseconds. */
function isAfter(object: Validators, date: string | undefined): boolean {
  const seconds = toSeconds(date);
  return seconds !== undefined && Math.floor(object.uploaded / 1000) > seconds;
}

function toSeconds(date: string | undefined): number | undefined {
  const milliseconds = Date.parse(date ?? '');
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
