import { markText, typeableText } from '../../../src/text/mark.ts';

/**
 * Whether a typed string is this name: exactly, or with each character that a keyboard does not have as `<U+001B>`. The screen
 * shows some of these characters as pictures, which cannot be typed either.
 */
export function isTypedName(typed: string | undefined, name: string): boolean {
  return typed === name || typed === typeableText(name);
}

/** Returns a line with what to type instead of a name with characters that a keyboard does not have; otherwise nothing. */
export function typedFormLines(name: string): string[] {
  const typed = typeableText(name);
  return typed === name ? [] : [`On a keyboard, type: ${typed}`];
}

/** Returns a name to edit in a field; empty if a field cannot show it, so that it must be typed again. */
export function editableName(name: string): string {
  return markText(name) === name ? name : '';
}
