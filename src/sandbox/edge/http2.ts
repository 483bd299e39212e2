import { once } from 'node:events';
import { type IncomingMessage, request as openRequest, type Server } from 'node:http';
import { createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type Duplex, duplexPair } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Connection-specific headers of HTTP/1, which HTTP/2 does not allow (RFC 9113, 8.2.2). */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Accepts HTTP/2 and forwards each request as HTTP/1 to a server, which need not listen. Returns a function that accepts
 * connections.
 */
export function serveHttp2(server: Server): (socket: Duplex) => void {
  const front = createServer((request, response) => {
    forwardRequest(server, request, response).catch(() => response.stream.close());
  });
  front.on('sessionError', () => undefined);
  return (socket) => front.emit('connection', socket);
}

async function forwardRequest(
  server: Server,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const [near, far] = duplexPair();
  server.emit('connection', Object.assign(far, { encrypted: true }));
  const { ':authority': authority, ...headers } = request.headers;
  const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const sent = openRequest({
    createConnection: () => near,
    method: request.method,
    path: request.url,
    headers: { host: authority, ...Object.fromEntries(plain), connection: 'close' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // A failure rejects `answered`, which closes the stream. A disconnected client needs no response.
  sent.on('error', () => undefined);
  response.stream.once('close', () => {
    sent.destroy();
    far.destroy();
  });
  request.pipe(sent);
  const [answer] = await answered;
  const passed = Object.entries(answer.headers).filter(([name]) => !connectionHeaders.has(name));
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(passed));
  await pipeline(answer, response.stream);
}
