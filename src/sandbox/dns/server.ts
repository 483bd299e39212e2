import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { listenAddresses, loopbackOnly } from '../../model/sandbox/exposure.ts';
import { listenProblem } from '../http/listen.ts';
import { type AnsweringZones, answerMessage } from './message.ts';

export interface DnsServer {
  /** `127.0.0.1:<port>`, over UDP and TCP. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The addresses to listen on, as in `Exposure` (default: 127.0.0.1). */
  readonly address?: string | undefined;
  /** Returns the current zones. The function is called for every query. */
  zones(): AnsweringZones;
}

/** Maximum number of free ports to try if a port that is free for UDP is in use for TCP. */
const maxAttempts = 20;
/** Idle timeout of a TCP connection, in milliseconds. */
const idleTimeoutMs = 10_000;

/**
 * Serves DNS over UDP and TCP on one port. Throws a Problem if the port is in use or not permitted, or if the address does not
 * belong to this machine.
 */
export async function serveDns(options: DnsServerOptions): Promise<DnsServer> {
  const [address, ...others] = listenAddresses(options.address ?? loopbackOnly.address);
  const open: Listening[] = [];
  const close = async () => {
    await Promise.all(open.map((listening) => closeAll(listening)));
  };
  try {
    const first = await listenAtFree(options, address);
    open.push(first);
    const { port } = first.udp.address();
    for (const other of others) open.push(await listenAt(options, other, port));
    return { address: `${loopbackOnly.address}:${port}`, port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Listening {
  readonly udp: UdpSocket;
  readonly tcp: Server;
  readonly connections: ReadonlySet<Socket>;
}

async function listenAtFree(options: DnsServerOptions, address: string): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenAt(options, address, options.port);
    } catch (error) {
      if (options.port !== 0 || attempt >= maxAttempts) throw error;
    }
  }
}

async function listenAt(options: DnsServerOptions, address: string, wanted: number): Promise<Listening> {
  const udp = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => answerTcp(socket, options, connections));
  try {
    await bindUdp(udp, address, wanted);
    await listenTcp(tcp, address, udp.address().port);
  } catch (error) {
    udp.close();
    tcp.close();
    throw listenProblem(error, { port: wanted, address, of: 'dns' });
  }
  udp.on('message', (message, from) => {
    const answer = answerMessage(options.zones, message, 'udp');
    if (answer !== undefined) udp.send(answer, from.port, from.address);
  });
  return { udp, tcp, connections };
}

async function bindUdp(udp: UdpSocket, address: string, port: number): Promise<void> {
  const ready = once(udp, 'listening');
  udp.bind({ address, port, exclusive: true });
  await ready;
  // A packet that cannot be sent is treated as lost.
  udp.on('error', () => undefined);
}

async function listenTcp(tcp: Server, address: string, port: number): Promise<void> {
  const ready = once(tcp, 'listening');
  tcp.listen({ host: address, port });
  await ready;
}

async function closeAll({ udp, tcp, connections }: Listening): Promise<void> {
  const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
  udp.close();
  tcp.close();
  for (const socket of connections) socket.destroy();
  await closed;
}

/** Answers all messages of a connection. Each message is preceded by its length in two bytes (RFC 1035, 4.2.2). */
function answerTcp(socket: Socket, options: DnsServerOptions, connections: Set<Socket>): void {
  connections.add(socket);
  let received: Buffer = Buffer.alloc(0);
  socket.setTimeout(idleTimeoutMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => connections.delete(socket));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const answer = answerMessage(options.zones, received.subarray(2, end), 'tcp');
      received = received.subarray(end);
      if (answer === undefined) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  });
}
