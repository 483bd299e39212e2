import { nameFault, plainName } from '../../../model/dns/dns.ts';
import {
  escapeByNumber,
  escapeName,
  maxStringBytes,
  quoteDns,
  splitWords,
  wordBytes,
} from '../../../model/dns/strings.ts';
import type { RecordData } from './data.ts';
import { formatLocation, locationFault, parseLocation } from './location.ts';

/** The format of a part in a zone file. In DNS, a `string` is preceded by its length, and a `quoted` string is the rest of the record. */
type Part = 'u8' | 'u16' | 'name' | 'tag' | 'string' | 'quoted' | 'hex' | 'base64' | 'rest';

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

/** The parts of each record type, in the order that its RFC defines. Content, zone files and DNS messages use this order. */
export const layouts: Readonly<Record<string, Layout>> = {
  CAA: [
    ['flags', 'u8'],
    ['tag', 'tag'],
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
    ['flags', 'string'],
    ['service', 'string'],
    ['regex', 'string'],
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

/** Returns whether records of a type have parts. */
export function hasParts(type: string): boolean {
  return type === 'LOC' || Object.hasOwn(layouts, type);
}

/** Formats a record's content from its parts; undefined if a part is missing or invalid. */
export function formatData(type: string, data: RecordData): string | undefined {
  if (type === 'LOC') return formatLocation(data);
  const words = layouts[type]?.map(([field, part]) => formatPart(part, data[field]));
  if (words === undefined || words.some((word) => word === undefined)) return undefined;
  return words.filter((word) => word !== '').join(' ');
}

/** Describes the first missing or invalid part: `weight is not a whole number from 0 to 65535`. */
export function partFault(type: string, data: RecordData): string | undefined {
  if (type === 'LOC') return locationFault(data);
  const wrong = layouts[type]?.find(([field, part]) => formatPart(part, data[field]) === undefined);
  return wrong && `${wrong[0]} is not ${kinds[wrong[1]]}`;
}

const limits = { u8: 255, u16: 65_535 } as const;

const kinds: Readonly<Record<Part, string>> = {
  u8: `a whole number from 0 to ${limits.u8}`,
  u16: `a whole number from 0 to ${limits.u16}`,
  name: 'a name',
  tag: `a word of up to ${maxStringBytes} letters and digits`,
  string: `a string of up to ${maxStringBytes} bytes`,
  quoted: 'a string',
  hex: 'hexadecimal bytes',
  base64: 'base64',
  rest: 'a list of parameters',
};

function formatPart(part: Part, value: unknown): string | undefined {
  if (part === 'u8' || part === 'u16') {
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    const fits = Number.isInteger(number) && Number(number) >= 0 && Number(number) <= limits[part];
    return fits ? String(number) : undefined;
  }
  if (part === 'rest' && value === undefined) return '';
  if (typeof value !== 'string') return undefined;
  return partFormatters[part](value);
}

const partFormatters: Readonly<Record<Exclude<Part, 'u8' | 'u16'>, (value: string) => string | undefined>> = {
  name: (value) => {
    const name = value === '.' ? '.' : plainName(value);
    return name === '.' || nameFault(name) === undefined ? escapeName(name) : undefined;
  },
  tag: (value) => (/^[a-z0-9]{1,255}$/i.test(value) ? value : undefined),
  string: (value) => (Buffer.byteLength(value) <= maxStringBytes ? quoteDns(value) : undefined),
  quoted: quoteDns,
  hex: (value) => {
    const hex = value.replace(/\s/g, '');
    return /^(?:[0-9a-f]{2})+$/i.test(hex) ? hex : undefined;
  },
  base64: (value) => {
    const base64 = value.replace(/\s/g, '');
    return /^[A-Za-z0-9+/]+=*$/.test(base64) ? base64 : undefined;
  },
  rest: (value) => splitWords(value)?.map(parameter).join(' '),
};

/**
 * Formats a parameter. Quotes in the value are kept; characters that would start a comment, a group or a line in a zone file are escaped.
 */
function parameter(word: string): string {
  // A backslash before a control character is removed, because the character is escaped by its number.
  const inOneLine = word.replace(/\\[^\0-\x1f\x7f]|\\?[\0-\x1f\x7f]/g, (found) =>
    escapeByNumber(found.replace(/^\\(?=[\0-\x1f\x7f])/, ''), /[\0-\x1f\x7f]/),
  );
  return inOneLine.replace(/"(?:[^"\\]|\\.)*"|\\.|[;()]/gs, (found) =>
    found.length === 1 ? `\\${found}` : found,
  );
}

/** Parses the content of a record into its parts, named as in the API; undefined if the content does not match the type. */
export function parseData(type: string, content: string): RecordData | undefined {
  if (type === 'LOC') return parseLocation(content);
  const layout = layouts[type] ?? [];
  const words = splitWords(content);
  if (words === undefined) return undefined;
  const [, lastPart = 'name'] = layout.at(-1) ?? [];
  const isLong = longParts.includes(lastPart);
  if (words.length > layout.length && !isLong) return undefined;
  const data = Object.fromEntries(
    layout.map(([field, part], index) => {
      const own = isLong && index === layout.length - 1 ? words.slice(index) : words.slice(index, index + 1);
      return [field, own.length === 0 ? undefined : parsePart(part, own)];
    }),
  );
  return formatData(type, data) === undefined ? undefined : normalizeData(type, data);
}

/** Parts that can consist of several words if they are the last part. */
const longParts: readonly Part[] = ['hex', 'base64', 'rest'];

function parsePart(part: Part, words: readonly string[]): unknown {
  // Parameters keep their quotes, because the quotes are part of the value.
  if (part === 'rest') return words.join(' ');
  const text = words.map((word) => wordBytes(word).toString('utf8')).join('');
  return (part === 'u8' || part === 'u16') && !/^\d+$/.test(text) ? undefined : text;
}

/** Returns the parts of a record, with DNS names normalized, and with strings that represent numbers converted to numbers. */
export function normalizeData(type: string, data: RecordData): RecordData {
  if (type === 'LOC') return parseLocation(formatLocation(data) ?? '') ?? data;
  const layout = layouts[type] ?? [];
  return Object.fromEntries(
    layout.map(([field, part]) => {
      const value = data[field];
      if (part === 'u8' || part === 'u16') return [field, Number(value)];
      if (part === 'name') return [field, value === '.' ? value : plainName(String(value))];
      const text = String(value ?? '');
      return [field, part === 'string' || part === 'quoted' ? text : partFormatters[part](text)];
    }),
  );
}
