import type { Socket } from 'node:net';
import type { ProxyAnswer } from '../../../support/proxy.ts';
import { type Fault, isEnvelope, type Kind } from '../fault.ts';

/** Creates a fault that sends bytes instead of an answer, and then closes the connection. */
function wire(name: string, bytes: (right: ProxyAnswer) => string | Uint8Array, mayPass = false): Fault {
  return {
    name,
    begin:
      () =>
      ({ response, right }) => {
        const socket = response.socket;
        const content = bytes(right);
        if (socket === null || content.length === 0) response.destroy();
        else closeBehind(socket, content);
      },
    mayPass: (right) => mayPass && !isEnvelope(right),
  };
}

function closeBehind(socket: Socket, bytes: string | Uint8Array): void {
  socket.on('error', () => undefined);
  socket.end(bytes);
}

function getHead({ headers }: ProxyAnswer, more: string): string {
  const type = headers['content-type'] ?? 'text/plain';
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}\r\n\r\n`;
}

const lengthOf = (right: ProxyAnswer, more = 0): string =>
  getHead(right, `content-length: ${Buffer.byteLength(right.body) + more}`);
const half = ({ body }: ProxyAnswer): Buffer =>
  Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const join = (head: string, body: Uint8Array): Buffer => Buffer.concat([Buffer.from(head), body]);

/** Connections that end too early, and answers that are not HTTP. */
export const connectionKinds: readonly Kind[] = [
  { name: 'a cut before the headers', faults: [wire('a cut', () => '')] },
  {
    name: 'a cut inside the headers',
    faults: [
      wire('a cut after the status', () => 'HTTP/1.1 200 OK\r\n'),
      wire('a cut in the status', () => 'HTTP/1'),
      wire('a cut in a header', () => 'HTTP/1.1 200 OK\r\ncontent-ty'),
    ],
  },
  {
    name: 'a cut inside the body',
    faults: [
      wire('half of it', (right) => join(lengthOf(right), half(right))),
      wire('none of it', (right) => lengthOf(right, 1)),
      wire('all but one byte', (right) => join(lengthOf(right, 1), Buffer.from(right.body))),
      wire('chunks without an end', (right) =>
        join(getHead(right, 'transfer-encoding: chunked'), chunk(half(right))),
      ),
      wire('a cut in a chunk', (right) =>
        join(getHead(right, 'transfer-encoding: chunked'), chunk(half(right)).subarray(0, -4)),
      ),
    ],
  },
  {
    name: 'an answer that is not HTTP',
    faults: [
      wire('another protocol', () => '220 mail.example ESMTP\r\n'),
      wire('an invalid status', () => 'HTTP/1.1 banana OK\r\n\r\n'),
      wire('a header with a NUL', () => 'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n'),
      wire('headers of 100 kB', () => `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`),
      wire('two lengths', () => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
      wire('an invalid length', () => 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}'),
      wire('an invalid chunk', (right) =>
        join(getHead(right, 'transfer-encoding: chunked'), Buffer.from('ZZ\r\n')),
      ),
      wire('TLS', () => Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])),
    ],
  },
  {
    name: 'a body that contradicts its headers',
    faults: [
      wire(
        'more bytes than its length',
        (right) => join(getHead(right, 'content-length: 1'), Buffer.from(right.body)),
        true,
      ),
      wire(
        'invalid gzip',
        (right) =>
          join(`${lengthOf(right).slice(0, -2)}content-encoding: gzip\r\n\r\n`, Buffer.from(right.body)),
        true,
      ),
      wire(
        'invalid brotli',
        (right) =>
          join(`${lengthOf(right).slice(0, -2)}content-encoding: br\r\n\r\n`, Buffer.from(right.body)),
        true,
      ),
    ],
  },
];
