/** Whether a host name is this machine: `localhost`, 127.0.0.0/8 or ::1, as a parsed URL writes them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Whether a host name can only be meant for this machine: what `isLoopback` takes, names below `localhost` (RFC 6761,
 * 6.3), and 127.0.0.0/8 written as IPv6. What goes there is nobody else's to see, a proxy's neither.
 */
export function staysHere(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost') || /^\[::ffff:7f[0-9a-f]{2}:/.test(name);
}
