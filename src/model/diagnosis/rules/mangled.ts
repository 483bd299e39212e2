/** A DNS value that is a damaged validation token, with the expected token and a description of the damage. */
export interface DamagedToken {
  readonly found: string;
  readonly wanted: string;
  /** The end of a sentence that starts with "The token". */
  readonly how: string;
}

/** Minimum length, in characters, of a token's prefix that proves truncation; a shorter match can be a coincidence. */
const minPrefixLength = 8;

/**
 * Finds a value that almost equals an expected value: in quotes, truncated, in different case, with a dot, spaces, backslashes or invisible
 * characters, or with other content around it.
 */
export function findDamagedToken(
  found: readonly string[],
  wanted: readonly string[],
): DamagedToken | undefined {
  for (const text of found) {
    for (const token of wanted) {
      const how = text === token ? undefined : describeDamage(text, token);
      if (how !== undefined) return { found: text, wanted: token, how };
    }
  }
  return undefined;
}

function describeDamage(text: string, token: string): string | undefined {
  const bare = text.trim();
  if (bare === token) return 'has leading or trailing spaces.';
  if (bare.replace(/^["'\u201c\u201d]+|["'\u201c\u201d]+$/g, '') === token)
    return 'contains quotes as part of its value.';
  if (bare.replace(/\.$/, '') === token) return 'ends with a dot.';
  if (bare.toLowerCase() === token.toLowerCase()) return 'has letters in the wrong case.';
  if (bare.length >= minPrefixLength && token.startsWith(bare)) return 'is truncated.';
  const shown = bare.replace(/[^\x20-\x7e]/g, '');
  if (shown === token) return 'contains an invisible character.';
  if (bare.replace(/\s+/g, '') === token) return 'contains a space or a line break.';
  if (bare.replaceAll('\\', '') === token) return 'contains backslashes as part of its value.';
  return bare.includes(token) ? 'contains additional text.' : undefined;
}
