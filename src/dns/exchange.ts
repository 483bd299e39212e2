import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type DnsQuestion, type DnsReply, decodeReply, encodeQuestion, failedOutcome } from './message.ts';
import { formatServer, type ServerAddress } from './server-address.ts';

/** One query to one server. */
export interface DnsExchange {
  readonly server: ServerAddress;
  readonly question: DnsQuestion;
  /** A random id, which a valid response must repeat. */
  readonly id: number;
  readonly edns: boolean;
  /** Milliseconds to wait for the server's response. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

type Settle = (reply: DnsReply) => void;

/**
 * Sends a query over UDP from its own socket and port, and accepts packets only from this server. Ignores packets that do not answer the
 * query. Never rejects.
 */
export function queryUdp(exchange: DnsExchange): Promise<DnsReply> {
  const { server, question, id } = exchange;
  const from = formatServer(server);
  return runExchange(exchange, (settle) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let foreign = 0;
    let open = true;
    socket.on('message', (message) => {
      const reply = decodeReply(message, question, id, from);
      if (reply !== undefined) settle(reply);
      else foreign += 1;
    });
    socket.on('error', (error) => settle(unreachableReply(error, from)));
    socket.connect(server.port, server.address, (error?: Error) => {
      if (error !== undefined) settle(unreachableReply(error, from));
      else if (open) socket.send(encodeQuestion(question, id, exchange.edns));
    });
    return {
      close: () => {
        open = false;
        socket.close();
      },
      silence: () => (foreign === 0 ? silentReply(exchange) : failedOutcome('malformed', invalidReply(from))),
    };
  });
}

/** Sends a query over TCP (RFC 7766). A two-byte length precedes each message, which can be up to 65,535 bytes long. Never rejects. */
export function queryTcp(exchange: DnsExchange): Promise<DnsReply> {
  const { server, question, id } = exchange;
  const from = formatServer(server);
  return runExchange(exchange, (settle) => {
    const socket = connect({ host: server.address, port: server.port });
    let received = Buffer.alloc(0);
    socket.on('connect', () => socket.write(addLengthPrefix(encodeQuestion(question, id, exchange.edns))));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const message = readLengthPrefixed(received);
      if (message === undefined) return;
      const reply = decodeReply(message, question, id, from);
      settle(
        reply === undefined || reply.kind === 'truncated'
          ? failedOutcome('malformed', invalidReply(from))
          : reply,
      );
    });
    socket.on('error', (error) => settle(unreachableReply(error, from)));
    socket.on('close', () =>
      settle(failedOutcome('malformed', `${from} closed the connection without a response`)),
    );
    return { close: () => socket.destroy(), silence: () => silentReply(exchange) };
  });
}

interface Opened {
  close(): void;
  /** Returns the reply to use if no response arrived before the timeout. */
  silence(): DnsReply;
}

/**
 * Number of timer ticks in a timeout. While this process is too busy to read its sockets, only one tick is counted, so that the query does
 * not time out.
 */
const timeoutTicks = 20;

/** Runs one exchange until its first result, its timeout or an interruption, and then closes its sockets. */
function runExchange(exchange: DnsExchange, open: (settle: Settle) => Opened): Promise<DnsReply> {
  const { timeout, signal } = exchange;
  if (signal?.aborted === true) return Promise.resolve(failedOutcome('interrupted', 'interrupted'));
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
    const interrupt = () => settle(failedOutcome('interrupted', 'interrupted'));
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks === timeoutTicks) settle(opened.silence());
    }, timeout / timeoutTicks);
    signal?.addEventListener('abort', interrupt, { once: true });
    const opened = open(settle);
  });
}

function silentReply(exchange: DnsExchange): DnsReply {
  return failedOutcome(
    'timeout',
    `no response from ${formatServer(exchange.server)} within ${exchange.timeout} ms`,
  );
}

function unreachableReply(error: Error, from: string): DnsReply {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return failedOutcome('unreachable', `${from} cannot be reached (${code})`);
}

function invalidReply(from: string): string {
  return `${from} sent a message that does not answer the query`;
}

function addLengthPrefix(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function readLengthPrefixed(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + received.readUInt16BE(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
