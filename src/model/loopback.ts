/** Returns whether a hostname refers to this machine: `localhost`, 127.0.0.0/8 or ::1, as formatted by the URL parser. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * An environment variable that lists other hosts to which plain HTTP is allowed. The variable is never read from a file, because someone
 * else may have written the file.
 */
export const plainHostsVariable = 'EDGECTL_ALLOW_HTTP_HOST';

/**
 * Returns whether plain HTTP is allowed to a host: this machine, or a host in the environment variable, which is a comma-separated list.
 */
export function allowsPlainHttp(
  hostname: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (isLoopback(hostname)) return true;
  const named = (env[plainHostsVariable] ?? '').toLowerCase().split(',');
  return named.some((name) => name.trim() === hostname.toLowerCase());
}

/**
 * Returns whether a hostname can refer only to this machine: the names that `isLoopback` accepts, names below `localhost` (RFC 6761, 6.3),
 * and 127.0.0.0/8 in IPv6 notation. Requests to such a hostname must not use a proxy.
 */
export function isOwnMachine(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost') || /^\[::ffff:7f[0-9a-f]{2}:/.test(name);
}
