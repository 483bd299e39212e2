import { groupDigits } from './size.ts';

/** A DNS record as it stands in a zone file, ready to paste. */
export function zoneLine(record: {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}): string {
  const { name, type, value } = record;
  const isName = ['CNAME', 'ALIAS', 'ANAME'].includes(type);
  return `${absolute(name)} ${type} ${type === 'TXT' ? quoted(value) : isName ? absolute(value) : value}`;
}

/** Appends the dot that keeps a DNS panel from appending the zone; a text that is no name stays as it is. */
function absolute(name: string): string {
  return /^[\w*.-]+$/.test(name) && !name.endsWith('.') ? `${name}.` : name;
}

/**
 * A TXT value in strings of at most 255 bytes (RFC 1035, 3.3.14). One with quotes or backslashes is no token of ours
 * and stays as it is: quoting it would have to survive the terminal's escapes as well.
 */
function quoted(value: string): string {
  if (/["\\]/.test(value)) return value;
  const parts = value.match(/.{1,255}/gs) ?? [''];
  return parts.map((part) => `"${part}"`).join(' ');
}

/** Notes entries of a list that are no DNS records, and names the first. */
export function skippedRecords(count: number, malformed: readonly string[] = []): string {
  const names = malformed.slice(0, 5).join(', ');
  const named = names === '' ? '' : `: ${names}${count > 5 ? ', …' : ''}`;
  return `Skipped ${groupDigits(count)} malformed DNS record${count === 1 ? '' : 's'} of the platform's answer${named}.`;
}
