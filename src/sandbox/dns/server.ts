import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Problem } from '../../model/problem.ts';
import { answerMessage } from './message.ts';
import type { DnsZones } from './zones.ts';

export interface DnsServer {
  /** `127.0.0.1:<port>`, over UDP and TCP. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The zones as they are now; asked for every question. */
  zones(): Pick<DnsZones, 'answer'>;
}

const host = '127.0.0.1';
/** How often another free port is tried when the one that UDP got is taken for TCP. */
const tries = 20;
/** How long a TCP connection may be silent, in milliseconds. */
const patience = 10_000;

/** Serves DNS over UDP and TCP on one loopback port. Refuses with a Problem when the port is in use or not allowed. */
export async function serveDns(options: DnsServerOptions): Promise<DnsServer> {
  for (let attempt = 1; ; attempt += 1) {
    const udp = createSocket('udp4');
    const connections = new Set<Socket>();
    const tcp = createServer((socket) => answerTcp(socket, options, connections));
    try {
      await bound(udp, options.port);
      const { port } = udp.address();
      await listening(tcp, port);
      udp.on('message', (message, from) => {
        const answer = tryAnswer(options, message, 'udp');
        if (answer !== undefined) udp.send(answer, from.port, from.address);
      });
      return { address: `${host}:${port}`, port, close: () => closeAll(udp, tcp, connections) };
    } catch (error) {
      udp.close();
      tcp.close();
      if (options.port === 0 && attempt < tries) continue;
      throw portProblem(error, options.port);
    }
  }
}

async function bound(udp: UdpSocket, port: number): Promise<void> {
  const ready = once(udp, 'listening');
  udp.bind({ address: host, port, exclusive: true });
  await ready;
  // A packet that cannot be sent is a lost one.
  udp.on('error', () => undefined);
}

async function listening(tcp: Server, port: number): Promise<void> {
  const ready = once(tcp, 'listening');
  tcp.listen({ host, port });
  await ready;
}

async function closeAll(udp: UdpSocket, tcp: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
  udp.close();
  tcp.close();
  for (const socket of connections) socket.destroy();
  await closed;
}

function portProblem(error: unknown, port: number): Problem {
  const remedy = { kind: 'choose-port', of: 'dns' } as const;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const why =
    code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'is not allowed to you' : `gave ${code}`;
  return new Problem('refused', `Port ${port} ${why}.`, { remedy, cause: error });
}

/** Answers a question. One that cannot be answered gets no answer: the asker's time-out says so. */
function tryAnswer(options: DnsServerOptions, message: Buffer, over: 'udp' | 'tcp'): Buffer | undefined {
  try {
    return answerMessage(options.zones(), message, over);
  } catch {
    return undefined;
  }
}

/** Answers every question of a connection; each has its length in two bytes before it (RFC 1035, 4.2.2). */
function answerTcp(socket: Socket, options: DnsServerOptions, connections: Set<Socket>): void {
  connections.add(socket);
  let received: Buffer = Buffer.alloc(0);
  socket.setTimeout(patience, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => connections.delete(socket));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const answer = tryAnswer(options, received.subarray(2, end), 'tcp');
      received = received.subarray(end);
      if (answer === undefined) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  });
}
