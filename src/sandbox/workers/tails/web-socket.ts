import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A WebSocket that sends strings. Messages from the client are read and ignored. */
export interface TextSocket {
  /** Sends a string. Unsent data stays in memory: see `waiting`. */
  send(text: string): void;
  /** Returns the number of unsent bytes. */
  waiting(): number;
  /** Closes the connection with a code of RFC 6455, 7.4.1. */
  close(code: number, reason: string): void;
  /** Registers a callback that is called once, when the connection has ended for any reason. */
  onClosed(listener: () => void): void;
  /** Registers a callback that is called whenever all unsent data has been sent. */
  onDrained(listener: () => void): void;
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;
/** Maximum number of bytes in a client's frame, and in a control frame (RFC 6455, 5.5). */
const maxFrameBytes = 64 * 1024;
const maxControlBytes = 125;
/** Time for a client to receive the remaining data on close, in milliseconds. */
const closeTimeoutMs = 1000;

/**
 * Accepts a request for a WebSocket with `protocol` (RFC 6455, 4.2). Answers any other request with 400 and returns undefined.
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocol: string,
): TextSocket | undefined {
  const { headers } = request;
  const key = headers['sec-websocket-key'];
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (key === undefined || headers['sec-websocket-version'] !== '13' || !offered.includes(protocol)) {
    refuseUpgrade(socket, '400 Bad Request', `This WebSocket requires the protocol ${protocol}.`);
    return undefined;
  }
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const answer = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  const own = [`Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`];
  socket.write(`${[...answer, ...own].join('\r\n')}\r\n\r\n`);
  return createTextSocket(socket, head);
}

/** Refuses an upgrade, and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: string, message: string): void {
  const body = `${message}\n`;
  const fields = ['Connection: close', 'Content-Type: text/plain;charset=UTF-8'];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  endSocket(socket, [`HTTP/1.1 ${status}`, ...fields, length, '', body].join('\r\n'));
}

function createTextSocket(socket: Duplex, head: Buffer): TextSocket {
  let ended = false;
  const close = (code: number, reason: string) => {
    if (ended) return;
    ended = true;
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code);
    payload.write(reason, 2);
    endSocket(socket, encodeFrame(opcodes.close, payload));
  };
  const read = createFrameReader({
    onFrame(opcode, payload) {
      if (opcode >= opcodes.close && payload.length > maxControlBytes)
        return close(1002, 'This control frame is too long.');
      // While the client does not read, pings are not answered, because only the latest ping requires a pong (RFC 6455, 5.5.3).
      if (opcode === opcodes.ping && !ended && !socket.writableNeedDrain)
        socket.write(encodeFrame(opcodes.pong, payload));
      if (opcode === opcodes.close) close(payload.length >= 2 ? payload.readUInt16BE() : 1000, '');
    },
    onTooLong: () => close(1009, 'This frame is too long.'),
  });
  // The error is ignored, because a broken connection also emits "close".
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => !ended && read(chunk));
  socket.on('end', () => socket.end());
  if (head.length > 0) read(head);
  return {
    send: (text) => void (ended || socket.write(encodeFrame(opcodes.text, Buffer.from(text)))),
    waiting: () => socket.writableLength,
    close,
    onClosed: (listener) => socket.once('close', listener),
    onDrained: (listener) => socket.on('drain', listener),
  };
}

/** Writes the last bytes and closes the connection, after `closeTimeoutMs` at the latest. */
function endSocket(socket: Duplex, last: string | Uint8Array): void {
  socket.on('error', () => undefined);
  const late = setTimeout(() => socket.destroy(), closeTimeoutMs);
  socket.once('close', () => clearTimeout(late));
  socket.end(last, () => socket.destroy());
}

/** Encodes an unfragmented, unmasked frame of a server (RFC 6455, 5.2). */
function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 0x1_0000 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (head.length === 2) head[1] = length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

interface FrameListener {
  onFrame(opcode: number, payload: Buffer): void;
  onTooLong(): void;
}

/**
 * Splits the bytes from a client into frames. Also accepts frames without a mask: wrangler sends its only message unmasked, which the RFC
 * forbids and the platform tolerates.
 */
function createFrameReader({ onFrame, onTooLong }: FrameListener): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let size = findFrame(rest); size !== undefined; size = findFrame(rest)) {
      const { from, mask, to } = size;
      if (to - from > maxFrameBytes) return onTooLong();
      if (rest.length < to) return;
      const payload = Buffer.from(rest.subarray(from, to));
      const key = rest.subarray(from - mask, from);
      if (mask > 0) for (const [at, byte] of payload.entries()) payload[at] = byte ^ (key[at % 4] ?? 0);
      const opcode = (rest[0] ?? 0) & 0x0f;
      rest = rest.subarray(to);
      onFrame(opcode, payload);
    }
  };
}

/** Returns the position of the first frame's payload, and the length of the mask before the payload; undefined if more bytes are needed. */
function findFrame(bytes: Buffer): { from: number; to: number; mask: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const mask = ((bytes[1] ?? 0) & 0x80) === 0 ? 0 : 4;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra) return undefined;
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const from = 2 + extra + mask;
  return { from, to: from + length, mask };
}
