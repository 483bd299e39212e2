import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientAddress, foreignRequestReason } from '../../http/loopback.ts';
import type { Tails } from './tails.ts';

/** Path of a tail's WebSocket, up to the id of the tail. The path is not part of the API, because clients of a tail send no token. */
export const tailPath = '/tails/';

/** Returns whether a request is for the WebSocket of a tail. */
export function isTailUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return url.startsWith(tailPath) && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Connects WebSockets of tails: `ws://127.0.0.1:<port>/tails/<id>`. Like the API, refuses requests from web pages on other sites. Also
 * refuses unknown ids.
 */
export function serveTails(
  server: Server,
  platform: { readonly tails?: Tails | undefined },
  hosts: readonly string[],
): void {
  server.on('upgrade', (request, socket, head) => {
    // Node has removed its own error listener, so an error before the socket is accepted would end the process.
    socket.on('error', () => undefined);
    connect({ tails: platform.tails, hosts }, request, socket, head).catch(() => socket.destroy());
  });
}

async function connect(
  { tails, hosts }: { readonly tails: Tails | undefined; readonly hosts: readonly string[] },
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { acceptWebSocket, refuseUpgrade } = await import('./web-socket.ts');
  const reason = foreignRequestReason(request.headers, hosts);
  if (reason !== undefined) return refuseUpgrade(socket, '403 Forbidden', reason);
  const id = (request.url ?? '').slice(tailPath.length).split('?', 1)[0] ?? '';
  if (tails?.has(id) !== true) return refuseUpgrade(socket, '404 Not Found', 'Tail not found.');
  const from = clientAddress(request);
  if (!tails.mayListen(id, from))
    return refuseUpgrade(socket, '403 Forbidden', `Cannot use the access token from location: ${from}`);
  const accepted = acceptWebSocket(request, socket, head, 'trace-v1');
  if (accepted !== undefined) tails.listen(id, accepted);
}
