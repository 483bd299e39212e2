import { isWithin, plainName } from '../../../model/dns/dns.ts';
import {
  escapeByNumber,
  escapeName,
  quoteDns,
  quotedStrings,
  splitWords,
  unescapeDns,
  wordBytes,
} from '../../../model/dns/strings.ts';
import type { StoredRecord } from '../../../store/zones/dns-records.ts';
import { layouts } from './presentation.ts';

/** Types whose content is a name. In a zone file, the name ends in a dot. */
const nameTypes = ['CNAME', 'NS', 'PTR', 'MX'];

/**
 * Formats all records of a zone as a zone file (RFC 1035, 5). As on the platform, a comment in the zone file contains the record's own
 * comment, its tags and its proxy setting.
 */
export function formatZoneFile(zone: string, records: readonly StoredRecord[], now: number): string {
  const types = [...new Set(records.map(({ type }) => type))].sort();
  const start = `${zone}\t3600\tIN\tSOA\tada.ns.cloudflare.com. dns.cloudflare.com. ${Math.trunc(now / 1000)} 10000 2400 604800 3600`;
  return [
    ';;',
    `;; Domain:     ${zone}.`,
    `;; Exported:   ${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}`,
    ';;',
    '',
    ';; SOA Record',
    start,
    ...types.flatMap((type) => [
      '',
      `;; ${type} Records`,
      ...records.filter((record) => record.type === type).map(formatRecordLine),
    ]),
    '',
  ].join('\n');
}

function formatRecordLine(record: StoredRecord): string {
  const { name, type, ttl } = record;
  const behind = formatLineComment(record);
  const line = `${escapeName(name)}.\t${ttl}\tIN\t${type}\t${formatContent(record)}`;
  return behind === '' ? line : `${line} ; ${behind}`;
}

/**
 * Formats the comment and the tags. One tag specifies whether the record is proxied. Characters that would end the comment or a tag are
 * written as decimal byte escapes.
 */
function formatLineComment({ type, proxied, more }: StoredRecord): string {
  const own = Array.isArray(more['tags']) ? more['tags'].map(String) : [];
  const tags = [...(isAddress(type) ? [`cf-proxied:${proxied}`] : []), ...own.map(formatTag)];
  const comment = typeof more['comment'] === 'string' ? formatComment(more['comment']) : '';
  return [comment, ...(tags.length === 0 ? [] : [`cf_tags=${tags.join(',')}`])]
    .filter((part) => part !== '')
    .join(' ');
}

function formatComment(comment: string): string {
  const plain = escapeByNumber(comment, /\\(?=\d{3})|[\0-\x1f\x7f]|^\s|\s$/gu);
  return plain.replace(/cf_tags=/g, '\\099f_tags=');
}

function formatTag(tag: string): string {
  return escapeByNumber(tag, /\\(?=\d{3})|[\0-\x1f\x7f]|[\s,]/gu).replace(/^cf-proxied:/, '\\099f-proxied:');
}

function isAddress(type: string): boolean {
  return ['A', 'AAAA', 'CNAME'].includes(type);
}

/** Formats the content for a zone file: names end in a dot, strings are quoted, and an MX record includes its priority. */
function formatContent({ type, content, more }: StoredRecord): string {
  if (type === 'MX') return `${Number(more['priority'] ?? 0)} ${escapeName(content)}.`;
  if (nameTypes.includes(type)) return `${escapeName(content)}.`;
  if (type === 'TXT') return quotedStrings(content);
  const at = findNameIndex(type);
  if (at === -1) return content;
  const words = splitWords(content) ?? [];
  return words.map((word, index) => (index === at && word !== '.' ? `${word}.` : word)).join(' ');
}

/** Returns the index of the first part of a record's content that is a DNS name; -1 if no part is a DNS name. */
function findNameIndex(type: string): number {
  return layouts[type]?.findIndex(([, part]) => part === 'name') ?? -1;
}

/** A record from a line of a zone file. */
export interface FileRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly content: string;
  readonly priority?: number;
  readonly comment?: string;
  readonly tags?: readonly string[];
  readonly proxied?: boolean;
}

/**
 * Parses the records of a zone file, with absolute names. SOA records and the zone's own name servers are skipped, because the
 * platform sets them. Throws an Error that names the invalid line.
 */
export function parseZoneFile(zone: string, text: string): FileRecord[] {
  let origin = zone;
  let usual = 1;
  let owner = zone;
  const records: FileRecord[] = [];
  for (const { number, line, comment } of logicalLines(text)) {
    const [, directive, value = ''] = /^\$(\w+)\s+(\S+)/.exec(line) ?? [];
    if (directive === 'ORIGIN') origin = plainName(value);
    else if (directive === 'TTL') usual = seconds(value) ?? usual;
    if (line.startsWith('$')) continue;
    const words = splitWords(line) ?? [];
    const isNamed = !/^\s/.test(line);
    if (isNamed) owner = plainName(toAbsoluteName(words[0] ?? '@', origin));
    const { ttl = usual, next } = readTtl(words, isNamed ? 1 : 0);
    const [type = '', ...rest] = words.slice(next);
    if (rest.length === 0) throw new Error(`line ${number} is not a record: ${line.trim()}`);
    const record = parseRecordWords(type.toUpperCase(), rest, origin);
    if (record.type === 'SOA' || (record.type === 'NS' && owner === zone)) continue;
    records.push({ name: owner, ttl, ...record, ...parseLineComment(comment) });
  }
  return records;
}

/** Reads the TTL and the class, in any order. `next` is the index of the type, which follows them. */
function readTtl(words: readonly string[], start: number): { readonly ttl?: number; readonly next: number } {
  let ttl: number | undefined;
  for (let next = start; ; next++) {
    const word = words[next] ?? '';
    const found = seconds(word);
    if (found === undefined && !/^(?:IN|CH|HS)$/i.test(word))
      return { ...(ttl !== undefined && { ttl }), next };
    ttl = found ?? ttl;
  }
}

/** Parses a duration such as `3600` or `1h30m` into seconds; undefined for any other string. */
function seconds(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:\d+[smhdw])+$/i.test(text)) return undefined;
  const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

function parseRecordWords(type: string, words: readonly string[], origin: string) {
  if (type === 'MX') {
    return { type, priority: Number(words[0]), content: toAbsoluteName(words[1] ?? '', origin) };
  }
  if (nameTypes.includes(type)) return { type, content: toAbsoluteName(words[0] ?? '', origin) };
  if (type === 'TXT') return { type, content: words.map((word) => quoteDns(wordBytes(word))).join(' ') };
  const at = findNameIndex(type);
  const written = words.map((word, index) => (index === at ? formatAbsoluteName(word, origin) : word));
  return { type, content: written.join(' ') };
}

function formatAbsoluteName(word: string, origin: string): string {
  const name = toAbsoluteName(word, origin);
  return name === '.' ? name : escapeName(name);
}

/** Converts a word to an absolute name: keeps the case, and drops the final dot. */
function toAbsoluteName(word: string, origin: string): string {
  if (word === '@') return origin;
  if (word === '.') return word;
  const name = unescapeDns(word).toString('utf8');
  return /^(?:\\.|[^\\])*\.$/s.test(word) ? name.slice(0, -1) : `${name}.${origin}`;
}

/** Parses a comment: its text, then the tags at its end. */
function parseLineComment(comment: string): Pick<FileRecord, 'comment' | 'tags' | 'proxied'> {
  const [, text = '', all] = /^(.*?)(?:(?:^|\s)cf_tags=(\S+))?$/s.exec(comment) ?? [];
  const tags = (all ?? '').split(',').filter((tag) => tag !== '');
  const [, proxied] = /^cf-proxied:(true|false)$/.exec(tags.find((tag) => isProxied(tag)) ?? '') ?? [];
  const own = tags.filter((tag) => !isProxied(tag)).map(plainText);
  return {
    ...(text.trim() !== '' && { comment: plainText(text.trim()) }),
    ...(own.length > 0 && { tags: own }),
    ...(proxied !== undefined && { proxied: proxied === 'true' }),
  };
}

function isProxied(tag: string): boolean {
  return tag.startsWith('cf-proxied:');
}

/** Decodes decimal byte escapes only, because users write other backslashes in comments. */
function plainText(written: string): string {
  return written.replace(/(?:\\(?:25[0-5]|2[0-4]\d|[01]\d\d))+/g, (bytes) =>
    unescapeDns(bytes).toString('utf8'),
  );
}

interface LogicalLine {
  readonly number: number;
  readonly line: string;
  readonly comment: string;
}

/** Splits a file into lines, without comments and empty lines. A group in parentheses counts as one line. */
function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open = 0;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const { code, comment, depth, isOpen } = splitComment(raw);
    if (isOpen) throw new Error(`line ${index + 1} has an unclosed quote: ${raw.trim()}`);
    const last = lines.at(-1);
    if (open > 0 && last !== undefined)
      lines[lines.length - 1] = { ...last, line: `${last.line} ${code.trim()}` };
    else if (code.trim() !== '') lines.push({ number: index + 1, line: code, comment });
    open += depth;
    if (open < 0) throw new Error(`line ${index + 1} has an unmatched closing parenthesis: ${raw.trim()}`);
  }
  if (open > 0) throw new Error(`line ${lines.at(-1)?.number} has an unclosed parenthesis`);
  return lines;
}

interface SplitLine {
  readonly code: string;
  readonly comment: string;
  /** The number of opening minus closing parentheses. */
  readonly depth: number;
  /** Whether a quote is not closed. */
  readonly isOpen: boolean;
}

/** Splits a line into its code, without parentheses, and its comment. */
function splitComment(raw: string): SplitLine {
  let code = '';
  let depth = 0;
  for (const { 0: token, index } of raw.matchAll(/"(?:[^"\\]|\\.)*"?|\\.|[^"\\;()]+|./gs)) {
    if (token === ';') return { code, comment: raw.slice(index + 1).trim(), depth, isOpen: false };
    if (token.startsWith('"') && !/^"(?:[^"\\]|\\.)*"$/s.test(token))
      return { code, comment: '', depth, isOpen: true };
    if (token === '(' || token === ')') depth += token === '(' ? 1 : -1;
    code += token === '(' || token === ')' ? ' ' : token;
  }
  return { code, comment: '', depth, isOpen: false };
}

/** Returns whether a record in a zone file belongs to the zone. */
export function isInZone({ name }: FileRecord, zone: string): boolean {
  return isWithin(name, zone);
}
