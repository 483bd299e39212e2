import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { type DnsOutcome, nameAndParents, plainName, type RecordType } from '../../model/dns/dns.ts';
import { maxTcpBytes, toAnswer, toOtherAnswer } from './records/answers.ts';
import { typeNumbers } from './records/rdata.ts';
import { bogusSignature, type Delegation, type DnsZones } from './zones.ts';

const types: readonly string[] = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA', 'NS', 'SOA'] satisfies RecordType[];
const codes = {
  fine: 0,
  formatError: 1,
  serverFailure: 2,
  nxdomain: 3,
  notImplemented: 4,
  refused: 5,
  /** The upper bits of the code are sent in the OPT record (RFC 6891, 6.1.3). */
  badVersion: 16,
} as const;
const headerBytes = 12;
/** Maximum size of an answer over UDP in bytes, without EDNS (RFC 1035, 4.2.1) and with EDNS. */
const udpBytes = { plain: 512, max: 1232 };
/** The zones from which a server answers queries. */
export type AnsweringZones = Pick<DnsZones, 'answer'> & Partial<Pick<DnsZones, 'others' | 'delegation'>>;

/**
 * Returns the answer to a message, as bytes; undefined if no answer is sent: the message is not a query, or the name is configured to time
 * out. Over UDP, an answer that is too long is truncated and marked as truncated. An answer that is too long for TCP, or that cannot be
 * encoded, is replaced with a server failure.
 */
export function answerMessage(
  zones: () => AnsweringZones,
  message: Buffer,
  over: 'udp' | 'tcp',
): Buffer | undefined {
  try {
    return answerBytes(zones(), message, over);
  } catch {
    return formatServerFailure(message);
  }
}

function answerBytes(zones: AnsweringZones, message: Buffer, over: 'udp' | 'tcp'): Buffer | undefined {
  const query = decodeMessage(message);
  if (query === undefined) return formatError(message);
  if (query.type !== 'query') return undefined;
  if (!canBeEchoed(query, message)) return formatError(message);
  const [question] = query.questions ?? [];
  const code = findRejectionCode(query);
  if (code !== undefined || question === undefined)
    return encode(rejectQuery(query, code ?? codes.notImplemented));
  const packet = answerQuery(zones, query, question.name, question.type);
  if (packet === undefined) return undefined;
  const bytes = encode(packet);
  if (bytes.length <= (over === 'tcp' ? maxTcpBytes : readMaxAnswerBytes(query))) return bytes;
  if (over === 'tcp') return encode(reply(query, codes.serverFailure));
  return encode({ ...packet, flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE, answers: [], authorities: [] });
}

function decodeMessage(message: Buffer): DecodedPacket | undefined {
  try {
    const packet = decode(message);
    return { ...packet, questions: (packet.questions ?? []).map(encodable) };
  } catch {
    return undefined;
  }
}

/** Types that the decoder knows by name and the encoder does not. */
const oneWay: Readonly<Record<string, number>> = { CERT: 37, APL: 42 };

function encodable(question: Question): Question {
  const number = oneWay[question.type];
  // dns-packet accepts the number of any type in this form, although its TypeScript types list only some names.
  return number === undefined ? question : { ...question, type: `UNKNOWN_${number}` as 'NULL' };
}

const notify = 4;
const zoneTransfers: readonly string[] = ['AXFR', 'IXFR'];

/**
 * Returns the response code for a message that this server rejects: unsupported versions, operations and classes, and zone transfers.
 * Returns undefined for any other message.
 */
function findRejectionCode({
  flags = 0,
  questions = [],
  additionals = [],
}: DecodedPacket): number | undefined {
  if (additionals.some((record) => record.type === 'OPT' && record.ednsVersion > 0)) return codes.badVersion;
  const operation = (flags >> 11) & 0x0f;
  if (operation === notify) return codes.refused;
  if (operation !== 0) return codes.notImplemented;
  const [question] = questions;
  if (question === undefined) return codes.notImplemented;
  if ((question.class ?? 'IN') !== 'IN' || zoneTransfers.includes(question.type)) return codes.refused;
  return undefined;
}

/** Builds a refusal, which is not authoritative and repeats the refused operation. */
function rejectQuery(query: DecodedPacket, code: number): Packet {
  const operation = (query.flags ?? 0) & (0x0f << 11);
  const answer = reply(query, code & 0x0f);
  const additionals = (answer.additionals ?? []).map((one) =>
    one.type === 'OPT' ? { ...one, extendedRcode: code >> 4 } : one,
  );
  return { ...answer, flags: ((answer.flags ?? 0) & ~AUTHORITATIVE_ANSWER) | operation, additionals };
}

/**
 * Returns whether encoding the questions again results in the same bytes. The result is false for a label that contains a dot or invalid
 * UTF-8.
 */
function canBeEchoed({ questions = [] }: DecodedPacket, message: Buffer): boolean {
  const written = encode({ type: 'query', questions }).subarray(headerBytes);
  return written.equals(message.subarray(headerBytes, headerBytes + written.length));
}

function formatError(message: Buffer): Buffer | undefined {
  if (message.length < headerBytes || (message.readUInt8(2) & 0x80) !== 0) return undefined;
  return encode({ type: 'response', id: message.readUInt16BE(0), flags: codes.formatError });
}

/** Returns a SERVFAIL answer, built only from the query; FORMERR if the query cannot be decoded. */
function formatServerFailure(message: Buffer): Buffer | undefined {
  const query = decodeMessage(message);
  return query === undefined ? formatError(message) : encode(reply(query, codes.serverFailure));
}

function readMaxAnswerBytes(query: DecodedPacket): number {
  const option = (query.additionals ?? []).find((record) => record.type === 'OPT');
  const offered = option?.type === 'OPT' ? option.udpPayloadSize : udpBytes.plain;
  return Math.min(Math.max(offered, udpBytes.plain), udpBytes.max);
}

function reply(query: DecodedPacket, code: number, more: Partial<Packet> = {}): Packet {
  const asked = (query.flags ?? 0) & RECURSION_DESIRED;
  const { id } = query;
  const hasOptions = (query.additionals ?? []).some((record) => record.type === 'OPT');
  return {
    type: 'response',
    ...(id !== undefined && { id }),
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | asked | code,
    ...(query.questions !== undefined && { questions: query.questions }),
    additionals: hasOptions ? [ownOption] : [],
    ...more,
  };
}

const ownOption: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: udpBytes.max,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

function answerQuery(
  zones: AnsweringZones,
  query: DecodedPacket,
  asked: string,
  type: string,
): Packet | undefined {
  const name = plainName(asked);
  const cut = zones.delegation?.(name);
  if (cut !== undefined && !(type === 'DS' && cut.name === name)) return referral(query, cut);
  const known = types.find((one): one is RecordType => one === type);
  const outcome = zones.answer(name, known ?? 'SOA');
  const { aliases } = outcome;
  const chain = aliases.map(
    (alias): Answer => ({ type: 'CNAME', name: alias.name, ttl: 300, data: alias.target }),
  );
  if (outcome.kind === 'failed') {
    if (outcome.why === 'timeout') return undefined;
    if (outcome.detail.includes(bogusSignature)) return formatBogusAnswer(query);
    return reply(query, toFailureCode(outcome), outcome.why === 'loop' ? { answers: chain } : {});
  }
  if (outcome.kind === 'records' && known !== undefined) {
    return reply(query, codes.fine, { answers: [...chain, ...outcome.records.map(toAnswer)] });
  }
  const last = aliases.at(-1)?.target ?? name;
  const others =
    known === undefined && outcome.kind !== 'nxdomain' ? findOtherAnswers(zones, last, type) : [];
  if (others.length > 0) return reply(query, codes.fine, { answers: [...chain, ...others] });
  const code = outcome.kind === 'nxdomain' ? codes.nxdomain : codes.fine;
  return reply(query, code, { answers: chain, authorities: findZoneStart(zones, last) });
}

/** Returns a referral to other servers (RFC 1034, 4.3.2), which is not authoritative. */
function referral(query: DecodedPacket, { name, servers, glue }: Delegation): Packet {
  const answer = reply(query, codes.fine, {
    authorities: servers.map((server): Answer => ({ type: 'NS', name, ttl: 3600, data: server })),
  });
  const additionals = [...glue.map(toAnswer), ...(answer.additionals ?? [])];
  return { ...answer, flags: (answer.flags ?? 0) & ~AUTHORITATIVE_ANSWER, additionals };
}

/** Returns records of other types (services, keys, mail), or the minimal answer to an ANY query (RFC 8482). */
function findOtherAnswers(zones: AnsweringZones, name: string, asked: string): Answer[] {
  if (asked === 'ANY') return [{ type: 'HINFO', name, ttl: 3789, data: { cpu: 'RFC8482', os: '' } }];
  const type = Object.keys(typeNumbers).find(
    (one) => one === asked || `UNKNOWN_${typeNumbers[one]}` === asked,
  );
  if (type === undefined) return [];
  return (zones.others?.(name, type) ?? []).map((record) => toOtherAnswer(name, record));
}

const extendedError: number = 15;

/** Returns the answer for a DNSSEC validation failure, with extended error 6 for clients that support EDNS (RFC 8914). */
function formatBogusAnswer(query: DecodedPacket): Packet {
  const answer = reply(query, codes.serverFailure);
  // dns-packet accepts any number, although its TypeScript types list four.
  const option = { code: extendedError as 12, data: Buffer.from([0, 6]) };
  const additionals = (answer.additionals ?? []).map((one) =>
    one.type === 'OPT' ? { ...one, options: [option] } : one,
  );
  return { ...answer, additionals };
}

function toFailureCode({ why }: Extract<DnsOutcome, { kind: 'failed' }>): number {
  if (why === 'refused') return codes.refused;
  return why === 'loop' ? codes.fine : codes.serverFailure;
}

/** Returns the SOA record for a negative answer (RFC 2308), if the zone is known. */
function findZoneStart(zones: AnsweringZones, name: string): Answer[] {
  for (const above of nameAndParents(name)) {
    const outcome = zones.answer(above, 'SOA');
    if (outcome.kind === 'records' && outcome.aliases.length === 0) return outcome.records.map(toAnswer);
  }
  return [];
}
