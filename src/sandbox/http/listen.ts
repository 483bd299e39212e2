import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as SocketServer } from 'node:net';
import { Problem } from '../../model/problem.ts';
import { listenAddresses } from '../../model/sandbox/exposure.ts';

/** The port and the addresses of a server. */
export interface ListenOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The addresses to listen on, as in `Exposure`. */
  readonly address: string;
  /** The service that uses the port, for the hint if the port is unavailable. */
  readonly of: 'api' | 'edge-tls' | 'proxy';
}

/** An HTTP server, with or without TLS. */
interface HttpServer extends SocketServer {
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

/** Servers that accept connections for another server at its other addresses. */
const extraListeners = new WeakMap<SocketServer, SocketServer[]>();

/**
 * Listens on an address, and always on 127.0.0.1. Returns the port. Throws a Problem if the port is in use or not permitted, or
 * if the address does not belong to this machine.
 */
export async function listen(
  server: SocketServer,
  { port: wanted, address, of }: ListenOptions,
): Promise<number> {
  const [first, ...others] = listenAddresses(address);
  const port = await bind(server, { port: wanted, address: first, of });
  for (const other of others) {
    // A second server accepts the connections to an additional address, because a server can listen on only one address.
    const second = createServer((socket) => server.emit('connection', socket));
    server.once('close', () => second.close());
    await bind(second, { port, address: other, of }).catch((error: unknown) => {
      server.close();
      throw error;
    });
    extraListeners.set(server, [...(extraListeners.get(server) ?? []), second]);
  }
  return port;
}

async function bind(server: SocketServer, place: ListenOptions): Promise<number> {
  const { port, address } = place;
  const listening = once(server, 'listening');
  server.listen({ host: address, port });
  try {
    await listening;
  } catch (error) {
    throw listenProblem(error, place);
  }
  return (server.address() as AddressInfo).port;
}

/** Describes why a server cannot listen. */
export function listenProblem(
  error: unknown,
  {
    port,
    address,
    of,
  }: { of: 'api' | 'edge-tls' | 'dns' | 'proxy' } & Pick<ListenOptions, 'port' | 'address'>,
): Problem {
  const remedy = { kind: 'choose-port', of } as const;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'EADDRNOTAVAIL')
    return new Problem('refused', `${address} is not an address of this machine.`, { cause: error });
  const why =
    code === 'EADDRINUSE'
      ? 'is in use'
      : code === 'EACCES'
        ? 'requires more privileges'
        : `cannot be opened (${code})`;
  return new Problem('refused', `Port ${port} ${why}.`, { remedy, cause: error });
}

/**
 * Stops listening on all addresses, waits up to `drain` milliseconds for calls in progress, then closes the remaining
 * connections.
 */
export async function stopServer(server: HttpServer, drain: number): Promise<void> {
  const all = [server, ...(extraListeners.get(server) ?? [])];
  const closed = all.map((one) => new Promise<unknown>((resolve) => one.close(resolve)));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), drain);
  await Promise.all(closed);
  clearTimeout(force);
}
