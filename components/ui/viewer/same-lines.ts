import { isDeepStrictEqual } from 'node:util';
import { isSource, type Lines } from './source.ts';

/** Maximum number of segments to compare: more than a screen shows. */
const maxSegments = 200;

/** Whether documents look the same, at least at their beginning. */
export function hasSameLines(one: Lines, other: Lines): boolean {
  if (isSource(one) && isSource(other) && Buffer.compare(one.bytes, other.bytes) !== 0) return false;
  if (one.segments !== other.segments) return false;
  for (let segment = 0; segment < Math.min(one.segments, maxSegments); segment++) {
    if (!isDeepStrictEqual(one.lines(segment), other.lines(segment))) return false;
    if (one.segmentRole?.(segment) !== other.segmentRole?.(segment)) return false;
  }
  return true;
}
