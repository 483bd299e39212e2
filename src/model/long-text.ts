/**
 * A text from outside in a message: whole up to `most` characters, else its beginning and how much was left out. Half a
 * pair of surrogates at the cut becomes U+FFFD.
 */
export function shortText(text: string, most = 1000): string {
  if (text.length <= most) return text;
  const left = (text.length - most).toLocaleString('en');
  return `${text.slice(0, most).toWellFormed()}… (${left} more characters)`;
}

/**
 * The beginning of a text from outside in a message, with `…` behind it where something was left out: by that sign a
 * credential is known of which only the beginning is left (`text/redact.ts`).
 */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
