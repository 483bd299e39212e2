import sanitizeAnsi from '../../../../node_modules/ink/build/sanitize-ansi.js';
import { remembered } from './remembered.ts';

/** Stands in the bundle for Ink's module of the same name, which takes each text of each frame apart: this does so once. */
export default remembered(sanitizeAnsi);
