import { nameFault, plainName } from '../../../model/dns/dns.ts';
import type { RecordData } from './data.ts';
import { formatLocation, parseLocation } from './location.ts';

/** How a part is written in a zone file. */
type Part = 'u8' | 'u16' | 'name' | 'quoted' | 'hex' | 'base64' | 'rest';

const certificate: Layout = [
  ['usage', 'u8'],
  ['selector', 'u8'],
  ['matching_type', 'u8'],
  ['certificate', 'hex'],
];
const service: Layout = [
  ['priority', 'u16'],
  ['target', 'name'],
  ['value', 'rest'],
];

type Layout = readonly (readonly [field: string, part: Part])[];

/** The parts of each type in the order of their RFCs: the one place for content, zone files and DNS. */
export const layouts: Readonly<Record<string, Layout>> = {
  CAA: [
    ['flags', 'u8'],
    ['tag', 'rest'],
    ['value', 'quoted'],
  ],
  CERT: [
    ['type', 'u16'],
    ['key_tag', 'u16'],
    ['algorithm', 'u8'],
    ['certificate', 'base64'],
  ],
  DNSKEY: [
    ['flags', 'u16'],
    ['protocol', 'u8'],
    ['algorithm', 'u8'],
    ['public_key', 'base64'],
  ],
  DS: [
    ['key_tag', 'u16'],
    ['algorithm', 'u8'],
    ['digest_type', 'u8'],
    ['digest', 'hex'],
  ],
  HTTPS: service,
  NAPTR: [
    ['order', 'u16'],
    ['preference', 'u16'],
    ['flags', 'quoted'],
    ['service', 'quoted'],
    ['regex', 'quoted'],
    ['replacement', 'name'],
  ],
  SMIMEA: certificate,
  SRV: [
    ['priority', 'u16'],
    ['weight', 'u16'],
    ['port', 'u16'],
    ['target', 'name'],
  ],
  SSHFP: [
    ['algorithm', 'u8'],
    ['type', 'u8'],
    ['fingerprint', 'hex'],
  ],
  SVCB: service,
  TLSA: certificate,
  URI: [
    ['priority', 'u16'],
    ['weight', 'u16'],
    ['target', 'quoted'],
  ],
};

/** Types whose records have parts. */
export function hasParts(type: string): boolean {
  return type === 'LOC' || Object.hasOwn(layouts, type);
}

/** A record's content from its parts; undefined where one is missing or makes no sense. */
export function formatData(type: string, data: RecordData): string | undefined {
  if (type === 'LOC') return formatLocation(data);
  const texts = layouts[type]?.map(([field, part]) => written(part, data[field]));
  if (texts === undefined || texts.some((text) => text === undefined)) return undefined;
  return texts.filter((text) => text !== '').join(' ');
}

function written(part: Part, value: unknown): string | undefined {
  if (part === 'u8' || part === 'u16') {
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    const fits = Number.isInteger(number) && Number(number) >= 0 && Number(number) <= limits[part];
    return fits ? String(number) : undefined;
  }
  if (part === 'rest' && value === undefined) return '';
  if (typeof value !== 'string') return undefined;
  return texts[part](value);
}

const limits = { u8: 255, u16: 65_535 } as const;

const texts: Readonly<Record<Exclude<Part, 'u8' | 'u16'>, (value: string) => string | undefined>> = {
  name: (value) => {
    const name = value === '.' ? '.' : plainName(value);
    return name === '.' || nameFault(name) === undefined ? name : undefined;
  },
  quoted: (value) => quoted(value),
  hex: (value) => {
    const hex = value.replace(/\s/g, '');
    return /^(?:[0-9a-f]{2})+$/i.test(hex) ? hex : undefined;
  },
  base64: (value) => {
    const base64 = value.replace(/\s/g, '');
    return /^[A-Za-z0-9+/]+=*$/.test(base64) ? base64 : undefined;
  },
  rest: (value) => value.trim(),
};

/** A text in quotes, as in a zone file (RFC 1035, 5.1). */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The words of a content; one in quotes stands without them. */
export function wordsOf(content: string): string[] {
  const words = content.match(/"(?:[^"\\]|\\.)*"|(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gs) ?? [];
  return words.map((word) =>
    word.startsWith('"') && word.endsWith('"') ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word,
  );
}

/** The parts of a content, as the API gives them; undefined where it is none of this type. */
export function parseData(type: string, content: string): RecordData | undefined {
  if (type === 'LOC') return parseLocation(content);
  const layout = layouts[type] ?? [];
  const words = wordsOf(content);
  const data: Record<string, unknown> = {};
  for (const [index, [field, part]] of layout.entries()) {
    const isLast = index === layout.length - 1;
    if (part === 'rest' && isLast) {
      // Parameters keep their quotes.
      data[field] = content.trim().split(/\s+/).slice(index).join(' ');
      continue;
    }
    const joined =
      isLast && (part === 'hex' || part === 'base64') ? words.slice(index).join('') : words[index];
    if (joined === undefined) return undefined;
    data[field] = part === 'u8' || part === 'u16' ? Number(joined) : joined;
  }
  const surplus =
    words.length > layout.length && !['hex', 'base64', 'rest'].includes(layout.at(-1)?.[1] ?? '');
  return surplus || formatData(type, data) === undefined ? undefined : normal(type, data);
}

/** The parts with names plain and numbers as numbers. */
export function normal(type: string, data: RecordData): RecordData {
  const layout = layouts[type];
  if (layout === undefined) return data;
  return Object.fromEntries(
    layout.map(([field, part]) => {
      const value = data[field];
      if (part === 'u8' || part === 'u16') return [field, Number(value)];
      return [field, part === 'name' && value !== '.' ? plainName(String(value)) : String(value ?? '')];
    }),
  );
}
