import sanitizeAnsi from '../../../../node_modules/ink/build/sanitize-ansi.js';
import { memoize } from './memoize.ts';

/** Replaces Ink's module of the same name in the bundle. Ink parses each string in each frame; this function caches the results. */
export default memoize(sanitizeAnsi);
