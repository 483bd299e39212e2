import { isIP, isIPv6 } from 'node:net';
import { Problem } from '../model/problem.ts';

/** A DNS server's address and port, for UDP and TCP. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. Throws for a hostname, because resolving it would require DNS.
 */
export function parseServer(text: string): ServerAddress {
  if (isIP(text) !== 0) return { address: text, port: 53 };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  const fits = match?.[1] === undefined ? isIP(address) === 4 : isIPv6(address);
  if (fits && port >= 1 && port <= 65_535) return { address, port };
  throw new Problem('invalid-input', `"${text}" is not the address of a DNS server.`, {
    hint: 'Use an IP address, with a port if it is not 53: 192.0.2.1, 127.0.0.1:5353, [2001:db8::1]:53.',
  });
}

/** Formats a server address, for example `192.0.2.1:53` or `[2001:db8::1]:53`. */
export function formatServer(server: ServerAddress): string {
  return isIPv6(server.address) ? `[${server.address}]:${server.port}` : `${server.address}:${server.port}`;
}
