import stringWidth from 'string-width';
import { memoize } from './memoize.ts';

/**
 * In the bundle, replaces the package `widest-line`, which Ink uses. Returns the width of the widest line, in columns. Results are cached.
 */
export default memoize((text) => Math.max(0, ...text.split('\n').map((line) => stringWidth(line))));
