import { escapeText } from '../escape.ts';
import { readPattern } from './pattern.ts';

/** A note beside a pattern that is being typed: what is wrong with it, or what can be typed. Escaped. */
export function patternNote(
  typed: string,
  fault: string | undefined,
): { readonly text: string; readonly isFault: boolean } | undefined {
  if (fault !== undefined) return { text: `not applied: ${escapeText(fault)}`, isFault: true };
  if (typed === '') return { text: 'text  /regex/  !not  ~fuzzy', isFault: false };
  const isOpen = /^!*\/./s.test(typed) && readPattern(typed).how === 'part';
  return isOpen ? { text: 'a / at the end makes it a regex', isFault: false } : undefined;
}
