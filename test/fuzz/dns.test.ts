import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Answer, decode, encode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { decodeReply, encodeQuestion } from '../../src/dns/message.ts';
import {
  type DnsOutcome,
  maxAliasChain,
  nameFault,
  plainName,
  type RecordType,
} from '../../src/model/dns/dns.ts';
import { answerMessage } from '../../src/sandbox/dns/message.ts';
import { type DnsServer, serveDns } from '../../src/sandbox/dns/server.ts';
import { cost, fuzz, mutated, tenth } from './fuzz.ts';

const types: readonly RecordType[] = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA', 'NS', 'SOA'];
const type = fc.constantFrom(...types);
const label = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9_-]{1,9}$/) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 63 }).map((length) => 'x'.repeat(length)) },
);
const name = fc
  .array(label, { minLength: 1, maxLength: 5 })
  .map((labels) => labels.join('.'))
  .filter((one) => nameFault(one) === undefined);

const text = fc.string({ unit: 'grapheme', maxLength: 300 });

function recordAt(owner: fc.Arbitrary<string>): fc.Arbitrary<Answer> {
  const ttl = fc.nat(100_000);
  return fc.oneof(
    fc.record({ type: fc.constant('A' as const), name: owner, ttl, data: fc.ipV4() }),
    fc.record({ type: fc.constant('CNAME' as const), name: owner, ttl, data: name }),
    fc.record({ type: fc.constant('NS' as const), name: owner, ttl, data: name }),
    fc.record({
      type: fc.constant('TXT' as const),
      name: owner,
      ttl,
      data: fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('CAA' as const),
      name: owner,
      ttl,
      data: fc.record({
        flags: fc.constantFrom(0, 128),
        tag: fc.constantFrom('issue' as const, 'issuewild' as const, 'iodef' as const),
        value: fc.string({ maxLength: 40 }),
      }),
    }),
  );
}

/** An answer to a question; its aliases may form a cycle. */
const answered = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), type, fc.nat(0xffff), fc.nat(15))
  .chain(([names, asked, id, code]) => {
    const [first = 'x'] = names;
    return fc.array(recordAt(fc.constantFrom(...names)), { maxLength: 8 }).map((answers) => {
      const packet: Packet = {
        type: 'response',
        id,
        flags: code,
        questions: [{ name: first, type: asked, class: 'IN' }],
        answers,
      };
      return { question: { name: first, type: asked }, id, bytes: encode(packet) };
    });
  });

/** Compression pointers to themselves, forward, or past the end; labels and lengths that exceed the available data. */
const crooked = fc
  .tuple(
    fc.nat(0xffff),
    fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0xc0, 0x0c, 0x3f, 0x40, 0x80, 0xff, 0x00)), {
      maxLength: 60,
    }),
  )
  .map(([id, rest]) => Buffer.from([id >> 8, id & 0xff, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 1, ...rest]));

const anyMessage = fc.oneof(
  fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  crooked,
  mutated(answered.map(({ bytes }) => bytes)),
);

function expectOutcome(outcome: DnsOutcome): void {
  expect(outcome.aliases.length).toBeLessThanOrEqual(100);
  if (outcome.kind === 'failed') expect(outcome.detail).toMatch(/./);
  if (outcome.kind === 'records') for (const record of outcome.records) expect(types).toContain(record.type);
}

fuzz('any message results in an outcome, or is ignored', [anyMessage, name, type], (bytes, asked, wanted) => {
  const id = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const reading = decodeReply(bytes, { name: asked, type: wanted }, id, '192.0.2.1:53');
  if (reading !== undefined && reading.kind !== 'truncated') expectOutcome(reading);
});

const changedAnswer = answered.chain(({ question, id, bytes }) =>
  mutated(fc.constant(bytes)).map((changed) => ({ question, id, changed })),
);

fuzz(
  'an answer that was altered in transit is accepted only for its own question',
  [changedAnswer],
  ({ question, id, changed }) => {
    let reading: ReturnType<typeof decodeReply>;
    const spent = cost(() => {
      reading = decodeReply(changed, question, id, '192.0.2.1:53');
    });
    expect(spent).toBeLessThan(1000);
    if (reading === undefined || reading.kind === 'truncated') return;
    expectOutcome(reading);
    const [asked] = decode(changed).questions ?? [];
    expect(plainName(asked?.name ?? '')).toBe(question.name);
  },
);

fuzz(
  'parses a question and its answer without changing them',
  [name, type, fc.nat(0xffff), fc.boolean(), text],
  (asked, wanted, id, edns, said) => {
    const query = encodeQuestion({ name: asked, type: wanted }, id, edns);
    const outcome: DnsOutcome = {
      kind: 'records',
      aliases: [],
      records: [{ type: 'TXT', name: asked, ttl: 5, text: said }],
    };
    const answer = answerMessage(() => ({ answer: () => outcome }), query, 'tcp');
    const reading = decodeReply(answer ?? Buffer.alloc(0), { name: asked, type: wanted }, id, 'here');
    expect(reading).toEqual(wanted === 'TXT' ? outcome : { kind: 'nodata', aliases: [] });
    const short = answerMessage(() => ({ answer: () => outcome }), query, 'udp');
    expect(short?.length).toBeLessThanOrEqual(edns ? 1232 : 512);
  },
);

const zones = {
  answer: (asked: string): DnsOutcome =>
    asked !== 'a.test' && asked.length % 3 === 0
      ? { kind: 'nxdomain', aliases: [] }
      : {
          kind: 'records',
          aliases: [{ name: asked, target: 'b.test' }],
          records: [{ type: 'A', name: 'b.test', ttl: 1, address: '192.0.2.1' }],
        },
};
const anyQuery = fc.oneof(
  anyMessage,
  mutated(
    fc
      .tuple(name, type, fc.nat(0xffff), fc.boolean())
      .map(([asked, wanted, id, edns]) => encodeQuestion({ name: asked, type: wanted }, id, edns)),
  ),
);

let server: DnsServer;
beforeAll(async () => {
  server = await serveDns({ port: 0, zones: () => zones });
});
afterAll(() => server.close());

const asker = createSocket('udp4');
afterAll(() => asker.close());

const plainQuestion = encodeQuestion({ name: 'a.test', type: 'A' }, 1, true);

/** Sends a plain question and returns the answer, which shows that the server still works. */
async function stillAnswers(): Promise<Buffer> {
  const answered = once(asker, 'message', { signal: AbortSignal.timeout(10_000) });
  asker.send(plainQuestion, server.port, '127.0.0.1');
  const [message] = (await answered) as [Buffer];
  return message;
}

fuzz(
  'any message gets a readable answer, or none',
  [anyQuery, fc.constantFrom('udp' as const, 'tcp' as const)],
  (message, over) => {
    const answer = answerMessage(() => zones, message, over);
    if (answer === undefined) return;
    expect(decode(answer).type).toBe('response');
    expect(answer.readUInt16BE(0)).toBe(message.readUInt16BE(0));
  },
);

const harasser = createSocket('udp4');
afterAll(() => harasser.close());

fuzz(
  'the server answers the next query after any packets over UDP',
  [fc.array(anyQuery, { minLength: 1, maxLength: 2 })],
  async (packets) => {
    for (const packet of packets) harasser.send(packet, server.port, '127.0.0.1');
    const reading = decodeReply(await stillAnswers(), { name: 'a.test', type: 'A' }, 1, 'here');
    expect(reading).toMatchObject({ kind: 'records' });
  },
  tenth,
);

const framedOrNot = fc.tuple(anyQuery, fc.boolean()).map(([message, framed]) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return framed ? Buffer.concat([length, message]) : message;
});

fuzz(
  'the server answers the next query after any bytes over TCP',
  [fc.array(framedOrNot, { minLength: 1, maxLength: 2 })],
  async (packets) => {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.resume();
    for (const packet of packets) socket.write(packet);
    const question = encodeQuestion({ name: 'a.test', type: 'A' }, 1, false);
    socket.end(question);
    const reading = decodeReply(await stillAnswers(), { name: 'a.test', type: 'A' }, 1, 'here');
    expect(reading).toMatchObject({ kind: 'records' });
    await closed;
  },
  tenth,
);

fuzz('follows a chain of aliases in one answer to its end', [fc.nat(40), fc.boolean()], (length, circle) => {
  const question = { name: 'n0', type: 'A' as const };
  const answers = Array.from(
    { length },
    (_, at): Answer => ({ type: 'CNAME', name: `n${at}`, data: `n${at + 1}` }),
  );
  if (circle) answers.push({ type: 'CNAME', name: `n${length}`, data: 'n0' });
  const bytes = encode({ type: 'response', id: 1, questions: [{ ...question, class: 'IN' }], answers });
  const reading = decodeReply(bytes, question, 1, 'here');
  expect(reading).toMatchObject(circle ? { kind: 'failed', why: 'loop' } : { kind: 'nodata' });
  expect(maxAliasChain).toBeGreaterThan(0);
});
