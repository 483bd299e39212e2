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
import { type DnsOutcome, namesUpwards, plainName, type RecordType } from '../../model/dns/dns.ts';
import { answerOf, otherAnswer, tcpBytes } from './records/answers.ts';
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
  /** Its upper bits are in the options (RFC 6891, 6.1.3). */
  badVersion: 16,
} as const;
const headerBytes = 12;
/** Bytes of an answer over UDP: without EDNS (RFC 1035, 4.2.1), and at most. */
const udpBytes = { plain: 512, most: 1232 };
/** The zones that a server answers from. */
export type AnsweringZones = Pick<DnsZones, 'answer'> & Partial<Pick<DnsZones, 'others' | 'delegation'>>;

/**
 * The answer to a message, as bytes. Undefined: nothing is sent, because the message is not a query, or its name is set to be
 * silent. Over UDP an answer that is too long is truncated and marked so; one too long for TCP is a failure, as is one that
 * cannot be found or encoded.
 */
export function answerMessage(
  zones: () => AnsweringZones,
  message: Buffer,
  over: 'udp' | 'tcp',
): Buffer | undefined {
  try {
    return answerBytes(zones(), message, over);
  } catch {
    return failed(message);
  }
}

function answerBytes(zones: AnsweringZones, message: Buffer, over: 'udp' | 'tcp'): Buffer | undefined {
  const query = decoded(message);
  if (query === undefined) return formatError(message);
  if (query.type !== 'query') return undefined;
  if (!canBeEchoed(query, message)) return formatError(message);
  const [question] = query.questions ?? [];
  const code = refusalOf(query);
  if (code !== undefined || question === undefined)
    return encode(refusing(query, code ?? codes.notImplemented));
  const packet = answerTo(zones, query, question.name, question.type);
  if (packet === undefined) return undefined;
  const bytes = encode(packet);
  if (bytes.length <= (over === 'tcp' ? tcpBytes : roomOf(query))) return bytes;
  if (over === 'tcp') return encode(reply(query, codes.serverFailure));
  return encode({ ...packet, flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE, answers: [], authorities: [] });
}

function decoded(message: Buffer): DecodedPacket | undefined {
  try {
    const packet = decode(message);
    return { ...packet, questions: (packet.questions ?? []).map(encodable) };
  } catch {
    return undefined;
  }
}

/** Types that the decoder names and the encoder does not know. */
const oneWay: Readonly<Record<string, number>> = { CERT: 37, APL: 42 };

function encodable(question: Question): Question {
  const number = oneWay[question.type];
  // The encoder takes the number of any type so; its types know the names of some.
  return number === undefined ? question : { ...question, type: `UNKNOWN_${number}` as 'NULL' };
}

const notify = 4;
const zoneTransfers: readonly string[] = ['AXFR', 'IXFR'];

/** The code of a message that is no question of this server's: versions, operations, classes, transfers. */
function refusalOf({ flags = 0, questions = [], additionals = [] }: DecodedPacket): number | undefined {
  if (additionals.some((record) => record.type === 'OPT' && record.ednsVersion > 0)) return codes.badVersion;
  const operation = (flags >> 11) & 0x0f;
  if (operation === notify) return codes.refused;
  if (operation !== 0) return codes.notImplemented;
  const [question] = questions;
  if (question === undefined) return codes.notImplemented;
  if ((question.class ?? 'IN') !== 'IN' || zoneTransfers.includes(question.type)) return codes.refused;
  return undefined;
}

/** A refusal claims no authority, and names the operation that it refuses. */
function refusing(query: DecodedPacket, code: number): Packet {
  const operation = (query.flags ?? 0) & (0x0f << 11);
  const answer = reply(query, code & 0x0f);
  const additionals = (answer.additionals ?? []).map((one) =>
    one.type === 'OPT' ? { ...one, extendedRcode: code >> 4 } : one,
  );
  return { ...answer, flags: ((answer.flags ?? 0) & ~AUTHORITATIVE_ANSWER) | operation, additionals };
}

/** Whether its questions, written again, are the bytes they came as: not of a label with a dot in it, or of no UTF-8. */
function canBeEchoed({ questions = [] }: DecodedPacket, message: Buffer): boolean {
  const written = encode({ type: 'query', questions }).subarray(headerBytes);
  return written.equals(message.subarray(headerBytes, headerBytes + written.length));
}

function formatError(message: Buffer): Buffer | undefined {
  if (message.length < headerBytes || (message.readUInt8(2) & 0x80) !== 0) return undefined;
  return encode({ type: 'response', id: message.readUInt16BE(0), flags: codes.formatError });
}

/** A failure that needs nothing of the question but its own bytes. */
function failed(message: Buffer): Buffer | undefined {
  const query = decoded(message);
  return query === undefined ? formatError(message) : encode(reply(query, codes.serverFailure));
}

function roomOf(query: DecodedPacket): number {
  const option = (query.additionals ?? []).find((record) => record.type === 'OPT');
  const offered = option?.type === 'OPT' ? option.udpPayloadSize : udpBytes.plain;
  return Math.min(Math.max(offered, udpBytes.plain), udpBytes.most);
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
  udpPayloadSize: udpBytes.most,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

function answerTo(
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
    if (outcome.detail.includes(bogusSignature)) return bogus(query);
    return reply(query, failureCode(outcome), outcome.why === 'loop' ? { answers: chain } : {});
  }
  if (outcome.kind === 'records' && known !== undefined) {
    return reply(query, codes.fine, { answers: [...chain, ...outcome.records.map(answerOf)] });
  }
  const last = aliases.at(-1)?.target ?? name;
  const others = known === undefined && outcome.kind !== 'nxdomain' ? othersAt(zones, last, type) : [];
  if (others.length > 0) return reply(query, codes.fine, { answers: [...chain, ...others] });
  const code = outcome.kind === 'nxdomain' ? codes.nxdomain : codes.fine;
  return reply(query, code, { answers: chain, authorities: startOfZone(zones, last) });
}

/** Where another server answers (RFC 1034, 4.3.2): no answer of this one's, and so without its authority. */
function referral(query: DecodedPacket, { name, servers, glue }: Delegation): Packet {
  const answer = reply(query, codes.fine, {
    authorities: servers.map((server): Answer => ({ type: 'NS', name, ttl: 3600, data: server })),
  });
  const additionals = [...glue.map(answerOf), ...(answer.additionals ?? [])];
  return { ...answer, flags: (answer.flags ?? 0) & ~AUTHORITATIVE_ANSWER, additionals };
}

/** Records of services, keys, mail; to a question about all of a name a word instead (RFC 8482). */
function othersAt(zones: AnsweringZones, name: string, asked: string): Answer[] {
  if (asked === 'ANY') return [{ type: 'HINFO', name, ttl: 3789, data: { cpu: 'RFC8482', os: '' } }];
  const type = Object.keys(typeNumbers).find(
    (one) => one === asked || `UNKNOWN_${typeNumbers[one]}` === asked,
  );
  if (type === undefined) return [];
  return (zones.others?.(name, type) ?? []).map((record) => otherAnswer(name, record));
}

const extendedError: number = 15;

/** A failure of validation is reported to clients that read options (RFC 8914, extended error 6). */
function bogus(query: DecodedPacket): Packet {
  const answer = reply(query, codes.serverFailure);
  // The encoder takes any number; its types know four.
  const option = { code: extendedError as 12, data: Buffer.from([0, 6]) };
  const additionals = (answer.additionals ?? []).map((one) =>
    one.type === 'OPT' ? { ...one, options: [option] } : one,
  );
  return { ...answer, additionals };
}

function failureCode({ why }: Extract<DnsOutcome, { kind: 'failed' }>): number {
  if (why === 'refused') return codes.refused;
  return why === 'loop' ? codes.fine : codes.serverFailure;
}

/** The SOA record of a negative answer (RFC 2308), if a zone is known. */
function startOfZone(zones: AnsweringZones, name: string): Answer[] {
  for (const above of namesUpwards(name)) {
    const outcome = zones.answer(above, 'SOA');
    if (outcome.kind === 'records' && outcome.aliases.length === 0) return outcome.records.map(answerOf);
  }
  return [];
}
