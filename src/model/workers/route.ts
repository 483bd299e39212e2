/** A route of a zone: requests whose URL fits its pattern go to a worker; without a script, to none. */
export interface WorkerRoute {
  readonly id: string;
  /** `shop.acme.com/*`, `*.acme.com/api/*`; a star matches any characters, or none. */
  readonly pattern: string;
  readonly script?: string;
}

/** Whether a request fits a route's pattern. `path` begins with a slash. */
function fits({ pattern }: WorkerRoute, host: string, path: string): boolean {
  const plain = pattern.replace(/^(?:https?|\*):\/\//, '');
  const parts = plain.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(`${host}${path}`);
}

/** The route that handles a request: the most specific match, with the most characters that are not stars. */
export function routeFor(
  routes: readonly WorkerRoute[],
  host: string,
  path: string,
): WorkerRoute | undefined {
  const specific = ({ pattern }: WorkerRoute) => pattern.replaceAll('*', '').length;
  return routes
    .filter((route) => fits(route, host, path))
    .sort((left, right) => specific(right) - specific(left))[0];
}
