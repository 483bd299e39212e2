/** The value of an `issue` or `issuewild` record, taken apart. Without issuer it authorises nobody. */
export interface CaaProperty {
  /** Lower case. */
  readonly issuer?: string;
  /** Tags in lower case, values as written. */
  readonly parameters: readonly { readonly tag: string; readonly value: string }[];
}

const labels = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const issuerName = new RegExp(`^${labels}(?:\\.${labels})*$`, 'i');
const parameter = new RegExp(`^(${labels})[ \\t]*=[ \\t]*([\\x21-\\x3a\\x3c-\\x7e]*)$`, 'i');

/**
 * Reads an issue value by the grammar of RFC 8659, 4.2. A value that does not follow it gives undefined, and then
 * authorises nobody. A lone semicolon behind the issuer is allowed.
 */
export function parseIssueValue(value: string): CaaProperty | undefined {
  const [first = '', ...rest] = value.split(';').map(trimBlanks);
  if (first !== '' && !issuerName.test(first)) return undefined;
  const written = rest.length === 1 && rest[0] === '' ? [] : rest;
  const matches = written.map((text) => parameter.exec(text));
  if (matches.includes(null)) return undefined;
  return {
    ...(first !== '' && { issuer: first.toLowerCase() }),
    parameters: matches.map((match) => ({ tag: (match?.[1] ?? '').toLowerCase(), value: match?.[2] ?? '' })),
  };
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
