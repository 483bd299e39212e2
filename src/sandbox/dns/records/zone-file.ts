import { isWithin, plainName } from '../../../model/dns/dns.ts';
import type { StoredRecord } from '../../../store/zones/dns-records.ts';
import { layouts, quoted } from './presentation.ts';

/** Types whose whole content is a name, which ends in a dot in a zone file. */
const nameTypes = ['CNAME', 'NS', 'PTR', 'MX'];

/** All records of a zone as a zone file (RFC 1035, 5), as the platform writes it: what is not DNS stands in comments. */
export function zoneFile(zone: string, records: readonly StoredRecord[], now: number): string {
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
      ...records.filter((record) => record.type === type).map(lineOf),
    ]),
    '',
  ].join('\n');
}

function lineOf(record: StoredRecord): string {
  const { name, type, ttl, proxied, more } = record;
  const comment = typeof more['comment'] === 'string' ? ` ${more['comment'].replace(/\s+/g, ' ')}` : '';
  const tags = [proxied ? 'cf-proxied:true' : 'cf-proxied:false'].filter(() => isAddress(type));
  const behind =
    comment !== '' || tags.length > 0 ? ` ;${comment}${tags.map((tag) => ` cf_tags=${tag}`).join('')}` : '';
  return `${name}.\t${ttl}\tIN\t${type}\t${contentInFile(record)}${behind}`;
}

function isAddress(type: string): boolean {
  return ['A', 'AAAA', 'CNAME'].includes(type);
}

/** The content as a zone file has it: names end in a dot, texts stand in quotes, an MX record has its priority. */
function contentInFile({ type, content, more }: StoredRecord): string {
  if (type === 'MX') return `${Number(more['priority'] ?? 0)} ${content}.`;
  if (nameTypes.includes(type)) return `${content}.`;
  if (type === 'TXT') return content.startsWith('"') ? content : quoted(content);
  const layout = layouts[type];
  const at = layout?.findIndex(([, part]) => part === 'name') ?? -1;
  if (at === -1) return content;
  return content
    .split(' ')
    .map((word, index) => (index === at && word !== '.' ? `${word}.` : word))
    .join(' ');
}

/** A record as it stands in a zone file. */
export interface FileRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly content: string;
  readonly priority?: number;
  readonly comment?: string;
  readonly proxied?: boolean;
}

/**
 * The records of a zone file, names plain and whole. SOA records and the name servers of the zone itself are left out: those are the
 * platform's. Throws an Error that names the line that cannot be read.
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
    const words = line.match(/"(?:[^"\\]|\\.)*"|(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
    if (!/^\s/.test(line)) owner = whole(words.shift() ?? '@', origin);
    const ttl = takeTtl(words) ?? usual;
    const [type = '', ...rest] = words;
    if (rest.length === 0) throw new Error(`line ${number} is no record: ${line.trim()}`);
    const record = recordOf(type.toUpperCase(), rest, origin);
    if (record.type === 'SOA' || (record.type === 'NS' && owner === zone)) continue;
    records.push({ name: owner, ttl, ...record, ...besides(comment) });
  }
  return records;
}

/** Time to live and class stand in any order before the type. */
function takeTtl(words: string[]): number | undefined {
  let ttl: number | undefined;
  for (;;) {
    const [first = ''] = words;
    const found = seconds(first);
    if (found === undefined && !/^(?:IN|CH|HS)$/i.test(first)) return ttl;
    ttl = found ?? ttl;
    words.shift();
  }
}

/** `3600`, `1h30m`. */
function seconds(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:\d+[smhdw])+$/i.test(text)) return undefined;
  const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

function recordOf(type: string, words: readonly string[], origin: string) {
  if (type === 'MX') {
    return { type, priority: Number(words[0]), content: whole(words[1] ?? '', origin) };
  }
  if (nameTypes.includes(type)) return { type, content: whole(words[0] ?? '', origin) };
  const at = layouts[type]?.findIndex(([, part]) => part === 'name') ?? -1;
  return { type, content: words.map((word, index) => (index === at ? whole(word, origin) : word)).join(' ') };
}

function whole(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name === '.') return name;
  return name.endsWith('.') ? plainName(name) : `${name.toLowerCase()}.${origin}`;
}

function besides(comment: string): Pick<FileRecord, 'comment' | 'proxied'> {
  const [, proxied] = /cf_tags=\S*cf-proxied:(true|false)/.exec(comment) ?? [];
  const text = comment.replace(/cf_tags=\S+/, '').trim();
  return {
    ...(text !== '' && { comment: text }),
    ...(proxied !== undefined && { proxied: proxied === 'true' }),
  };
}

interface LogicalLine {
  readonly number: number;
  readonly line: string;
  readonly comment: string;
}

/** Lines without comments and empty ones; what stands in parentheses is one line. */
function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open = 0;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const { code, comment, depth } = cut(raw);
    const last = lines.at(-1);
    if (open > 0 && last !== undefined)
      lines[lines.length - 1] = { ...last, line: `${last.line} ${code.trim()}` };
    else if (code.trim() !== '') lines.push({ number: index + 1, line: code, comment });
    open += depth;
  }
  return lines;
}

/** A line up to its comment, without parentheses, and how many more of them it opens than closes. */
function cut(raw: string): { readonly code: string; readonly comment: string; readonly depth: number } {
  let code = '';
  let depth = 0;
  for (const [token] of raw.matchAll(/"(?:[^"\\]|\\.)*"?|\\.|[^"\\;()]+|./gs)) {
    if (token === ';') break;
    if (token === '(' || token === ')') {
      depth += token === '(' ? 1 : -1;
      code += ' ';
    } else code += token;
  }
  const at = code.length + (raw.slice(code.length).startsWith(';') ? 1 : 0);
  return { code, comment: raw.slice(at).trim(), depth };
}

/** Whether a name of a zone file lies in the zone. */
export function isOfZone({ name }: FileRecord, zone: string): boolean {
  return isWithin(name, zone);
}
