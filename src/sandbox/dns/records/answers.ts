import { type Answer, type CaaData, decode, encode } from 'dns-packet';
import type { CaaRecord, DnsRecord } from '../../../model/dns/dns.ts';
import { maxStringBytes } from '../../../model/dns/strings.ts';
import { type OtherRecord, parseRecord } from '../names.ts';
import { encodeRdata, typeNumbers } from './rdata.ts';

/** Converts a record for the encoder. */
export function toAnswer(record: DnsRecord): Answer {
  const { name, ttl } = record;
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { type: record.type, name, ttl, data: record.address };
    case 'CNAME':
    case 'NS':
      return { type: record.type, name, ttl, data: record.target };
    case 'TXT':
      return { type: 'TXT', name, ttl, data: textParts(record.text) };
    case 'CAA':
      return { type: 'CAA', name, ttl, data: toCaaData(record.caa) };
    case 'SOA':
      return { type: 'SOA', name, ttl, data: toSoaData(record.primary, name) };
  }
}

function toSoaData(primary: string, zone: string) {
  const rname = `hostmaster.${zone}`;
  return { mname: primary, rname, serial: 1, refresh: 3600, retry: 600, expire: 604_800, minimum: 60 };
}

/**
 * Converts a CAA record for the encoder. The TypeScript types of dns-packet list three tags, but any tag can be encoded
 * (RFC 8659, 4.1).
 */
function toCaaData({ flags, tag, value }: CaaRecord): CaaData {
  return { flags, tag: tag as CaaData['tag'], value };
}

/** Splits text into strings of up to 255 bytes (RFC 1035, 3.3.14). */
function textParts(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const parts = [];
  for (let at = 0; at < bytes.length; at += maxStringBytes)
    parts.push(bytes.subarray(at, at + maxStringBytes));
  return parts.length === 0 ? [Buffer.alloc(0)] : parts;
}

/** Converts a record of another type (services, keys, mail) for the encoder. Throws if the content does not match the type. */
export function toOtherAnswer(name: string, { type, content, ttl, priority }: OtherRecord): Answer {
  const data = encodeRdata(type, content, priority);
  if (data === undefined) throw new RangeError(`content "${content}" is not a valid ${type} record`);
  // The encoder writes the bytes of unknown types unchanged.
  return { type: `UNKNOWN_${typeNumbers[type]}` as 'NULL', name, ttl, data };
}

/** Maximum number of bytes in an answer over TCP. */
export const maxTcpBytes = 65_535;

/** Explains why no answer can contain a record; undefined if an answer can contain the record. */
export function encodingFault(name: string, record: OtherRecord): string | undefined {
  const { type, content, ttl } = record;
  try {
    const known = parseRecord(name, type, content, ttl);
    const answers = [known === undefined ? toOtherAnswer(name, record) : toAnswer(known)];
    const bytes = encode({ type: 'response', questions: [{ type: 'A', name }], answers });
    // A record that clients could not decode is also invalid, such as a DNSKEY with a protocol other than 3 (RFC 4034, 2.1.2).
    decode(bytes);
    const { length } = bytes;
    // The OPT record takes up 11 bytes.
    const maxBytes = maxTcpBytes - 11;
    return length <= maxBytes
      ? undefined
      : `the record is ${length} bytes long; an answer can contain up to ${maxBytes} bytes`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
