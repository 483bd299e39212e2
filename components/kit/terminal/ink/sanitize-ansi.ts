import sanitizeAnsi from '../../../../node_modules/ink/build/sanitize-ansi.js';
import { memoize } from './memoize.ts';

/** In the bundle, replaces Ink's module of the same name. Ink parses each string in each frame; this function caches the results. */
export default memoize(sanitizeAnsi);
