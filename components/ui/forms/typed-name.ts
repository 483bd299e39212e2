import { markText, typeableText } from '../../../src/text/mark.ts';

/**
 * Whether a typed string is this name: exactly, or with `<U+001B>` notation for each character that a keyboard does not have. The screen
 * shows some of these characters as pictures, which cannot be typed either.
 */
export function isTypedName(typed: string | undefined, name: string): boolean {
  return typed === name || typed === typeableText(name);
}

/** Returns a line that shows how to type a name with characters that a keyboard does not have; no lines for other names. */
export function typedFormLines(name: string): string[] {
  const typed = typeableText(name);
  return typed === name ? [] : [`On a keyboard, type: ${typed}`];
}

/** Returns a name to edit in a field. Returns an empty string if a field cannot show the name, which must then be retyped. */
export function editableName(name: string): string {
  return markText(name) === name ? name : '';
}
