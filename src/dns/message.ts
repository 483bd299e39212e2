import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED, type TxtData } from 'dns-packet';
import {
  type Alias,
  type DnsFailure,
  type DnsOutcome,
  type DnsRecord,
  plainName,
  type RecordType,
} from '../model/dns/dns.ts';

export interface DnsQuestion {
  /** The normalized name: lower case, without a trailing dot. */
  readonly name: string;
  readonly type: RecordType;
}

/** A decoded DNS message: the outcome of the query, or `truncated`. */
export type DnsReply = DnsOutcome | { readonly kind: 'truncated' };

/** UDP payload size in bytes that rarely leads to fragmentation (DNS flag day 2020). */
const udpPayloadSize = 1232;

/** Encodes a query. With `edns`, the server may send larger responses, and reasons for failures. */
export function encodeQuestion(question: DnsQuestion, id: number, edns: boolean): Buffer {
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: edns ? [plainOption] : [],
  });
}

const plainOption: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/**
 * Decodes a message. Returns undefined if the message is not a response to this query: it has another id, name or type, is a query, or is
 * unreadable. Anyone can send such a message, so it is not evidence.
 */
export function decodeReply(
  message: Uint8Array,
  question: DnsQuestion,
  id: number,
  from: string,
): DnsReply | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id || bytes.readUInt8(2) < 0x80) return undefined;
  const truncated = (bytes.readUInt8(2) & 0x02) !== 0;
  const packet = decodeWhole(bytes);
  if (packet === undefined) return truncated ? { kind: 'truncated' } : undefined;
  const [asked, ...others] = packet.questions ?? [];
  if (asked === undefined || others.length > 0) return undefined;
  if (plainName(asked.name) !== question.name || asked.type !== question.type) return undefined;
  if (truncated) return { kind: 'truncated' };
  return toOutcome(packet, question, bytes.readUInt8(3) & 0x0f, from);
}

/** Decodes a message; undefined if it is shorter than its records require. */
function decodeWhole(bytes: Buffer): DecodedPacket | undefined {
  try {
    const packet = decode(bytes);
    return decode.bytes <= bytes.length ? packet : undefined;
  } catch {
    return undefined;
  }
}

function toOutcome(packet: DecodedPacket, question: DnsQuestion, lowCode: number, from: string): DnsOutcome {
  const answers = packet.answers ?? [];
  const code = lowCode | (extendedCode(packet) << 4);
  if (code !== 0 && code !== 3) return failureOutcome(code, packet, from);
  const chain = findAliases(answers, question);
  const { aliases } = chain;
  if (chain.loops) return { kind: 'failed', why: 'loop', detail: `a CNAME loop from ${from}`, aliases };
  if (code === 3) return { kind: 'nxdomain', aliases };
  const records = recordsIn(answers, question.type, chain.end);
  if (records === undefined) return failedOutcome('malformed', `unreadable records from ${from}`, aliases);
  if (records.length > 0) return { kind: 'records', records, aliases };
  if (aliases.length > 0 || !isReferral(packet)) return { kind: 'nodata', aliases };
  return failedOutcome('referral', `${from} only refers the query to other servers`, aliases);
}

/**
 * Returns whether a response without answers is a referral to other servers: it is not authoritative, and has name servers but no SOA
 * record. A referral does not mean that the record does not exist.
 */
function isReferral(packet: DecodedPacket): boolean {
  const authorities = packet.authorities ?? [];
  const has = (type: string) => authorities.some((record) => record.type === type);
  return !packet.flag_aa && has('NS') && !has('SOA');
}

function extendedCode(packet: DecodedPacket): number {
  const option = (packet.additionals ?? []).find((record) => record.type === 'OPT');
  return option?.type === 'OPT' ? option.extendedRcode : 0;
}

const codeNames: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  9: 'NOTAUTH',
  16: 'BADVERS',
};

function failureOutcome(code: number, packet: DecodedPacket, from: string): DnsOutcome {
  const why = code === 2 ? 'servfail' : code === 5 ? 'refused' : 'rcode';
  const reasons = extendedErrors(packet);
  const suffix = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  return failedOutcome(why, `${codeNames[code] ?? `RCODE ${code}`} from ${from}${suffix}`, []);
}

/** Returns the outcome of a failed query. */
export function failedOutcome(why: DnsFailure, detail: string, aliases: readonly Alias[] = []): DnsOutcome {
  return { kind: 'failed', why, detail, aliases };
}

/** The code of the EDNS option "Extended DNS Error" (RFC 8914). */
const extendedErrorOption = 15;

const meanings: Readonly<Record<number, string>> = {
  1: 'unsupported DNSKEY algorithm',
  2: 'unsupported DS digest type',
  3: 'stale answer',
  5: 'DNSSEC indeterminate',
  6: 'DNSSEC bogus',
  7: 'DNSSEC signature expired',
  8: 'DNSSEC signature not yet valid',
  9: 'DNSKEY missing',
  10: 'RRSIGs missing',
  12: 'NSEC missing',
  15: 'blocked',
  16: 'censored',
  17: 'filtered',
  18: 'prohibited',
  20: 'not authoritative',
  22: 'no reachable authority',
  23: 'network error',
};

/** Returns the reasons that the server reports for its failure, in words (RFC 8914); empty if it reports none. */
function extendedErrors(packet: DecodedPacket): readonly string[] {
  return (packet.additionals ?? []).flatMap((record) => {
    if (record.type !== 'OPT') return [];
    return record.options.flatMap((option) => {
      const { data } = option;
      const is = Number(option.code) === extendedErrorOption && data !== undefined && data.length >= 2;
      return is ? [joinDetails(data.readUInt16BE(0), data.subarray(2, 202).toString('utf8'))] : [];
    });
  });
}

function joinDetails(code: number, text: string): string {
  const meaning = meanings[code] ?? `extended error ${code}`;
  return text === '' ? meaning : `${meaning}: ${text}`;
}

/** The CNAMEs in an answer section, in order, starting at the queried name, and their final target. */
interface AliasesInAnswer {
  readonly aliases: readonly Alias[];
  readonly end: string;
  readonly loops: boolean;
}

/** Follows the CNAMEs within one answer section, except for a CNAME query. */
function findAliases(
  answers: readonly Answer[],
  question: { readonly name: string; readonly type: RecordType },
): AliasesInAnswer {
  const aliases: Alias[] = [];
  let end = question.name;
  if (question.type === 'CNAME') return { aliases, end, loops: false };
  const visited = new Set([end]);
  const targets = aliasTargets(answers);
  for (let target = targets.get(end); target !== undefined; target = targets.get(end)) {
    aliases.push({ name: end, target });
    end = target;
    if (visited.has(end)) return { aliases, end, loops: true };
    visited.add(end);
  }
  return { aliases, end, loops: false };
}

/** Returns the targets of aliases, by name: the first target if a name has several. */
function aliasTargets(answers: readonly Answer[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const answer of answers) {
    if (answer.type !== 'CNAME') continue;
    const name = plainName(answer.name);
    if (!targets.has(name)) targets.set(name, plainName(answer.data));
  }
  return targets;
}

/** Returns the records of one type at one name. Returns undefined if a record is invalid, because then no record can be trusted. */
function recordsIn(
  answers: readonly Answer[],
  type: RecordType,
  name: string,
): readonly DnsRecord[] | undefined {
  const ours = answers.filter((answer) => answer.type === type && plainName(answer.name) === name);
  const records = ours.map((answer) => toRecord(answer, name));
  return records.some((record) => record === undefined)
    ? undefined
    : records.filter((record) => record !== undefined);
}

function toRecord(answer: Answer, name: string): DnsRecord | undefined {
  const ttl = 'ttl' in answer ? (answer.ttl ?? 0) : 0;
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { type: answer.type, name, ttl, address: answer.data };
    case 'CNAME':
    case 'NS':
      return { type: answer.type, name, ttl, target: plainName(answer.data) };
    case 'TXT':
      return { type: 'TXT', name, ttl, text: joinStrings(answer.data) };
    case 'SOA':
      return { type: 'SOA', name, ttl, primary: plainName(answer.data.mname) };
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data;
      return (tag as string) === '' ? undefined : { type: 'CAA', name, ttl, caa: { flags, tag, value } };
    }
    default:
      return undefined;
  }
}

/** Joins the strings of one TXT record into one value (RFC 7208, 3.3, and common practice). */
function joinStrings(data: TxtData): string {
  const parts = Array.isArray(data) ? data : [data];
  return Buffer.concat(parts.map((part) => Buffer.from(part))).toString('utf8');
}
