/** Whether a host name is this machine: `localhost`, 127.0.0.0/8 or ::1, as a parsed URL writes them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Names other hosts that may be reached over plain HTTP. Never read from a file: a file may be a stranger's. */
export const plainHostsVariable = 'EDGECTL_ALLOW_HTTP_HOST';

/** Whether plain HTTP may be spoken to a host: to this machine, and to those that the environment names, with commas between. */
export function mayBePlain(hostname: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (isLoopback(hostname)) return true;
  const named = (env[plainHostsVariable] ?? '').toLowerCase().split(',');
  return named.some((name) => name.trim() === hostname.toLowerCase());
}

/**
 * Whether a host name can only be meant for this machine: what `isLoopback` takes, names below `localhost` (RFC 6761,
 * 6.3), and 127.0.0.0/8 written as IPv6. What goes there is nobody else's to see, a proxy's neither.
 */
export function staysHere(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost') || /^\[::ffff:7f[0-9a-f]{2}:/.test(name);
}
