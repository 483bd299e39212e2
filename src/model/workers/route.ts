/** A route of a zone: a worker handles requests whose URL matches the pattern; without a script, no worker does. */
export interface WorkerRoute {
  readonly id: string;
  /** `shop.acme.com/*`, `*.acme.com/api/*`; a star matches zero or more characters. */
  readonly pattern: string;
  readonly script?: string;
}

/** Whether a request matches a route's pattern. `path` begins with a slash. */
function matchesRoute({ pattern }: WorkerRoute, host: string, path: string): boolean {
  const plain = pattern.replace(/^(?:https?|\*):\/\//, '');
  const parts = plain.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(`${host}${path}`);
}

/** Finds the route for a request: the most specific match, which has the most characters other than stars. */
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
