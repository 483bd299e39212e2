import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type DnsQuestion, type DnsReply, decodeReply, encodeQuestion, failed } from './message.ts';
import { type ServerAddress, showServer } from './server-address.ts';

/** One query to one server. */
export interface DnsExchange {
  readonly server: ServerAddress;
  readonly question: DnsQuestion;
  /** Random; the answer must contain it. */
  readonly id: number;
  readonly edns: boolean;
  /** Milliseconds to wait for the server's answer. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

type Settle = (reply: DnsReply) => void;

/**
 * Sends a query over UDP from a separate socket and port that accepts packets only from this server. Ignores packets that do
 * not answer the query. Never rejects.
 */
export function askUdp(exchange: DnsExchange): Promise<DnsReply> {
  const { server, question, id } = exchange;
  const from = showServer(server);
  return settling(exchange, (settle) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let foreign = 0;
    let open = true;
    socket.on('message', (message) => {
      const reply = decodeReply(message, question, id, from);
      if (reply !== undefined) settle(reply);
      else foreign += 1;
    });
    socket.on('error', (error) => settle(unreachable(error, from)));
    socket.connect(server.port, server.address, (error?: Error) => {
      if (error !== undefined) settle(unreachable(error, from));
      else if (open) socket.send(encodeQuestion(question, id, exchange.edns));
    });
    return {
      close: () => {
        open = false;
        socket.close();
      },
      silence: () => (foreign === 0 ? silent(exchange) : failed('malformed', notAnAnswer(from))),
    };
  });
}

/** Sends a query over TCP (RFC 7766): a two-byte length precedes the answer, which can be 65,535 bytes long. */
export function askTcp(exchange: DnsExchange): Promise<DnsReply> {
  const { server, question, id } = exchange;
  const from = showServer(server);
  return settling(exchange, (settle) => {
    const socket = connect({ host: server.address, port: server.port });
    let received = Buffer.alloc(0);
    socket.on('connect', () => socket.write(framed(encodeQuestion(question, id, exchange.edns))));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const message = unframed(received);
      if (message === undefined) return;
      const reply = decodeReply(message, question, id, from);
      settle(
        reply === undefined || reply.kind === 'truncated' ? failed('malformed', notAnAnswer(from)) : reply,
      );
    });
    socket.on('error', (error) => settle(unreachable(error, from)));
    socket.on('close', () => settle(failed('malformed', `${from} closed the connection without an answer`)));
    return { close: () => socket.destroy(), silence: () => silent(exchange) };
  });
}

interface Opened {
  close(): void;
  /** The reply if no answer arrived in time. */
  silence(): DnsReply;
}

/**
 * Number of ticks in a timeout. If the process was too busy to read its sockets, only one tick elapses, so its own delay is not
 * mistaken for the server's silence.
 */
const timeoutTicks = 20;

/** Runs one exchange until its first result, its timeout or an interruption, and closes its sockets. */
function settling(exchange: DnsExchange, open: (settle: Settle) => Opened): Promise<DnsReply> {
  const { timeout, signal } = exchange;
  if (signal?.aborted === true) return Promise.resolve(failed('interrupted', 'interrupted'));
  return new Promise((resolve) => {
    let done = false;
    const settle: Settle = (reply) => {
      if (done) return;
      done = true;
      clearInterval(timer);
      signal?.removeEventListener('abort', interrupt);
      opened.close();
      resolve(reply);
    };
    const interrupt = () => settle(failed('interrupted', 'interrupted'));
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks === timeoutTicks) settle(opened.silence());
    }, timeout / timeoutTicks);
    signal?.addEventListener('abort', interrupt, { once: true });
    const opened = open(settle);
  });
}

function silent(exchange: DnsExchange): DnsReply {
  return failed('timeout', `no answer from ${showServer(exchange.server)} within ${exchange.timeout} ms`);
}

function unreachable(error: Error, from: string): DnsReply {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return failed('unreachable', `${from} cannot be reached (${code})`);
}

function notAnAnswer(from: string): string {
  return `${from} sent something that is no answer to the question`;
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function unframed(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + received.readUInt16BE(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
