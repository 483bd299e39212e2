import stringWidth from 'string-width';
import { memoize } from './memoize.ts';

/** Replaces the package `widest-line`, which Ink uses, in the bundle. Returns the columns of the widest line, with a cache. */
export default memoize((text) => Math.max(0, ...text.split('\n').map((line) => stringWidth(line))));
