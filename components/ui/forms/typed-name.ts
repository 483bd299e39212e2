import { markText, typeableText } from '../../../src/text/mark.ts';

/**
 * Returns whether a typed string is this name: exactly, or with the notation `<U+001B>` for each character that cannot be typed. The
 * symbols with which the screen shows such characters cannot be typed either.
 */
export function isTypedName(typed: string | undefined, name: string): boolean {
  return typed === name || typed === typeableText(name);
}

/** Returns a line that shows how to type a name with characters that cannot be typed; no lines for other names. */
export function typedFormLines(name: string): string[] {
  const typed = typeableText(name);
  return typed === name ? [] : [`Type the name as: ${typed}`];
}

/** Returns the initial text of a field for a name; empty if the name contains characters that a field cannot show. */
export function editableName(name: string): string {
  return markText(name) === name ? name : '';
}
