import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { addressOf, foreignReason } from '../../http/loopback.ts';
import type { Tails } from './tails.ts';

/** Path of the web socket of a tail, before its id. It is outside of the API: its clients show no token. */
export const tailPath = '/tails/';

/** Whether a request asks for the web socket of a tail. */
export function asksForTail({ url = '', headers }: IncomingMessage): boolean {
  return url.startsWith(tailPath) && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Connects web sockets of tails: `ws://127.0.0.1:<port>/tails/<id>`. Refuses pages of other sites, as the API does, and
 * ids of no tail.
 */
export function serveTails(
  server: Server,
  platform: { readonly tails?: Tails | undefined },
  hosts: readonly string[],
): void {
  server.on('upgrade', (request, socket, head) => {
    // Node has taken its own listener away; one that breaks before it is accepted would end the process.
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
  const reason = foreignReason(request.headers, hosts);
  if (reason !== undefined) return refuseUpgrade(socket, '403 Forbidden', reason);
  const id = (request.url ?? '').slice(tailPath.length).split('?', 1)[0] ?? '';
  if (tails?.has(id) !== true) return refuseUpgrade(socket, '404 Not Found', 'There is no such tail.');
  const from = addressOf(request);
  if (!tails.mayListen(id, from))
    return refuseUpgrade(socket, '403 Forbidden', `Cannot use the access token from location: ${from}`);
  const accepted = acceptWebSocket(request, socket, head, 'trace-v1');
  if (accepted !== undefined) tails.listen(id, accepted);
}
