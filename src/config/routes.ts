/**
 * The route patterns that a section names, as texts: `route`, `routes`, or custom domains. What is none is left out, because
 * edgectl only needs to know under which hosts the worker is meant to be visited.
 */
export function routesOf(section: object): { readonly routes?: readonly string[] } {
  const { route, routes }: { route?: unknown; routes?: unknown } = section;
  const listed: readonly unknown[] = Array.isArray(routes) ? routes : [];
  const patterns = [route, ...listed].map(patternOf).filter((pattern) => pattern !== undefined);
  return patterns.length === 0 ? {} : { routes: patterns };
}

function patternOf(route: unknown): string | undefined {
  if (typeof route === 'string') return route;
  if (typeof route !== 'object' || route === null) return undefined;
  return 'pattern' in route && typeof route.pattern === 'string' ? route.pattern : undefined;
}
