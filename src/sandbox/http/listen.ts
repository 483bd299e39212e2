import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as SocketServer } from 'node:net';
import { Problem } from '../../model/problem.ts';
import { addressesOf } from '../../model/sandbox/exposure.ts';

/** Where a server listens. */
export interface ListenAt {
  /** 0 for any free port. */
  readonly port: number;
  /** As in `Exposure`. */
  readonly address: string;
  /** Whose port it is, for the advice where it cannot be had. */
  readonly of: 'api' | 'edge-tls' | 'proxy';
}

/** A server of HTTP, with TLS or without. */
interface HttpServer extends SocketServer {
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

/** Servers that take connections for one at its other addresses. */
const besides = new WeakMap<SocketServer, SocketServer[]>();

/**
 * Listens at an address, and always on 127.0.0.1; returns the port. Refuses with a Problem if the port is in use or not
 * allowed, or the address is not one of this machine.
 */
export async function listen(server: SocketServer, { port: wanted, address, of }: ListenAt): Promise<number> {
  const [first, ...others] = addressesOf(address);
  const port = await bind(server, { port: wanted, address: first, of });
  for (const other of others) {
    // What comes there is handed on: one server of HTTP listens at one address.
    const second = createServer((socket) => server.emit('connection', socket));
    server.once('close', () => second.close());
    await bind(second, { port, address: other, of }).catch((error: unknown) => {
      server.close();
      throw error;
    });
    besides.set(server, [...(besides.get(server) ?? []), second]);
  }
  return port;
}

async function bind(server: SocketServer, place: ListenAt): Promise<number> {
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

/** The reason of a failure to listen, in words. */
export function listenProblem(
  error: unknown,
  { port, address, of }: { of: 'api' | 'edge-tls' | 'dns' | 'proxy' } & Pick<ListenAt, 'port' | 'address'>,
): Problem {
  const remedy = { kind: 'choose-port', of } as const;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'EADDRNOTAVAIL')
    return new Problem('refused', `${address} is no address of this machine.`, { cause: error });
  const why =
    code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'is not allowed to you' : `gave ${code}`;
  return new Problem('refused', `Port ${port} ${why}.`, { remedy, cause: error });
}

/** Stops listening at all addresses, lets calls under way finish for `drain` milliseconds, then cuts what is left. */
export async function stop(server: HttpServer, drain: number): Promise<void> {
  const all = [server, ...(besides.get(server) ?? [])];
  const closed = all.map((one) => new Promise<unknown>((resolve) => one.close(resolve)));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), drain);
  await Promise.all(closed);
  clearTimeout(force);
}
