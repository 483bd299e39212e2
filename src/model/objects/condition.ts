/** The conditions of a request, as its headers have them (RFC 9110, 13.1). */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

/** An object's etag without quotes, and when it was stored in milliseconds: conditions are compared with them. */
export interface Validators {
  readonly etag: string;
  readonly uploaded: number;
}

/**
 * Evaluates the conditions of a request (RFC 9110, 13.2.2); `object` is undefined where there is none. Of the results,
 * `failed` is 412; `unchanged` is 304 to a read, 412 to a write.
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
  const since = secondsOf(ifModifiedSince);
  return object !== undefined && since !== undefined && !isAfter(object, ifModifiedSince)
    ? 'unchanged'
    : 'go on';
}

function matches(header: string, object: Validators | undefined): boolean {
  if (object === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => bare(tag) === object.etag);
}

/** An etag without its quotes; clients send it without them as well. */
function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');
}

/** HTTP dates have no milliseconds, so the object's are ignored in the comparison. */
function isAfter(object: Validators, date: string | undefined): boolean {
  const seconds = secondsOf(date);
  return seconds !== undefined && Math.floor(object.uploaded / 1000) > seconds;
}

function secondsOf(date: string | undefined): number | undefined {
  const milliseconds = Date.parse(date ?? '');
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
