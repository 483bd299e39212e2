/**
 * A route of a zone. The worker handles requests whose URLs match the pattern. A route without a script sends matching requests to no
 * worker.
 */
export interface WorkerRoute {
  readonly id: string;
  /** A pattern such as `shop.acme.com/*` or `*.acme.com/api/*`. A star matches zero or more characters. */
  readonly pattern: string;
  readonly script?: string;
}

/** Returns whether a request matches a route's pattern. `path` begins with a slash. */
function matchesRoute({ pattern }: WorkerRoute, host: string, path: string): boolean {
  const plain = pattern.replace(/^(?:https?|\*):\/\//, '');
  const parts = plain.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(`${host}${path}`);
}

/** Returns the most specific route that matches a request: the route whose pattern has the most characters other than stars. */
export function findRoute(
  routes: readonly WorkerRoute[],
  host: string,
  path: string,
): WorkerRoute | undefined {
  const specific = ({ pattern }: WorkerRoute) => pattern.replaceAll('*', '').length;
  return routes
    .filter((route) => matchesRoute(route, host, path))
    .sort((left, right) => specific(right) - specific(left))[0];
}
