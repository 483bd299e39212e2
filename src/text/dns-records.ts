import { groupDigits } from './size.ts';

/** Formats a DNS record as a line of a zone file, ready to paste. */
export function zoneLine(record: {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}): string {
  const { name, type, value } = record;
  const isName = ['CNAME', 'ALIAS', 'ANAME'].includes(type);
  return `${absolute(name)} ${type} ${type === 'TXT' ? quoted(value) : isName ? absolute(value) : value}`;
}

/** Appends the dot that prevents a DNS panel from appending the zone. A string that is not a name is unchanged. */
function absolute(name: string): string {
  return /^[\w*.-]+$/.test(name) && !name.endsWith('.') ? `${name}.` : name;
}

/**
 * Splits a TXT value into strings of at most 255 bytes (RFC 1035, 3.3.14). A value with quotes or backslashes is not a token of the
 * platform. Such a value is unchanged, because its quotes would also have to survive terminal escaping.
 */
function quoted(value: string): string {
  if (/["\\]/.test(value)) return value;
  const parts = value.match(/.{1,255}/gs) ?? [''];
  return parts.map((part) => `"${part}"`).join(' ');
}

/** Reports how many list entries are not DNS records, with the names of the first entries. */
export function skippedRecords(count: number, malformed: readonly string[] = []): string {
  const names = malformed.slice(0, 5).join(', ');
  const named = names === '' ? '' : `: ${names}${count > 5 ? ', …' : ''}`;
  return `Skipped ${groupDigits(count)} malformed DNS record${count === 1 ? '' : 's'} in the platform's response${named}.`;
}
