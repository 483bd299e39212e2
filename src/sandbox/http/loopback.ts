import type { IncomingMessage } from 'node:http';

/** The headers that show the host and the origin of a request. */
interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Explains why a request to an API port is refused; undefined if the request comes from a program on this machine or uses an allowed name
 * (`hosts`, in lower case). A web page can reach the port under the page's own host name (DNS rebinding), or from its own origin, which can
 * be another port of this machine. In both cases, headers that a page cannot forge reveal the page. Requests from the sandbox's own page
 * have the same origin and host, regardless of the port mapping of a container.
 */
export function foreignRequestReason(
  headers: RequestHeaders,
  hosts: readonly string[] = [],
): string | undefined {
  const { host, origin } = headers;
  if (host === undefined || !(loopbackHost.test(host) || isAllowedHost(hosts, host))) {
    const names = ['127.0.0.1', 'localhost', ...hosts].join(', ');
    return `The sandbox only accepts the host names ${names}; docs/sandbox.md explains how to add others.`;
  }
  const site = headers['sec-fetch-site'] ?? 'none';
  const isOwn = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  if (!isOwn || (site !== 'none' && site !== 'same-origin')) {
    return 'The sandbox does not accept requests from pages of other websites.';
  }
  return undefined;
}

function isAllowedHost(hosts: readonly string[], host: string): boolean {
  return hosts.includes(host.replace(/:\d{1,5}$/, '').toLowerCase());
}

/**
 * Returns whether a host (lower case, without a port) belongs to a local worker: this machine's names, any name below `localhost`, and the
 * hosts of its routes (`shop.example/*`, `*.shop.example/api`).
 */
export function isHostOfWorker(host: string, routes: readonly string[]): boolean {
  if (loopbackHost.test(host) || /^(?:[a-z0-9_-]+\.)+localhost$/.test(host)) return true;
  return routes.some((route) => isHostOfRoute(host, route));
}

/** Returns whether a host belongs to a route. A `*` is allowed only at the start of the route's host, and matches any string. */
function isHostOfRoute(host: string, route: string): boolean {
  const pattern = route
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();
  if (!pattern.startsWith('*')) return host === pattern;
  const ending = pattern.slice(1);
  return ending !== '' && host.endsWith(ending);
}

/** Returns the address of the client; empty if the client has disconnected. An IPv4 address in IPv6 form is converted. */
export function clientAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  return socket.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, '') ?? '';
}
