import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { type Answer, type DecodedPacket, decode, encode, type Packet } from 'dns-packet';

/** The reaction of a server to a query: a message, raw bytes, several datagrams, or silence. */
export type Reply = Packet | Buffer | readonly Buffer[] | undefined;

export type Behaviour = (query: DecodedPacket, over: 'udp' | 'tcp') => Reply;

export interface LoopbackServer {
  /** The address `127.0.0.1:port`, for UDP and TCP. */
  readonly address: string;
  readonly port: number;
  /** The received queries, such as `udp A shop.acme.com`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Opens a DNS server on loopback that behaves as the test specifies. */
export async function openLoopback(behave: Behaviour): Promise<LoopbackServer> {
  const asked: string[] = [];
  const answer = (message: Buffer, over: 'udp' | 'tcp'): readonly Buffer[] => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    asked.push(`${over} ${question?.type} ${question?.name}`);
    const reply = behave(query, over);
    if (reply === undefined) return [];
    if (Buffer.isBuffer(reply)) return [reply];
    return Array.isArray(reply) ? reply : [encode(reply as Packet)];
  };
  const tcp = await listenTcp(answer);
  const bound = tcp.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const udp = await listenUdp(port, answer);
  return {
    address: `127.0.0.1:${port}`,
    port,
    asked,
    async close() {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

type AnswerBytes = (message: Buffer, over: 'udp' | 'tcp') => readonly Buffer[];

function listenTcp(answer: AnswerBytes): Promise<Server> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const [reply] = answer(received.subarray(2), 'tcp');
      if (reply === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.end(Buffer.concat([length, reply]));
    });
    server.once('close', () => socket.destroy());
  });
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => open.add(socket));
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const socket of open) socket.destroy();
    return close(done);
  };
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function listenUdp(port: number, answer: AnswerBytes): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (message, sender) => {
    for (const reply of answer(message, 'udp')) socket.send(reply, sender.port, sender.address);
  });
  return new Promise((resolve) => socket.bind(port, '127.0.0.1', () => resolve(socket)));
}

/**
 * Returns a response to a query, with the id and question of the query. `flags` has the format of dns-packet; the low bits are the RCODE.
 */
export function response(query: DecodedPacket, answers: Answer[] = [], more: Partial<Packet> = {}): Packet {
  return {
    type: 'response',
    ...(query.id !== undefined && { id: query.id }),
    flags: 0,
    ...(query.questions !== undefined && { questions: query.questions }),
    answers,
    ...more,
  };
}

export const rcode = { formerr: 1, servfail: 2, nxdomain: 3, notimp: 4, refused: 5, notauth: 9 } as const;

export const soa: Answer = {
  type: 'SOA',
  name: 'acme.com',
  data: { mname: 'ns1.acme.com', rname: 'admin.acme.com', serial: 1 },
};

/** Returns a CAA answer. The types of dns-packet declare only three tags, but a message can contain any tag. */
export function caaAnswer(name: string, tag: string, value: string, flags = 0): Answer {
  return { type: 'CAA', name, data: { flags, tag: tag as 'issue', value } };
}

/**
 * Returns the behavior of a server with fixed records. The server follows aliases like a recursive server (`chasing`), or returns only
 * records with the requested name (`bare`).
 */
export function serving(records: readonly Answer[], how: 'chasing' | 'bare' = 'chasing'): Behaviour {
  return (query) => {
    const [question] = query.questions ?? [];
    const answers: Answer[] = [];
    let name = question?.name.toLowerCase();
    for (let hop = 0; hop < 20; hop += 1) {
      const here = records.filter((record) => record.name === name);
      const exact = here.filter((record) => record.type === question?.type);
      const alias = here.find((record) => record.type === 'CNAME');
      if (exact.length > 0 || alias === undefined) {
        const missing = here.length === 0 && !records.some((record) => record.name.endsWith(`.${name}`));
        return response(query, [...answers, ...exact], {
          flags: missing ? rcode.nxdomain : 0,
          authorities: [soa],
        });
      }
      answers.push(alias);
      name = alias.type === 'CNAME' ? alias.data : name;
      if (how === 'bare') return response(query, answers);
    }
    return response(query, answers);
  };
}
