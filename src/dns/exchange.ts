import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type DnsQuestion, type DnsReply, decodeReply, encodeQuestion, failed } from './message.ts';
import { type ServerAddress, showServer } from './server-address.ts';

/** One question to one server. */
export interface DnsExchange {
  readonly server: ServerAddress;
  readonly question: DnsQuestion;
  /** Random; the answer must bear it. */
  readonly id: number;
  readonly edns: boolean;
  /** Milliseconds until the server counts as silent. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

type Settle = (reply: DnsReply) => void;

/**
 * Sends a query over UDP from a separate socket and port that accepts packets only from this server. Packets that do not answer
 * the query are ignored. Never rejects.
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

/** Asks over TCP (RFC 7766): the answer has a length of two bytes in front and can be 65,535 bytes long. */
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
  /** The reply to assume when nothing came in time. */
  silence(): DnsReply;
}

/**
 * Parts in which a time-out is counted. A process that was too busy to read its sockets for a while counts one part at most, so that
 * its own delay is not taken for the server's silence.
 */
const timeoutTicks = 20;

/** Runs one exchange to its first result, its time-out or its interruption, and closes what it opened. */
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
