import stringWidth from 'string-width';
import { memoize } from './memoize.ts';

/**
 * Replaces the package `widest-line`, which Ink uses, in the bundle: returns the columns of the widest line, measured once for each string.
 */
export default memoize((text) => Math.max(0, ...text.split('\n').map((line) => stringWidth(line))));
