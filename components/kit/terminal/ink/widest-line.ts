import stringWidth from 'string-width';
import { remembered } from './remembered.ts';

/** Stands in the bundle for the package `widest-line` as Ink uses it: columns of the widest line, measured once for each text. */
export default remembered((text) => Math.max(0, ...text.split('\n').map((line) => stringWidth(line))));
